import { expect, test } from 'vitest'
import { tagTest } from './search-tags.ts'

const TAGS = ['story', 'author_pg', 'ask_hn']

test.each([
  { expression: '', matches: true },
  { expression: 'story', matches: true },
  { expression: 'poll', matches: false },
  { expression: 'story,ask_hn', matches: true },
  { expression: 'story,show_hn', matches: false },
  { expression: '(story,poll)', matches: true },
  { expression: '(show_hn,poll)', matches: false },
  { expression: 'author_pg,(story,poll)', matches: true },
  { expression: '(story,poll),author_dang', matches: false },
])('“$expression” on a question by pg: $matches', ({ expression, matches }) => {
  expect(tagTest(expression)(TAGS)).toBe(matches)
})
