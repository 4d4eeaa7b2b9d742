import { expect, test } from 'vitest'
import { planOf } from './plan-round.ts'

const watch = (watcherId: string, startedAt: number | null) => ({
  organizationId: 'org_1',
  watcherId,
  name: watcherId,
  subforum: 'cats',
  intervalSeconds: 300,
  startedAt,
})

const fine = { cursor: 'c', beginnersNext: true }

test('all go on together from the cursor', () => {
  const watches = [watch('a', 1), watch('b', 2)]
  expect(planOf(watches, fine)).toEqual({
    served: watches,
    fromStart: false,
    cursor: 'c',
    movesCursor: true,
    isForBeginners: false,
  })
})

test('on a channel that nobody has read, all begin together', () => {
  const watches = [watch('a', null), watch('b', null)]
  const begun = { served: watches, fromStart: true, movesCursor: true, isForBeginners: false }
  expect(planOf(watches, { cursor: null, beginnersNext: true })).toMatchObject(begun)
  expect(planOf(watches, fine)).toMatchObject(begun)
})

test('who comes later has a round of their own, and the cursor stays where it is', () => {
  const [old, fresh] = [watch('a', 1), watch('b', null)]
  expect(planOf([old, fresh], fine)).toMatchObject({
    served: [fresh],
    fromStart: true,
    movesCursor: false,
    isForBeginners: true,
  })
})

test('they take turns', () => {
  const [old, fresh] = [watch('a', 1), watch('b', null)]
  expect(planOf([old, fresh], { cursor: 'c', beginnersNext: false })).toMatchObject({
    served: [old],
    fromStart: false,
    movesCursor: true,
    isForBeginners: false,
  })
})
