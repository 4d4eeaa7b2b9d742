import { expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import { newest, World } from './world.ts'

const aWorld = (mostPosts = 100) => new World({ startedAt: NOON, mostPosts })

function idsOf(world: World, channel = 'selfhosted'): string[] {
  return newest(world.forumChannel(channel)?.posts ?? [], 100).map(({ forumId }) => forumId)
}

test('a channel is newest first by the time of its posts, however they came', () => {
  const world = aWorld()

  for (const [forumId, age] of Object.entries({ a: 3, b: 1, c: 2, d: 1 })) {
    world.add(aPost({ forumId }, { createdAt: NOON - age * 1_000 }), NOON)
  }

  expect(idsOf(world)).toEqual(['d', 'b', 'c', 'a'])
})

test('a channel is one, however its name is written, and keeps the first spelling', () => {
  const world = aWorld()

  world.add(aPost({ forumId: 'a', subforum: 'SelfHosted' }), NOON)
  world.add(aPost({ forumId: 'b', subforum: 'r/selfhosted' }), NOON)

  expect(world.forumChannel('SELFHOSTED')).toMatchObject({ name: 'SelfHosted' })
  expect(idsOf(world)).toEqual(['b', 'a'])
})

test('an id is taken once on each platform', () => {
  const world = aWorld()

  expect(world.add(aPost({ forumId: '7' }), NOON)).toBe(true)
  expect(world.add(aPost({ forumId: '7' }), NOON)).toBe(false)
  expect(world.add(aPost({ platform: 'newsboard', forumId: '7' }), NOON)).toBe(true)
})

test('beyond its bounds it drops the post that came first', () => {
  const world = aWorld(2)

  for (const forumId of ['a', 'b', 'c']) world.add(aPost({ forumId }), NOON)

  expect(idsOf(world)).toEqual(['c', 'b'])
  expect(world.get('forum', 'a')).toBeUndefined()
  expect(world.size).toBe(2)
  expect(world.everVisible.idsIn('forum/selfhosted')).toEqual(['a', 'b', 'c'])
})

test('a removed post is known, but in no list', () => {
  const world = aWorld()
  const post = aPost({ forumId: 'a' })
  world.add(post, NOON)

  world.remove(post, 'moderator', NOON + 5)

  expect(idsOf(world)).toEqual([])
  expect(world.get('forum', 'a')?.removal).toBe('moderator')
  expect(world.forumChannel('selfhosted')?.changedAt).toBe(NOON + 5)
})

test('a comment is a kid of its story and in no list', () => {
  const world = aWorld()
  const comment = { platform: 'newsboard', kind: 'comment', parent: '7', title: '' } as const
  world.add(aPost({ platform: 'newsboard', forumId: '7' }), NOON)

  world.add(aPost({ ...comment, forumId: '8' }), NOON)

  expect(world.get('newsboard', '7')?.kids).toEqual(['8'])
  expect(world.newsboard.posts.map(({ forumId }) => forumId)).toEqual(['7'])
})

test('numbers go on from the highest that was given', () => {
  const world = aWorld()
  const given = world.lastId + 1_000

  world.add(aPost({ platform: 'newsboard', forumId: String(given) }), NOON)

  expect(world.nextId('newsboard')).toBe(String(given + 1))
  expect(world.nextId('forum')).toBe((given + 2).toString(36))
})

test('what changed on the newsboard is told, the last first, only so much of it', () => {
  const world = aWorld(1_000)
  const first = aPost({ platform: 'newsboard', forumId: '1' })
  world.add(first, NOON)
  for (let id = 2; id <= 150; id += 1) {
    world.add(aPost({ platform: 'newsboard', forumId: String(id) }), NOON)
  }

  world.setFigures(first, { score: 9, numComments: 3 })

  expect(world.changedItems.slice(0, 2).map(({ forumId }) => forumId)).toEqual(['1', '150'])
  expect(world.changedItems).toHaveLength(100)
})
