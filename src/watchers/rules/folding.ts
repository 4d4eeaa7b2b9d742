// Two ways to forget case. Literal terms are compared lower-cased, by the rules of
// `String.prototype.toLowerCase`. Regular expressions fold case by Unicode's simple case folding,
// which also takes ſ for s and ς for σ: what they may need to see is looked for in folded text.

/** Every lower-case letter that folds to another one, in pairs. */
const PAIRS =
  '\u017fs\u00b5\u03bc\u0345\u03b9\u1fbe\u03b9\u1fd3\u0390\u1fe3\u03b0\u03d0\u03b2\u03f5\u03b5' +
  '\u03d1\u03b8\u03f0\u03ba\u03d6\u03c0\u03f1\u03c1\u03c2\u03c3\u03d5\u03c6\u1c80\u0432\u1c81' +
  '\u0434\u1c82\u043e\u1c83\u0441\u1c84\u0442\u1c85\u0442\u1c86\u044a\u1c87\u0463\u1c88\ua64b' +
  '\u1e9b\u1e61\ufb06\ufb05'

const FOLDS = new Map(PAIRS.match(/../g)?.map((pair) => [pair.charAt(0), pair.charAt(1)]))
const FOLDING = new RegExp(`[${[...FOLDS.keys()].join('')}]`, 'g')

/** The lower-cased text as regular expressions see it; a text of the same length. */
export function foldedLower(lower: string): string {
  return lower.replace(FOLDING, (letter) => FOLDS.get(letter) ?? letter)
}

/**
 * Where in the original is what lies at this offset of the lower-cased text. They differ only after
 * an İ, the one letter whose lower case is longer.
 */
export function originalOffset(original: string, offset: number): number {
  if (!original.includes('İ')) return offset
  let rest = offset
  for (let index = 0; index < original.length; index += 1) {
    rest -= original.charAt(index) === 'İ' ? 2 : 1
    if (rest < 0) return index
  }
  return original.length
}
