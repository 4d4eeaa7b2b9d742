import { describe, expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import { NewPost } from './post.ts'

describe('a newsboard post is of the section', () => {
  test.each([
    { subforum: 'new', title: 'A title', section: 'new', kind: 'story' },
    { subforum: 'top', title: 'A title', section: 'new', kind: 'story' },
    { subforum: 'new', title: 'Ask HN: why?', section: 'ask', kind: 'story' },
    { subforum: 'new', title: 'Show HN: this', section: 'show', kind: 'story' },
    { subforum: 'new', title: 'Asking for a friend', section: 'new', kind: 'story' },
    { subforum: 'Ask', title: 'Why?', section: 'ask', kind: 'story' },
    { subforum: 'job', title: 'Ask HN: hiring?', section: 'job', kind: 'job' },
  ])('$section when it is in $subforum and says “$title”', ({ subforum, title, section, kind }) => {
    const post = aPost({ platform: 'newsboard', subforum, title })

    expect(post).toMatchObject({ subforum: section, kind })
  })
})

test('a forum channel may be called what it likes', () => {
  expect(aPost({ subforum: 'r/Job' })).toMatchObject({ subforum: 'Job', kind: 'story' })
})

test('what is left open is filled in', () => {
  expect(aPost({ score: null })).toMatchObject({
    forumId: '1',
    body: '',
    url: null,
    score: 1,
    numComments: 0,
    createdAt: NOON,
    removal: null,
  })
})

test('its own time stands', () => {
  const { createdAt } = aPost({ forumCreatedAt: '2013-01-10T14:12:43Z' })

  expect(createdAt).toBe(Date.UTC(2013, 0, 10, 14, 12, 43))
})

test.each([
  { platform: 'forum', forumId: '16bb5r', accepted: true },
  { platform: 'forum', forumId: 't3_16bb5r', accepted: false },
  { platform: 'newsboard', forumId: '8863', accepted: true },
  { platform: 'newsboard', forumId: '16bb5r', accepted: false },
  { platform: 'newsboard', forumId: '08863', accepted: false },
])('$forumId as an id on the $platform: $accepted', ({ platform, forumId, accepted }) => {
  const parsed = NewPost.safeParse({ platform, forumId, subforum: 'new', title: 'A title' })

  expect(parsed.success).toBe(accepted)
})
