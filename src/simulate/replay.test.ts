import { expect, test } from 'vitest'
import type { NewPost } from './post.ts'
import { Replay } from './replay.ts'

const writtenAt = (title: string, forumCreatedAt: string): NewPost => ({
  platform: 'forum',
  subforum: 'selfhosted',
  title,
  forumCreatedAt,
})

const POSTS = [
  writtenAt('second', '2013-01-01T00:01:00Z'),
  writtenAt('third', '2013-01-01T00:05:00Z'),
  writtenAt('first', '2013-01-01T00:00:00Z'),
]

const titlesOf = (posts: readonly NewPost[]) => posts.map(({ title }) => title)

test('posts come in the order they were written, as if written now, and once', () => {
  const replay = new Replay(POSTS)

  const taken = [replay.take(2), replay.take(2), replay.take(2)]

  expect(taken.map(titlesOf)).toEqual([['first', 'second'], ['third'], []])
  expect(taken.flat().every((post) => post.forumCreatedAt === undefined)).toBe(true)
})

test('in their own rhythm they come as long after the first as they did', () => {
  const replay = new Replay(POSTS)

  const taken = [0, 59_999, 60_000, 300_000].map((elapsedMs) => replay.takeUntil(elapsedMs))

  expect(taken.map(titlesOf)).toEqual([['first'], [], ['second'], ['third']])
})

test('an empty file has nothing to replay', () => {
  expect(new Replay([]).takeUntil(1)).toEqual([])
})
