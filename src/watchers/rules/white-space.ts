export const BLANK = ' '

/** What `\s` of JavaScript stands for. */
export const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u2028\u2029\u202f\u205f\u3000\ufeff'

const RUN = /\s+/g

export function withSingleBlanks(text: string): string {
  return text.replace(RUN, BLANK)
}

export function isWhiteSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || (unit > 127 && isWideSpace(unit))
}

function isWideSpace(unit: number): boolean {
  return WHITE_SPACE.includes(String.fromCharCode(unit))
}
