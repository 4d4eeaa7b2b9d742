import { tidyLines } from './clean.ts'

/** Collects the text of a marked-up document: runs of white space become one blank, breaks lines. */
export class PlainText {
  readonly #parts: string[] = []
  #breaks = 0
  #isSpaceDue = false

  /** How much there is, to be given to `replaceSince`. */
  get mark(): number {
    return this.#parts.length
  }

  text(words: string): void {
    const collapsed = words.replace(/\s+/g, ' ')
    if (collapsed.startsWith(' ')) this.#isSpaceDue = true
    const trimmed = collapsed.trim()
    if (trimmed === '') return
    this.#append(trimmed)
    this.#isSpaceDue = collapsed.endsWith(' ')
  }

  /** As it is, white space included. */
  verbatim(words: string): void {
    if (words !== '') this.#append(words)
  }

  /** The next text begins a new line. */
  line(): void {
    this.#breaks = Math.max(this.#breaks, 1)
  }

  /** Like `line`, but two in a row leave a blank line between. */
  lineBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2)
  }

  /** The next text begins after a blank line. */
  paragraph(): void {
    this.#breaks = 2
  }

  since(mark: number): string {
    return this.#parts.slice(mark).join('').trim()
  }

  replaceSince(mark: number, words: string): void {
    this.#parts.length = mark
    this.text(words)
  }

  end(): string {
    return tidyLines(this.#parts.join(''))
  }

  #append(words: string): void {
    const isFirst = this.#parts.length === 0
    const space = this.#isSpaceDue ? ' ' : ''
    if (!isFirst) this.#parts.push(this.#breaks > 0 ? '\n'.repeat(this.#breaks) : space)
    this.#parts.push(words)
    this.#breaks = 0
    this.#isSpaceDue = false
  }
}
