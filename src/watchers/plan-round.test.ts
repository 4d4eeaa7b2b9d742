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

test('all go on together from the cursor', () => {
  const watches = [watch('a', 1), watch('b', 2)]
  expect(planOf(watches, 'c')).toEqual({
    served: watches,
    fromStart: false,
    cursor: 'c',
    everybody: true,
  })
})

test('on a channel that nobody has read, all begin together', () => {
  const watches = [watch('a', null), watch('b', null)]
  expect(planOf(watches, null)).toMatchObject({ served: watches, fromStart: true, everybody: true })
})

test('who comes later has a round of their own, and the cursor stays where it is', () => {
  const [old, fresh] = [watch('a', 1), watch('b', null)]
  expect(planOf([old, fresh], 'c')).toMatchObject({
    served: [fresh],
    fromStart: true,
    everybody: false,
  })
})
