/** Every three characters of a text that follow each other, each once; a shorter text has none. */
export function gramsOfTerm(term: string): string[] {
  const characters = Array.from(term)
  const grams = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(''))
  return [...new Set(grams)]
}
