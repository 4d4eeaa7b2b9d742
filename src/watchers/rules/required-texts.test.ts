import { expect, test } from 'vitest'
import { requiredTexts } from './required-texts.ts'

test.each<[string, string[][]]>([
  ['Apple', [['apple']]],
  ['colou?r', [['color', 'colour']]],
  ['(foo|bar)baz?', [['fooba', 'barba']]],
  ['foo|bar.*baz', [['foo', 'bar']]],
  ['foo|b', []],
  ['foo|', []],
  [String.raw`\bpost\w*gres(ql)?\b`, [['post'], ['gres']]],
  ['(abc)+', [['abc']]],
  ['(abc){2,}d', [['abc']]],
  ['(abc)*de', [['de']]],
  ['(abc){0,3}de', [['de']]],
  ['[ck]at', [['cat', 'kat']]],
  ['[c-k]at', [['at']]],
  ['[^c]at', [['at']]],
  [String.raw`looking\s+for`, [['looking for']]],
  [String.raw`a\.b`, [['a.b']]],
  [String.raw`[$€£]\d`, [['$', '€', '£']]],
  [String.raw`\d+\.\d+`, []],
  ['(?i)(?:ab)(?P<name>cd)', [['abcd']]],
  ['ſTRAẞE', [['straße']]],
  ['a😀b', [['a😀b']]],
  [String.raw`\Qab\E`, []],
  [String.raw`\x61bc`, []],
  ['[[:alpha:]]bc', []],
  ['abc{', []],
])('%s cannot do without %j', (regex, groups) => {
  expect(requiredTexts(regex)).toEqual(groups)
})
