// Where each term was seen in each field of the post at hand. A mark carries the number of the look
// it belongs to, so that nothing has to be cleared between posts.

import { RULE_FIELDS } from '../../contract/watcher.ts'

/** A mark is the look and the position, side by side; the marks of a term lie together. */
const MARK_SIZE = 2
const TERM_SIZE = MARK_SIZE * RULE_FIELDS.length
const LAST_LOOK = 2 ** 31 - 1

export const ABSENT = -1
/** Seen, but nobody has asked yet where. */
export const SOMEWHERE = -2

export class Marks {
  readonly #marks: Int32Array
  #look = 0

  constructor(termCount: number) {
    this.#marks = new Int32Array(termCount * TERM_SIZE)
  }

  startLook(): void {
    if (this.#look === LAST_LOOK) {
      this.#marks.fill(0)
      this.#look = 0
    }
    this.#look += 1
  }

  isMarked(term: number, field: number): boolean {
    return this.#marks[term * TERM_SIZE + field * MARK_SIZE] === this.#look
  }

  position(term: number, field: number): number {
    if (!this.isMarked(term, field)) return ABSENT
    return this.#marks[term * TERM_SIZE + field * MARK_SIZE + 1] ?? ABSENT
  }

  mark(term: number, field: number, position: number): void {
    const index = term * TERM_SIZE + field * MARK_SIZE
    this.#marks[index] = this.#look
    this.#marks[index + 1] = position
  }
}
