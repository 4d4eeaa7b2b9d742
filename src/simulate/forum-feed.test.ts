import { parseDocument, DomUtils } from 'htmlparser2'
import { expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import { atomFeed } from './forum-feed.ts'

const FEED = { name: 'selfhosted', changedAt: NOON, siteUrl: 'https://site.example' }

function entriesOf(feed: string) {
  const document = parseDocument(feed, { xmlMode: true })
  const textIn = (entry: Parameters<typeof DomUtils.textContent>[0], name: string) =>
    DomUtils.textContent(DomUtils.getElementsByTagName(name, entry))
  return DomUtils.getElementsByTagName('entry', document).map((entry) => ({
    id: textIn(entry, 'id'),
    title: textIn(entry, 'title'),
    author: textIn(entry, 'name'),
    published: textIn(entry, 'published'),
    content: textIn(entry, 'content'),
    link: DomUtils.getElementsByTagName('link', entry)[0]?.attribs['href'],
  }))
}

test('an entry says what the post is, and survives every character', () => {
  const post = aPost({ forumId: 'abc', title: '<a> & "b" 🎉', author: 'me', body: 'x < y' })

  const [entry] = entriesOf(atomFeed([post], FEED))

  expect(entry).toMatchObject({
    id: 't3_abc',
    title: '<a> & "b" 🎉',
    author: '/u/me',
    published: '2026-06-01T12:00:00+00:00',
    link: 'https://site.example/r/selfhosted/comments/abc/a_b/',
  })
  expect(entry?.content).toMatch(/^<!-- SC_OFF --><div class="md"><p>x &lt; y<\/p>\n<\/div>/)
  expect(entry?.content).toMatch(/submitted by .* \/u\/me .*\[link\].*\[comments\]/)
})

test('a link stands under [link], and there is no text', () => {
  const post = aPost({ url: 'https://a.example/?b&c' })

  const [entry] = entriesOf(atomFeed([post], FEED))

  expect(entry?.content).toContain('<a href="https://a.example/?b&amp;c">[link]</a>')
  expect(entry?.content).not.toContain('SC_OFF')
})
