// Texts that are easily got wrong: letters whose lower case is longer or depends on its neighbours,
// scripts without blanks or case, characters of several code points, and whatever means something to
// a pattern, a query language or a quoted string.

import fc from 'fast-check'

export const WORDS = [
  'Postgres',
  'postgresql',
  'backup',
  'BACKUPS',
  'the',
  'a',
  'x',
  'ab',
  'abc',
  'É',
  'é',
  'e\u0301',
  'Café',
  'CAFÉ',
  'İstanbul',
  'İİİ',
  'istanbul',
  'ISTANBUL',
  'ß',
  'ẞ',
  'Straße',
  'STRASSE',
  'ΟΔΟΣ',
  'οδος',
  'οδοσ',
  'Σ',
  'Привет',
  'ПРИВЕТ',
  '日本語',
  '東京タワー',
  '本',
  '100%',
  '%',
  'a_b',
  'axb',
  '_',
  'a*b',
  '*',
  '\\',
  'c:\\new',
  '"quoted"',
  "it's",
  "''",
  '😀',
  '😀😀',
  '👩‍👩‍👧',
  '👍🏽',
  '🇩🇪',
  'n\u0303o',
  'ﬁ',
  'Ǆ',
  '\u212a',
  '\ufffd',
  'NEAR(',
  'OR',
  '-x',
  '<b>',
  '…',
]

const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)

const gap = fc.constantFrom(' ', ' ', ' ', ' ', '', '-', '\n', '  ', '\t', '\u00a0', '\u3000')

function wordsOf(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(word, gap), { minLength, maxLength, size: 'max' })
    .map((parts) => parts.flat().join(''))
}

/** What a source makes sure of: no control characters, nothing blank at either end. */
function cleaned(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}|[\u200b\ufeff]/gu, '').trim()
}

export const title: fc.Arbitrary<string> = wordsOf(1, 6).map(
  (text) => cleaned(text).replace(/\s+/g, ' ') || 'untitled',
)

export const body: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 6, arbitrary: wordsOf(1, 12) },
    // Longer than a snippet.
    { weight: 1, arbitrary: wordsOf(40, 110) },
  )
  .map(cleaned)
