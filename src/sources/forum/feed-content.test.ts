import { expect, test } from 'vitest'
import { readContent } from './feed-content.ts'

const AROUND =
  ' &#32; submitted by &#32; <a href="https://f.example/user/x"> /u/x </a> <br/>' +
  ' <span><a href="https://x.example/?a&amp;b">[link]</a></span> &#32;' +
  ' <span><a href="https://f.example/c">[comments]</a></span>'

test.each([
  {
    what: 'text and link',
    html: `<!-- SC_OFF --><div class="md"><p>a</p><div>b</div></div><!-- SC_ON -->${AROUND}`,
    body: 'a\n\nb',
  },
  { what: 'a link alone', html: AROUND, body: '' },
  {
    what: 'a link with a picture',
    html: `<table><tr><td><a href="https://f.example/c"><img alt="t" src="p"/></a></td><td>${AROUND}</td></tr></table>`,
    body: '',
  },
  {
    what: 'a text that speaks of links',
    html: `<div class="md"><a href="https://no.example">[link]</a></div>${AROUND}`,
    body: '[link]',
  },
])('$what', ({ html, body }) => {
  expect(readContent(html)).toEqual({ body, link: 'https://x.example/?a&b' })
})

test.each(['', 'plain', '<div class="md">', '<a>[link]'])('%s has no link', (html) => {
  expect(readContent(html)).toEqual({ body: '', link: null })
})
