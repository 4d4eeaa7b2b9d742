// Words, signs and their parts as numbers, for an index of numbers. A text that contains another has all
// of its numbers; so, now and then, does one that does not.

const FIRST = 2_654_435_761
const SECOND = 2_246_822_519
const THIRD = 3_266_489_917
const GROWTH = 31

/** Words are cut into pieces of this many characters, each beginning in the middle of the one before. */
const PIECE = 200
const STEP = PIECE / 2

/** Makes the numbers of every organization others. */
export function seedOf(name: string): number {
  return numberOf(name, 0)
}

/** Of a word or a sign, as a whole. */
export function numberOf(text: string, seed: number): number {
  let number = seed
  for (const character of text) {
    number = (Math.imul(number, GROWTH) + (character.codePointAt(0) ?? 0)) | 0
  }
  return number
}

/** A word between two spaces, which say where it begins and ends; a long one in pieces. */
export function piecesOf(word: string): string[] {
  const padded = ` ${word} `
  if (padded.length <= PIECE) return [padded]
  const characters = Array.from(padded)
  const count = Math.max(1, Math.ceil((characters.length - PIECE) / STEP) + 1)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * STEP, index * STEP + PIECE).join(''),
  )
}

/** What is in one piece of every word that has this in it. */
export function pieceOf(part: string): string {
  const characters = Array.from(part)
  return characters.length <= STEP ? part : characters.slice(0, STEP).join('')
}

/** Every one, two and three characters of a piece that follow each other; each once. */
export function gramsOfPiece(piece: string, seed: number): number[] {
  const codes = codesOf(piece)
  const grams = codes.flatMap((code, index) => [
    gram([code], seed),
    ...(index >= 1 ? [gram(codes.slice(index - 1, index + 1), seed)] : []),
    ...(index >= 2 ? [gram(codes.slice(index - 2, index + 1), seed)] : []),
  ])
  return [...new Set(grams)]
}

/** Of what a piece may contain: its three characters each, or itself when it is shorter. */
export function gramsOfPart(part: string, seed: number): number[] {
  const codes = codesOf(part)
  if (codes.length < 3) return [gram(codes, seed)]
  const grams = codes.slice(2).map((_, index) => gram(codes.slice(index, index + 3), seed))
  return [...new Set(grams)]
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

function gram([first = 0, second = 0, third = 0]: readonly number[], seed: number): number {
  const mixed = Math.imul(first, FIRST) + Math.imul(second, SECOND) + Math.imul(third, THIRD)
  return (mixed + seed) | 0
}
