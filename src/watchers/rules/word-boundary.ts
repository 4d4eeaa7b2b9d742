// Only anchored at the start: with `$` instead, V8 14 misses letters beyond U+FFFF.
const WORD = /^[\p{L}\p{N}_]/u

/** Nothing from `start` to `end` touches a letter, digit or underscore outside. */
export function isWholeWord(text: string, start: number, end: number): boolean {
  return !isWordBefore(text, start) && !isWordAfter(text, end)
}

function isWordBefore(text: string, start: number): boolean {
  if (start === 0) return false
  const unit = text.charCodeAt(start - 1)
  if (unit < 128) return isAsciiWord(unit)
  const isPair = start > 1 && (text.codePointAt(start - 2) ?? 0) > 0xffff
  return WORD.test(text.slice(isPair ? start - 2 : start - 1, start))
}

function isWordAfter(text: string, end: number): boolean {
  if (end === text.length) return false
  const unit = text.charCodeAt(end)
  return unit < 128 ? isAsciiWord(unit) : WORD.test(text.slice(end, end + 2))
}

function isAsciiWord(unit: number): boolean {
  if (unit < 65) return unit >= 48 && unit <= 57
  return unit <= 90 || unit === 95 || (unit >= 97 && unit <= 122)
}
