import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.ts'

test.each([
  { rule: 'tags go', html: 'a <b>b</b><i>c</i>', text: 'a bc' },
  {
    rule: 'entities are decoded once',
    html: '&lt;b&gt; &amp;lt; &#x27;&eacute;',
    text: "<b> &lt; 'é",
  },
  { rule: 'white space is one blank', html: ' a \n\t b&nbsp; c ', text: 'a b c' },
  {
    rule: 'paragraphs are parted by a blank line',
    html: 'a<p>b<p>c</p>d',
    text: 'a\n\nb\n\nc\n\nd',
  },
  { rule: 'a break is a new line', html: 'a<br>b<br/><br>c<br><br><br>d', text: 'a\nb\n\nc\n\nd' },
  { rule: 'list items are lines', html: '<ul><li>a<li>b</ul>c', text: 'a\nb\n\nc' },
  {
    rule: 'code is kept as it is',
    html: '<p>x<pre><code>  a\n    b &lt;\n</code></pre>',
    text: 'x\n\n  a\n    b <',
  },
  { rule: 'quotes are text', html: '<blockquote>a</blockquote>b', text: 'a\n\nb' },
  {
    rule: 'tables are lines of cells',
    html: '<table><tr><th>a<th>b<tr><td>c<td>d</table>',
    text: 'a\tb\nc\td',
  },
  {
    rule: 'images are their description',
    html: 'a<img src=x alt="a cat">b<img src=y>',
    text: 'a a cat b',
  },
  { rule: 'links are their text', html: '<a href="https://x.example">here</a>', text: 'here' },
  {
    rule: 'or their address, if they have none',
    html: 'a <a href="https://x.example"></a>',
    text: 'a https://x.example',
  },
  {
    rule: 'a shortened address is written out',
    html: '<a href="https://x.example/abc">https://x.exam...</a>.',
    text: 'https://x.example/abc.',
  },
  { rule: 'no other kind of address is shown', html: '<a href="javascript:x"></a>b', text: 'b' },
  {
    rule: 'scripts and styles go',
    html: 'a<script>x<b</script><style>y</style><template>z</template>b',
    text: 'ab',
  },
  { rule: 'comments go', html: 'a<!-- <b>x -->b', text: 'ab' },
  {
    rule: 'control characters go',
    html: 'a\u0000b\u001f&#7;c',
    text: 'ab\u0000c'.replace('\u0000', ''),
  },
  { rule: 'what only looks like markup stays', html: '1 < 2 > 3 & 4', text: '1 < 2 > 3 & 4' },
  { rule: 'unclosed tags harm nothing', html: '<div><b>a<i>b', text: 'ab' },
  { rule: 'nothing is nothing', html: '', text: '' },
])('$rule', ({ html, text }) => {
  expect(htmlToText(html)).toBe(text)
})

test.each([
  '<b>',
  '<a href="https://x">',
  '<p>',
  '<pre>',
  '</i>',
  '<',
  '>',
  '&',
  '&amp;',
  '<!--',
  '<td>',
  '<svg>',
  '<script>',
  ' ',
])('a hundred thousand characters of %s are borne', (piece) => {
  expect(typeof htmlToText(piece.repeat(200_000 / piece.length))).toBe('string')
})

test('what is too long is cut first', () => {
  expect(htmlToText('a'.repeat(200_000))).toHaveLength(100_000)
})
