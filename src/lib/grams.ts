// Every three characters of a text that follow each other, as numbers. A text that contains another
// has all of its grams, so that an index of grams finds what may contain it.

const FIRST = 2_654_435_761
const SECOND = 2_246_822_519
const THIRD = 3_266_489_917

/** Behind a text, so that each of its characters begins a gram. */
const END = '\u001f\u001f'

/** Makes the grams of every organization numbers of its own. */
export function gramSeed(name: string): number {
  let seed = 0
  for (let index = 0; index < name.length; index += 1) {
    seed = (Math.imul(seed, 31) + name.charCodeAt(index)) >>> 0
  }
  return seed
}

/** Of a whole text, its end included; each once. */
export function gramsOfText(text: string, seed: number): number[] {
  return gramsOf(text + END, seed)
}

/** Of what is searched; fewer than three characters have none. */
export function gramsOf(text: string, seed: number): number[] {
  const grams = new Set<number>()
  let first = 0
  let second = 0
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const third = text.codePointAt(index) ?? 0
    if (third > 0xffff) index += 1
    count += 1
    if (count > 2) grams.add((gram(first, second, third) + seed) | 0)
    first = second
    second = third
  }
  return [...grams]
}

function gram(first: number, second: number, third: number): number {
  return Math.imul(first, FIRST) + Math.imul(second, SECOND) + Math.imul(third, THIRD)
}
