import { describe, expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import { asJson, permalinkOf, thing } from './forum-json.ts'

const VIEW = { now: NOON, siteUrl: 'https://site.example' }

describe('a post', () => {
  test('with text links to itself', () => {
    const { data } = thing(aPost({ forumId: 'abc', body: 'Some *text*' }), VIEW)

    expect(data).toMatchObject({
      is_self: true,
      domain: 'self.selfhosted',
      url: 'https://site.example/r/selfhosted/comments/abc/a_title/',
      permalink: '/r/selfhosted/comments/abc/a_title/',
      selftext: 'Some *text*',
      selftext_html: expect.stringContaining('<em>text</em>'),
      created_utc: NOON / 1_000,
    })
    expect(data).not.toHaveProperty('url_overridden_by_dest')
  })

  test('with a link has no text', () => {
    const { data } = thing(aPost({ url: 'https://a.example/b' }), VIEW)

    expect(data).toMatchObject({
      is_self: false,
      domain: 'a.example',
      url: 'https://a.example/b',
      url_overridden_by_dest: 'https://a.example/b',
      selftext: '',
      selftext_html: null,
    })
  })

  test.each([
    { removal: 'moderator' as const, title: 'A title' },
    { removal: 'deleted' as const, title: '[deleted by user]' },
  ])('that is gone ($removal) says nothing any more', ({ removal, title }) => {
    const { data } = thing(aPost({ body: 'Secret', author: 'me' }, { removal }), VIEW)

    expect(data).toMatchObject({
      removed_by_category: removal,
      title,
      author: '[deleted]',
      selftext: '[removed]',
    })
    expect(JSON.stringify(data)).not.toMatch(/Secret|"me"/)
  })
})

test('strings are escaped unless they are asked for raw', () => {
  const answer = { title: 'a < b & c > "d"', nested: [{ url: '?a&b' }], count: 3 }

  expect(JSON.parse(asJson(answer, true))).toEqual(answer)
  expect(JSON.parse(asJson(answer, false))).toEqual({
    title: 'a &lt; b &amp; c &gt; "d"',
    nested: [{ url: '?a&amp;b' }],
    count: 3,
  })
})

test.each([
  { title: 'Hello, World!', slug: 'hello_world' },
  { title: '???', slug: '_' },
  { title: 'Größe 東京', slug: 'größe_東京' },
  { title: 'word '.repeat(30), slug: 'word_word_word_word_word_word_word_word_word_word' },
])('the address of “$title” ends in $slug', ({ title, slug }) => {
  expect(permalinkOf(aPost({ title }))).toBe(`/r/selfhosted/comments/1/${slug}/`)
})
