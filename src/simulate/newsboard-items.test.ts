import { describe, expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import type { NewPost } from './post.ts'
import { item, storyList, updates } from './newsboard-items.ts'

const onNewsboard = (given: Partial<NewPost>) =>
  aPost({ platform: 'newsboard', subforum: 'new', forumId: '7', ...given })

const POSTS = [
  onNewsboard({ forumId: '1', score: 500 }),
  onNewsboard({ forumId: '2', title: 'Ask HN: a' }),
  onNewsboard({ forumId: '3', title: 'Show HN: b' }),
  onNewsboard({ forumId: '4', subforum: 'job' }),
  { ...onNewsboard({ forumId: '5' }), removal: 'deleted' as const },
  onNewsboard({ forumId: '6', score: 900 }),
]

describe('a list', () => {
  test.each([
    { list: 'newstories', ids: [6, 3, 2, 1] },
    { list: 'askstories', ids: [2] },
    { list: 'showstories', ids: [3] },
    { list: 'jobstories', ids: [4] },
    { list: 'topstories', ids: [6, 1, 4, 3, 2] },
  ] as const)('$list has $ids', ({ list, ids }) => {
    expect(storyList(list, POSTS, NOON)).toEqual(ids)
  })

  test.each([
    { list: 'newstories', subforum: 'new', length: 500 },
    { list: 'topstories', subforum: 'new', length: 500 },
    { list: 'askstories', subforum: 'ask', length: 200 },
    { list: 'jobstories', subforum: 'job', length: 200 },
  ] as const)('$list is at most $length long', ({ list, subforum, length }) => {
    const posts = Array.from({ length: 600 }, (_, index) =>
      onNewsboard({ forumId: String(index + 1), subforum }),
    )

    const ids = storyList(list, posts, NOON)

    expect(ids).toHaveLength(length)
    expect(ids[0]).toBe(600)
  })
})

describe('an item', () => {
  const common = { id: 7, time: NOON / 1_000 }

  test.each([
    {
      what: 'a story with a link',
      post: onNewsboard({ url: 'https://a.example', author: 'me', score: 3, numComments: 2 }),
      expected: {
        ...common,
        by: 'me',
        type: 'story',
        title: 'A title',
        url: 'https://a.example',
        score: 3,
        descendants: 2,
      },
    },
    {
      what: 'a job has no comments',
      post: onNewsboard({ subforum: 'job', author: 'me', body: 'Come!' }),
      expected: { ...common, by: 'me', type: 'job', title: 'A title', text: 'Come!', score: 1 },
    },
    {
      what: 'a comment has a parent and no title',
      post: onNewsboard({ kind: 'comment', parent: '3', title: '', author: 'me', body: 'Yes' }),
      expected: { ...common, by: 'me', type: 'comment', parent: 3, text: 'Yes' },
    },
    {
      what: 'of a deleted one nothing is left',
      post: { ...onNewsboard({ body: 'Secret' }), removal: 'deleted' as const },
      expected: { ...common, type: 'story', deleted: true },
    },
  ])('$what', ({ post, expected }) => {
    expect(item(post, NOON)).toEqual(expected)
  })

  test('a flagged one is dead', () => {
    const post = { ...onNewsboard({}), removal: 'moderator' as const }

    expect(item(post, NOON)).toMatchObject({ dead: true })
  })
})

test('updates name each item and each author once', () => {
  const [first, second] = [
    onNewsboard({ author: 'me' }),
    onNewsboard({ forumId: '8', author: 'me' }),
  ]

  expect(updates([first, second, first])).toEqual({ items: [7, 8], profiles: ['me'] })
})
