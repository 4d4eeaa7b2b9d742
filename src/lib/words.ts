// What literal search calls a word: whatever stands between spaces and control characters, with all its
// signs. The text index of SQLite splits texts in the same way (`tokenchars` in its migration).

const SEPARATORS = /[\0-\u0020\u007f]+/g

export function wordsOf(text: string): string[] {
  return text.split(SEPARATORS).filter((word) => word !== '')
}

/**
 * What the words of every text that contains the term have in them, one part for each: a space says
 * that the word begins or ends there. Of “a red ca” these are “a ”, “ red ” and “ ca”.
 */
export function wordPartsOf(term: string): string[] {
  const words = term.split(SEPARATORS)
  return words.flatMap((word, index) => {
    if (word === '') return []
    const before = index > 0 ? ' ' : ''
    const behind = index < words.length - 1 ? ' ' : ''
    return [`${before}${word}${behind}`]
  })
}
