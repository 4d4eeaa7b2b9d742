import { expect, test } from 'vitest'
import { Rule } from '../../contract/watcher.ts'
import { ruleMistakes } from './check-rules.ts'

const mistakeOf = (regex: string) =>
  ruleMistakes([Rule.parse({ any: [regex], kind: 'regex' })]).map(({ message }) => message)

test.each([
  ['(a', 'missing closing )'],
  ['a)', 'unexpected )'],
  ['[a', 'missing closing ]'],
  ['*a', 'missing argument to repetition operator'],
  ['(?=a)b', 'invalid or unsupported Perl syntax'],
  [String.raw`(a)\1`, 'invalid escape sequence'],
  ['a{1001}', 'invalid repeat count'],
])('%s is refused with the reason', (regex, reason) => {
  const message = `“${regex}” is not a regular expression RE2 understands: ${reason}`

  expect(mistakeOf(regex)).toEqual([message])
})

test.each([
  '(a{1,1000}){1,1000}',
  'a{1000}',
  'a.{0,60}b.{0,60}q',
  'a.{50}b.{50}c',
  '(a|b|c)*a.{30}z',
  'is.{0,80}to.{0,80}of',
])('%s is too complex', (regex) => {
  expect(mistakeOf(regex)).toEqual([expect.stringContaining(`“${regex}” is too complex`)])
})

test.each(['a*', '^', '$', '(a|b?)', 'x?y*', String.raw`\b`, '(?:)', '^$', String.raw`\s*`])(
  '%s matches the empty text',
  (regex) => {
    expect(mistakeOf(regex)).toEqual([`“${regex}” matches the empty text, and so every post`])
  },
)

test.each([
  'a',
  String.raw`\bpostgres(ql)?\b`,
  '(looking for|recommend).{0,40}database',
  'postgres.{0,100}(slow|down)',
  String.raw`\bv?\d+\.\d+(\.\d+)?\b`,
  String.raw`[$€£]\s?\d{1,6}`,
  String.raw`\b[\w.+-]+@[\w-]+\.[\w.]+\b`,
  String.raw`https?://[^\s]+\.(png|jpe?g|gif)`,
  String.raw`(buy|sell|rent)(ing)?\s+(a|an|the)?\s*(\w+\s+){0,3}(house|home|flat)`,
  '(hiring|job|work).{0,80}(remote|anywhere).{0,80}(rust|go)',
  '((((a+)+)+)+)+z',
  'привет.{0,20}мир',
])('%s is fine', (regex) => {
  expect(mistakeOf(regex)).toEqual([])
})

test('every mistake is told, with the path of its term', () => {
  const rules = [
    Rule.parse({ any: ['('], kind: 'substring' }),
    Rule.parse({ any: ['a', 'b', '('], all: ['['], none: ['c', 'd*'], kind: 'regex' }),
  ]

  const paths = ruleMistakes(rules).map(({ path }) => path)

  expect(paths).toEqual(['rules.1.any.2', 'rules.1.all.0', 'rules.1.none.1'])
})
