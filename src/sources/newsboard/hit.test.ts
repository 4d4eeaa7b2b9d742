import { expect, test } from 'vitest'
import { postOfHit, SearchAnswer } from './hit.ts'

const HIT = { objectID: '23734093', title: 'A title', created_at_i: 1_593_888_188 }

test('a hit with all its fields becomes a post', () => {
  const hit = {
    ...HIT,
    url: 'https://example.test/#/a',
    author: 'fanf2',
    points: 848,
    num_comments: 157,
    story_text: 'It&#x27;s <i>so</i>',
  }

  expect(postOfHit(hit, 'show')).toEqual({
    platform: 'newsboard',
    forumId: '23734093',
    subforum: 'show',
    title: 'A title',
    body: "It's so",
    permalink: 'https://news.ycombinator.com/item?id=23734093',
    url: 'https://example.test/#/a',
    score: 848,
    numComments: 157,
    createdAt: 1_593_888_188_000,
    author: 'fanf2',
  })
})

test.each([
  { what: 'an id', change: { objectID: undefined } },
  { what: 'a title', change: { title: undefined } },
  { what: 'a time', change: { created_at_i: undefined } },
])('a hit without $what is no post', ({ change }) => {
  expect(postOfHit({ ...HIT, ...change }, 'new')).toBeNull()
})

test('nulls and wrong types in a hit count as absent', () => {
  const answer = SearchAnswer.parse({ hits: [{ ...HIT, url: null, points: '3', author: 4 }, null] })

  expect(answer.hits.map((hit) => postOfHit(hit, 'new'))).toMatchObject([
    { forumId: '23734093', url: null, score: null, author: '[deleted]' },
    null,
  ])
})
