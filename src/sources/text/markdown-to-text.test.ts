import { expect, test } from 'vitest'
import { markdownToText } from './markdown-to-text.ts'

test.each([
  { rule: 'emphasis goes', markdown: 'a **b** _c_ ~~d~~ ***e***', text: 'a b c d e' },
  { rule: 'entities are decoded once', markdown: '&lt;b&gt; &amp;lt; &#x27;', text: "<b> &lt; '" },
  { rule: 'escapes are what they stand for', markdown: '\\*a\\* 1\\. &#x200B;', text: '*a* 1.' },
  { rule: 'a single newline is a blank', markdown: 'a\nb', text: 'a b' },
  { rule: 'a hard break is a new line', markdown: 'a  \nb', text: 'a\nb' },
  { rule: 'paragraphs are parted by a blank line', markdown: 'a\n\n\n\nb', text: 'a\n\nb' },
  { rule: 'headings are paragraphs', markdown: '# a\nb\n\nc\n---\nd', text: 'a\n\nb\n\nc\n\nd' },
  { rule: 'list items are lines', markdown: '* a\n* b\n    1. c\n\nd', text: 'a\nb\nc\n\nd' },
  { rule: 'tasks are list items', markdown: '- [ ] a\n- [x] b', text: 'a\nb' },
  { rule: 'quotes are text', markdown: '> a\n> > b\n\nc', text: 'a\n\nb\n\nc' },
  { rule: 'spoilers are text', markdown: '>!a!< b', text: '>!a!< b' },
  {
    rule: 'code is kept as it is',
    markdown: 'x\n\n    a  &amp;\n      *b*\n\n`c  *d*`',
    text: 'x\n\na  &amp;\n  *b*\n\nc  *d*',
  },
  { rule: 'fenced code too', markdown: '```js\na\n    b\n```', text: 'a\n    b' },
  { rule: 'tables are lines of cells', markdown: '|a|b|\n|-|-|\n|*c*|d|', text: 'a\tb\nc\td' },
  {
    rule: 'links are their text',
    markdown: '[a *b*](https://x.example "t") <https://y.example>',
    text: 'a b https://y.example',
  },
  {
    rule: 'or their address, if they have none',
    markdown: '[](https://x.example)',
    text: 'https://x.example',
  },
  { rule: 'no other kind of address is shown', markdown: 'a [](javascript:x)', text: 'a' },
  {
    rule: 'addresses stay whole',
    markdown: 'https://x.example/a_b_c*d*',
    text: 'https://x.example/a_b_cd',
  },
  {
    rule: 'images are their description',
    markdown: '![a cat](https://x.example/y.png)',
    text: 'a cat',
  },
  { rule: 'HTML is text', markdown: '<b>a</b> **b**\n\n<div>\n*c*', text: '<b>a</b> b\n\n<div> c' },
  { rule: 'control characters go', markdown: 'a\u0001b\u001fc', text: 'abc' },
  { rule: 'nothing is nothing', markdown: ' \n ', text: '' },
])('$rule', ({ markdown, text }) => {
  expect(markdownToText(markdown)).toBe(text)
})

test.each([
  '>',
  '> ',
  '[',
  '*',
  '_',
  '`',
  '~',
  '**a ',
  '_a ',
  '[a](',
  '![',
  '<',
  '|',
  '- ',
  '1. ',
  '- > ',
  '    ',
  '# ',
  '[a]: b\n',
  '\\',
  'a_b_',
  'http://',
  'a@',
  '|a',
  '- a\n\n',
  'a',
])('a hundred thousand characters of %s are borne', (piece) => {
  expect(typeof markdownToText(piece.repeat(100_000 / piece.length))).toBe('string')
})

test.each([
  { what: 'emphasis within emphasis', markdown: '**a '.repeat(9_000) + ' a**'.repeat(9_000) },
  {
    what: 'a wide table',
    markdown: `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|x\n'.repeat(9_000)}`,
  },
  { what: 'a long word', markdown: `${'a'.repeat(99_000)}@` },
  {
    what: 'nested lists',
    markdown: Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  },
  { what: 'a link in a link', markdown: '[a'.repeat(16_000) + '](b)'.repeat(16_000) },
])('$what is borne', ({ markdown }) => {
  expect(markdownToText(markdown)).toContain('a')
})
