import { expect, test } from 'vitest'
import { readPostLine } from './read-post-line.ts'

const LINE = {
  platform: 'forum',
  forumId: '16bb5r',
  subforum: 'Cats',
  title: 'A cat',
  body: 'It sleeps.',
  permalink: 'https://forum.example/a',
  url: 'https://example.com/cat.png',
  score: 5,
  numComments: 2,
  forumCreatedAt: '2013-01-10T14:12:43Z',
  author: 'me',
}

const read = (changes: Record<string, unknown>) =>
  readPostLine(JSON.stringify({ ...LINE, ...changes }))

test('a whole line is a post', () => {
  const { forumCreatedAt: _, ...post } = LINE
  expect(read({})).toEqual({
    kind: 'post',
    post: { ...post, createdAt: Date.UTC(2013, 0, 10, 14, 12, 43) },
  })
})

test.each([
  { changes: { body: undefined }, part: { body: '' } },
  { changes: { body: null }, part: { body: '' } },
  { changes: { url: undefined }, part: { url: null } },
  { changes: { url: 'self' }, part: { url: null } },
  { changes: { url: 'javascript:alert(1)' }, part: { url: null } },
  { changes: { score: undefined, numComments: null }, part: { score: null, numComments: null } },
  { changes: { author: undefined }, part: { author: 'unknown' } },
  { changes: { subforum: 'r/Cats' }, part: { subforum: 'Cats' } },
  { changes: { title: ' A\n\u0000cat\u001f ' }, part: { title: 'A cat' } },
  { changes: { body: 'lone \ud800 half' }, part: { body: 'lone \ufffd half' } },
  {
    changes: { forumCreatedAt: '2013-01-10T14:12:43.5+01:00' },
    part: { createdAt: 1357823563500 },
  },
  { changes: { something: 'else' }, part: { title: 'A cat' } },
])('$changes is read as $part', ({ changes, part }) => {
  expect(read(changes)).toMatchObject({ kind: 'post', post: part })
})

test.each([
  { changes: { platform: 'other' }, reason: /^platform: must be forum or newsboard/ },
  { changes: { forumId: '' }, reason: /^forumId: / },
  { changes: { forumId: 5 }, reason: /^forumId: / },
  { changes: { subforum: undefined }, reason: /^subforum: / },
  { changes: { title: ' ' }, reason: /^title: it is empty/ },
  { changes: { permalink: 'ftp://x' }, reason: /^permalink: must be an http or https address/ },
  { changes: { forumCreatedAt: 'yesterday' }, reason: /^forumCreatedAt: must be an ISO 8601/ },
  { changes: { forumCreatedAt: '1969-12-31T23:59:59Z' }, reason: /^forumCreatedAt: must be from/ },
  { changes: { score: 'many' }, reason: /^score: / },
])('$changes is not accepted', ({ changes, reason }) => {
  expect(read(changes)).toEqual({ kind: 'bad', reason: expect.stringMatching(reason) })
})

test.each(['{', '5', '"text"', 'null', '[]'])('%s is no post', (line) => {
  expect(readPostLine(line)).toEqual({ kind: 'bad', reason: 'it is no JSON object' })
})

test('a blank line is nothing, one too long is not accepted', () => {
  expect(readPostLine('  ')).toEqual({ kind: 'blank' })
  expect(readPostLine(null)).toEqual({ kind: 'bad', reason: 'it is too long' })
})
