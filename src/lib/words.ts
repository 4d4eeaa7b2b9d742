// What literal search calls a word and a sign. A word is a run of letters and digits, and of everything
// beyond ASCII; a sign is any other character of ASCII that can be seen. SQLite's `ascii` tokenizer
// splits texts in the same way.

const BETWEEN_WORDS = /[\0-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+/
const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

const ASCII = 128
const SPACE = 0x20
const DELETE = 0x7f

const isSign = new Uint8Array(ASCII)
for (const sign of SIGNS) isSign[sign.charCodeAt(0)] = 1

export function wordsOf(text: string): string[] {
  return text.split(BETWEEN_WORDS).filter((word) => word !== '')
}

/**
 * What the words of every text that contains the term have in them, one part for each: a space says
 * that the word begins or ends there. Of “a red-ca” these are “a ”, “ red ” and “ ca”.
 */
export function wordPartsOf(term: string): string[] {
  const words = term.split(BETWEEN_WORDS)
  return words.flatMap((word, index) => {
    if (word === '') return []
    const before = index > 0 ? ' ' : ''
    const behind = index < words.length - 1 ? ' ' : ''
    return [`${before}${word}${behind}`]
  })
}

/** Each sign, and each with the character before and behind it, spaces apart: each once. */
export function signsOf(text: string): string[] {
  const signs = new Set<string>()
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= ASCII || isSign[code] === 0) continue
    const sign = text.charAt(index)
    signs.add(sign)
    const before = characterBefore(text, index)
    if (isSeen(before)) signs.add(before + sign)
    const behind = String.fromCodePoint(text.codePointAt(index + 1) ?? SPACE)
    if (isSeen(behind)) signs.add(sign + behind)
  }
  return [...signs]
}

function characterBefore(text: string, index: number): string {
  const two = text.slice(Math.max(index - 2, 0), index)
  return two.length === 2 && (two.codePointAt(0) ?? 0) > 0xffff ? two : two.slice(-1)
}

function isSeen(character: string): boolean {
  const code = character === '' ? SPACE : character.charCodeAt(0)
  return code > SPACE && code !== DELETE
}
