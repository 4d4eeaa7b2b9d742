// How text is matched, as data: literally, whatever its case, and never over the border between title
// and body. The same for `q`, `keyword`, `include` and `exclude`.

import { COMMON, type GivenPost } from './dataset.ts'

interface TextRule {
  rule: string
  title: string
  body?: string
  text: string
  matches: boolean
}

export const TEXT_RULES: TextRule[] = [
  { rule: 'in the title', title: 'a needle in it', text: 'needle', matches: true },
  { rule: 'in the body', title: 'x', body: 'a needle in it', text: 'needle', matches: true },
  { rule: 'inside a word', title: 'pineneedles', text: 'needle', matches: true },
  { rule: 'at the very beginning', title: 'needle', text: 'nee', matches: true },
  { rule: 'at the very end', title: 'x', body: 'the needle', text: 'dle', matches: true },
  { rule: 'all of it', title: 'needle', text: 'needle', matches: true },
  { rule: 'more than there is', title: 'needle', text: 'needles', matches: false },
  { rule: 'the words in another order', title: 'red car', text: 'car red', matches: false },
  { rule: 'upper case finds lower case', title: 'needle', text: 'NEEDLE', matches: true },
  { rule: 'lower case finds upper case', title: 'NEEDLE', text: 'needle', matches: true },
  { rule: 'É finds é', title: 'café', text: 'CAFÉ', matches: true },
  { rule: 'é finds É', title: 'CAFÉ', text: 'café', matches: true },
  { rule: 'é is not e', title: 'café', text: 'cafe', matches: false },
  { rule: 'Я finds я', title: 'моя', text: 'МОЯ', matches: true },
  { rule: 'Σ at a word’s end finds itself', title: 'ΟΔΟΣ', text: 'οδος', matches: true },
  { rule: 'İ finds itself', title: 'İstanbul', text: 'İSTANBUL', matches: true },
  { rule: 'ẞ finds ß', title: 'straße', text: 'STRAẞE', matches: true },
  { rule: 'one character', title: 'abc', text: 'b', matches: true },
  { rule: 'one character that is not there', title: 'abc', body: 'abc', text: 'z', matches: false },
  { rule: 'two characters', title: 'abc', text: 'BC', matches: true },
  { rule: 'two characters that are apart', title: 'axc', body: 'a c', text: 'ac', matches: false },
  { rule: 'one character without a case', title: '日本語', text: '語', matches: true },
  { rule: 'two characters without a case', title: '日本語', text: '本語', matches: true },
  { rule: 'a character of two units', title: 'ship it 🚀!', text: '🚀', matches: true },
  { rule: 'another character of two units', title: 'ship it 🚀!', text: '🚁', matches: false },
  { rule: '% is a percent sign', title: '100% sure', text: '0% s', matches: true },
  { rule: '% is no wildcard', title: '100 or so sure', text: '100%sure', matches: false },
  { rule: '% alone finds only itself', title: 'abc', body: 'abc', text: '%', matches: false },
  { rule: '_ is an underscore', title: 'snake_case', text: 'e_c', matches: true },
  { rule: '_ is no wildcard', title: 'snake case', text: 'snake_case', matches: false },
  { rule: '* is a star', title: 'select * from', text: 't * f', matches: true },
  { rule: '* is no wildcard', title: 'needles', text: 'need*', matches: false },
  { rule: '? is no wildcard', title: 'needle', text: 'needl?', matches: false },
  { rule: 'a double quote is one', title: 'say "hello" now', text: 'y "hello"', matches: true },
  { rule: 'double quotes do not group', title: 'say hello', text: '"say hello"', matches: false },
  { rule: 'a lone double quote', title: 'a 5" disk', text: '5"', matches: true },
  { rule: 'a single quote is one', title: "it's o'clock", text: "'s o'", matches: true },
  { rule: 'a single quote ends nothing', title: 'abc', text: "' or '1'='1", matches: false },
  { rule: 'a backslash is one', title: 'C:\\temp\\new', text: ':\\temp\\n', matches: true },
  { rule: 'a backslash escapes nothing', title: '100% sure', text: '100\\%', matches: false },
  { rule: 'a backslash at the end', title: 'ends with \\', text: 'with \\', matches: true },
  { rule: 'OR is a word', title: 'needle', text: 'needle OR pin', matches: false },
  { rule: 'NOT is a word', title: 'needle NOT pin', text: 'needle not pin', matches: true },
  { rule: 'NEAR and its brackets are text', title: 'NEAR(a b)', text: 'near(a b)', matches: true },
  {
    rule: 'a colon names no column',
    title: 'x',
    body: 'text: abc',
    text: 'text: a',
    matches: true,
  },
  { rule: 'a leading - excludes nothing', title: 'a -needle', text: '-needle', matches: true },
  { rule: '^ and $ are text', title: 'abc', text: '^abc$', matches: false },
  { rule: 'brackets are no pattern', title: 'abc', text: '[abc]', matches: false },
  { rule: '.* is text', title: 'abc', text: 'a.*c', matches: false },
  { rule: '$1 is no placeholder', title: 'costs $1 only', text: 's $1 o', matches: true },
  { rule: 'two blanks are not one', title: 'red car', text: 'red  car', matches: false },
  {
    rule: 'a line break is not a blank',
    title: 'x',
    body: 'red\ncar',
    text: 'red car',
    matches: false,
  },
  { rule: 'a line break is found', title: 'x', body: 'red\ncar', text: 'd\nc', matches: true },
  { rule: 'not from title into body', title: 'red', body: 'car', text: 'redcar', matches: false },
  { rule: 'nor with a blank between', title: 'red', body: 'car', text: 'red car', matches: false },
  { rule: 'nor with a line break', title: 'red', body: 'car', text: 'red\ncar', matches: false },
  {
    rule: 'nor with any separator',
    title: 'red',
    body: 'car',
    text: 'red\u001fcar',
    matches: false,
  },
  { rule: 'a separator finds nothing', title: 'red', body: 'car', text: '\u001f', matches: false },
  { rule: 'words in title and body apart', title: 'red', body: 'car', text: 'd c', matches: false },
  { rule: 'half a character is not every one', title: '🚀', text: 'x\ud83d', matches: false },
]

export const VEHICLES: GivenPost[] = [
  { title: 'red car', body: `${COMMON} fast` },
  { title: 'red bike', body: `${COMMON} slow` },
  { title: 'blue car', body: `${COMMON} slow` },
]

const ALL = ['red car', 'red bike', 'blue car']

interface TermRule {
  rule: string
  terms: { include?: string[]; exclude?: string[] }
  /** Titles of the vehicles that are left. */
  found: string[]
}

export const TERM_RULES: TermRule[] = [
  {
    rule: 'include: the term must appear',
    terms: { include: ['red'] },
    found: ['red car', 'red bike'],
  },
  { rule: 'include: every one of them', terms: { include: ['red', 'car'] }, found: ['red car'] },
  {
    rule: 'include: one in the title, one in the body',
    terms: { include: ['car', 'slow'] },
    found: ['blue car'],
  },
  {
    rule: 'include: the same term twice',
    terms: { include: ['RED', 'red'] },
    found: ['red car', 'red bike'],
  },
  { rule: 'include: no post has all of them', terms: { include: ['red', 'blue'] }, found: [] },
  { rule: 'include: empty is no filter', terms: { include: [] }, found: ALL },
  { rule: 'exclude: the term may not appear', terms: { exclude: ['red'] }, found: ['blue car'] },
  { rule: 'exclude: none of them', terms: { exclude: ['bike', 'blue'] }, found: ['red car'] },
  {
    rule: 'exclude: neither in the title nor in the body',
    terms: { exclude: ['fast', 'bike'] },
    found: ['blue car'],
  },
  { rule: 'exclude: what nobody wrote', terms: { exclude: ['green'] }, found: ALL },
  { rule: 'exclude: empty is no filter', terms: { exclude: [] }, found: ALL },
  { rule: 'exclude: what is searched for', terms: { exclude: [COMMON] }, found: [] },
  {
    rule: 'include and exclude: both',
    terms: { include: ['car'], exclude: ['fast'] },
    found: ['blue car'],
  },
]
