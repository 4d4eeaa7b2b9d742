// What all text from outside passes: no control characters, no broken surrogates, bounded.

/** Longer texts are cut before anything looks at them: no platform lets people write this much. */
export const LONGEST_TEXT = 100_000

/** All but tab and newline, and two that nobody sees: a zero-width space, a byte order mark. */
const UNWANTED = /(?![\t\n])\p{Cc}|[\u200B\uFEFF]/gu
const LINE_ENDS = /\r\n?|\f|\v|[\u0085\u2028\u2029]/g

/** The beginning of a text, never ending within a character that takes two units. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? max - 1 : max)
}

/** One line: for titles and names. */
export function cleanText(text: string, max: number): string {
  const line = withoutControls(cut(text, LONGEST_TEXT)).replace(/\s+/g, ' ').trim()
  return cut(line, max).trimEnd()
}

/** Several lines, with at most one blank line in a row. */
export function tidyLines(text: string): string {
  // Line by line: a pattern for blanks before a newline takes quadratic time on a long run of blanks.
  const lines = withoutControls(text).split('\n')
  const trimmed = lines.map((line) => line.trimEnd()).join('\n')
  return trimmed.replace(/\n{3,}/g, '\n\n').trim()
}

function withoutControls(text: string): string {
  return text.toWellFormed().replace(LINE_ENDS, '\n').replace(UNWANTED, '')
}
