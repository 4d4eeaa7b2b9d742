import { expect, test } from 'vitest'
import { matchChanges, orphanedTags } from './match-changes.ts'

const row = (recordKey: number, tags: string[] = []) => ({
  recordKey,
  watcherId: 'wat_1',
  ruleIndex: 0,
  term: 'cat',
  field: 'title',
  position: 0,
  tags,
})

test('tells what comes, what stays and what goes', () => {
  const { recordKey: _one, ...match } = row(0, ['new'])
  const after = new Map([
    [1, match],
    [3, match],
  ])

  const changes = matchChanges([row(1), row(2)], after)

  expect(changes.added).toEqual([row(3, ['new'])])
  expect(changes.kept).toEqual([row(1, ['new'])])
  expect(changes.dropped).toEqual([row(2)])
})

test('a tag is orphaned when no match of the record gives it any more', () => {
  const before = [row(1, ['a', 'b']), row(2, ['a'])]
  const remaining = [{ ...row(1, ['b']), watcherId: 'wat_2' }]
  expect(orphanedTags(before, remaining)).toEqual([
    { recordKey: 1, tag: 'a' },
    { recordKey: 2, tag: 'a' },
  ])
})
