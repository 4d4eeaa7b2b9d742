import { expect, test } from 'vitest'
import { forumHtml, newsboardHtml } from './text.ts'

test.each([
  { typed: 'One\n\nTwo', html: 'One<p>Two' },
  { typed: "It's *so* good", html: 'It&#x27;s <i>so</i> good' },
  { typed: '2 * 3 * 4 < 5 & "6"', html: '2 * 3 * 4 &lt; 5 &amp; &quot;6&quot;' },
  {
    typed: 'See https://a.example/?b=1&c=2.',
    html: 'See <a href="https:&#x2F;&#x2F;a.example&#x2F;?b=1&amp;c=2" rel="nofollow">https:&#x2F;&#x2F;a.example&#x2F;?b=1&amp;c=2</a>.',
  },
  { typed: '    let a', html: '<pre><code>    let a\n</code></pre>' },
])('the newsboard shows $typed as $html', ({ typed, html }) => {
  expect(newsboardHtml(typed)).toBe(html)
})

test('the forum reads markdown and shows typed tags as text', () => {
  const html = forumHtml('**Hi** [there](https://a.example)\n\n<script>x</script> & <b>')

  expect(html).toMatch(/^<!-- SC_OFF --><div class="md"><p><strong>Hi<\/strong>/)
  expect(html).toMatch(/\n<\/div><!-- SC_ON -->$/)
  expect(html).toContain('<a href="https://a.example">there</a>')
  expect(html).toContain('&lt;script&gt;')
  expect(html).toContain('&amp; &lt;b&gt;')
})
