import { expect, test } from 'vitest'
import { channelOfItem, isRemoved, Item, postOfItem } from './item.ts'

const STORY = { id: 7, type: 'story', title: 'A title', time: 1_175_714_200 }

test('a story with all its fields becomes a post', () => {
  const item = {
    ...STORY,
    by: 'dhouston',
    descendants: 71,
    score: 111,
    text: 'One &amp; two<p>three',
    url: 'http://example.test/a',
  }

  expect(postOfItem(item, 'top')).toEqual({
    platform: 'newsboard',
    forumId: '7',
    subforum: 'top',
    title: 'A title',
    body: expect.stringMatching(/^One & two\s+three$/),
    permalink: 'https://news.ycombinator.com/item?id=7',
    url: 'http://example.test/a',
    score: 111,
    numComments: 71,
    createdAt: 1_175_714_200_000,
    author: 'dhouston',
  })
})

test('what is missing is null, empty or a deleted author, never made up', () => {
  expect(postOfItem(STORY, 'new')).toMatchObject({
    body: '',
    url: null,
    score: null,
    numComments: null,
    author: '[deleted]',
  })
})

test.each([
  { what: 'no id', change: { id: undefined } },
  { what: 'no time', change: { time: undefined } },
  { what: 'no title', change: { title: undefined } },
  { what: 'a blank title', change: { title: ' ' } },
  { what: 'no type', change: { type: undefined } },
  { what: 'the type comment', change: { type: 'comment' } },
  { what: 'the type pollopt', change: { type: 'pollopt' } },
  { what: 'an unknown type', change: { type: 'hologram' } },
  { what: 'the mark deleted', change: { deleted: true } },
  { what: 'the mark dead', change: { dead: true } },
])('an item with $what is no post', ({ change }) => {
  expect(postOfItem({ ...STORY, ...change }, 'new')).toBeNull()
})

test('fields of a wrong type count as absent and do not spoil the item', () => {
  const item = Item.parse({ ...STORY, time: 'yesterday', score: null, kids: 'x', url: 7 })

  expect(item).toMatchObject({ id: 7, title: 'A title' })
  expect([item?.time, item?.score, item?.url]).toEqual([undefined, undefined, undefined])
})

test('a time beyond the year 9999 is no date', () => {
  expect(Item.parse({ ...STORY, time: 1_175_714_200_000 })?.time).toBeUndefined()
})

test('deleted and dead items are removed ones', () => {
  const items = [STORY, { ...STORY, deleted: true }, { ...STORY, dead: true }]

  expect(items.map((item) => isRemoved(item))).toEqual([false, true, true])
})

test.each([
  { type: 'story', title: 'Ask HN: The Arc Effect', channel: 'ask' },
  { type: 'story', title: 'Show HN: My weekend', channel: 'show' },
  { type: 'story', title: 'How I ask HN: a story', channel: 'new' },
  { type: 'job', title: 'Ask HN: no, we hire', channel: 'job' },
  { type: 'poll', title: 'Poll: which?', channel: 'new' },
])('$type "$title" belongs to $channel', ({ type, title, channel }) => {
  expect(channelOfItem({ ...STORY, type, title })).toBe(channel)
})
