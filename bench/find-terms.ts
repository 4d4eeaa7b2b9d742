// Which terms are rare and which are absent is counted over the very posts that are loaded, so that
// it is true of them.

import { oneOf, type Below } from './random.ts'

const RARE_FROM = 3
const RARE_TO = 30
const WORD = /[a-z]{5,14}/g
const CANDIDATES = 40

const ASCII = 128
const FIRST_VISIBLE = 0x21
const LAST_VISIBLE = 0x7e
const UNITS = 65_536

/** Not letters of any post that anybody wrote, most likely; each is looked for first. */
const UNSEEN_CHARACTERS = ['ꙮ', 'ᚠ', '⍼', '⸘', 'ꝏ', '꙰']

export interface Terms {
  common: string[]
  rare: string[]
  absent: string[]
  commonTwo: string[]
  rareTwo: string[]
  absentTwo: string[]
  commonOne: string[]
  rareOne: string[]
  absentOne: string[]
}

/** Words of the same letters as others are the hard ones: parts of them are everywhere. */
const PERHAPS_ABSENT = [
  'zqxjvk',
  'qwzxkvjq',
  'elephant accounting',
  'kitchen telescope',
  'submarine birthday',
  'purple invoice software',
  'another something else',
  'reddit first the',
]

/** In how many texts each word, each two characters and each character is. */
export class TermCounts {
  readonly #words = new Map<string, number>()
  readonly #pairs = new Uint32Array(ASCII * ASCII)
  readonly #pairSeenIn = new Uint32Array(ASCII * ASCII)
  readonly #units = new Uint32Array(UNITS)
  readonly #unitSeenIn = new Uint32Array(UNITS)
  #texts = 0

  add(text: string): void {
    this.#texts += 1
    for (const word of new Set(text.match(WORD))) {
      this.#words.set(word, (this.#words.get(word) ?? 0) + 1)
    }
    let before = 0
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      this.#sawUnit(unit)
      if (unit < ASCII && before < ASCII) this.#sawPair(before * ASCII + unit)
      before = unit
    }
  }

  #sawUnit(unit: number): void {
    if (this.#unitSeenIn[unit] === this.#texts) return
    this.#unitSeenIn[unit] = this.#texts
    this.#units[unit] = (this.#units[unit] ?? 0) + 1
  }

  #sawPair(pair: number): void {
    if (this.#pairSeenIn[pair] === this.#texts) return
    this.#pairSeenIn[pair] = this.#texts
    this.#pairs[pair] = (this.#pairs[pair] ?? 0) + 1
  }

  /** Words that are so rare as words; as parts of longer ones they may be more common. */
  perhapsRare(below: Below): string[] {
    const rare = [...this.#words].filter(([, count]) => isRare(count)).map(([word]) => word)
    return draw(rare, CANDIDATES, below)
  }

  /** Two visible characters each, by whether their count is wanted. */
  pairs(isWanted: (count: number) => boolean): string[] {
    const found: string[] = []
    for (let first = FIRST_VISIBLE; first <= LAST_VISIBLE; first += 1) {
      for (let second = FIRST_VISIBLE; second <= LAST_VISIBLE; second += 1) {
        const pair = String.fromCharCode(first, second)
        // Posts are searched in lower case.
        if (pair !== pair.toLowerCase()) continue
        if (isWanted(this.#pairs[first * ASCII + second] ?? 0)) found.push(pair)
      }
    }
    return found
  }

  rareCharacters(): string[] {
    const found: string[] = []
    for (let unit = ASCII; unit < UNITS; unit += 1) {
      const character = String.fromCharCode(unit)
      const isPlain = /^[\p{L}\p{S}\p{P}]$/u.test(character)
      if (isPlain && isRare(this.#units[unit] ?? 0)) found.push(character)
    }
    return found
  }

  unseenCharacters(): string[] {
    return UNSEEN_CHARACTERS.filter((character) => this.#units[character.charCodeAt(0)] === 0)
  }
}

/** How many texts each term is in. */
export type CountTexts = (terms: readonly string[]) => Promise<Map<string, number>>

export async function chooseTerms(
  counts: TermCounts,
  countTexts: CountTexts,
  below: Below,
): Promise<Terms> {
  const perhapsRare = counts.perhapsRare(below)
  const real = await countTexts([...perhapsRare, ...PERHAPS_ABSENT])
  const absentPairs = counts.pairs((count) => count === 0)
  const isWord = (pair: string) => /^[a-z0-9]+$/.test(pair)
  return {
    common: ['the', 'reddit', 'first'],
    rare: perhapsRare.filter((term) => isRare(real.get(term) ?? 0)).slice(0, 8),
    absent: PERHAPS_ABSENT.filter((term) => real.get(term) === 0),
    commonTwo: ['th', 'in', 'ex'],
    rareTwo: draw(counts.pairs(isRare), 5, below),
    absentTwo: [
      ...draw(absentPairs.filter(isWord), 2, below),
      ...draw(absentPairs, 2, below),
      ...counts
        .unseenCharacters()
        .slice(0, 1)
        .map((character) => `${character}a`),
    ],
    commonOne: ['e', 'k', '?'],
    rareOne: draw(counts.rareCharacters(), 4, below),
    absentOne: counts.unseenCharacters().slice(0, 4),
  }
}

function isRare(count: number): boolean {
  return count >= RARE_FROM && count <= RARE_TO
}

function draw<Item>(items: readonly Item[], count: number, below: Below): Item[] {
  if (items.length <= count) return [...items]
  const drawn = new Set<Item>()
  while (drawn.size < count) drawn.add(oneOf(items, below))
  return [...drawn]
}
