import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

test.each([
  { text: 'Nothing to do - at all.', plain: 'Nothing to do - at all.' },
  { text: '# A title\n\nA text', plain: 'A title A text' },
  { text: '> quoted\n> twice\nnot', plain: 'quoted twice not' },
  { text: '* one\n* two\n- three', plain: 'one two three' },
  {
    text: '**bold** and *slanted* and __under__ and ~~gone~~',
    plain: 'bold and slanted and under and gone',
  },
  { text: 'see ![a picture](https://x.test/a.png)', plain: 'see a picture' },
  { text: '[a link](https://x.test/?a=b&c=d)', plain: 'a link' },
  { text: 'run `npm start` now', plain: 'run npm start now' },
  { text: '<p>One</p><br/>two', plain: 'One two' },
  { text: 'you &amp; me &lt;3 &#39;', plain: "you & me <3 '" },
  { text: 'one\n\n---\n\ntwo', plain: 'one two' },
  { text: '2 * 3 * 4 = a_b_c', plain: '2 * 3 * 4 = a_b_c' },
  { text: 'a < b and c > d', plain: 'a < b and c > d' },
  { text: 'a[0] and f(x)', plain: 'a[0] and f(x)' },
  { text: '-5 degrees', plain: '-5 degrees' },
])('$text', ({ text, plain }) => {
  expect(plainLine(text)).toBe(plain)
})

test.each(['*', '_', '`', '[', '<a ', '> ', '[](', '**a', '- - '])(
  'a text of nothing but %s takes no time to speak of',
  (mark) => {
    expect(plainLine(mark.repeat(20_000)).length).toBeLessThanOrEqual(mark.length * 20_000)
  },
)
