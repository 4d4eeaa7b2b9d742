import { expect, test } from 'vitest'
import type { Material } from '../events/material-store.ts'
import { Lane, type Ready } from './lane.ts'

const LIMITS = { concurrency: 10, pace: null }

test('an empty lane takes as many as may be under way', () => {
  expect(new Lane(LIMITS, 0, 0).wanted(0, 0)).toBe(10)
})

test('no more are under way than may be', () => {
  const lane = filled(new Lane(LIMITS, 0, 0), 12, 0)

  expect(begun(lane)).toBe(10)
  expect(lane.underWay).toBe(10)
})

test('it asks for more only when half of it is free', () => {
  const lane = filled(new Lane(LIMITS, 0, 0), 10, 0)
  begun(lane)
  // The ends of another time: what is taken ahead does not matter here.
  for (let i = 0; i < 4; i += 1) lane.end(0)
  expect(lane.wanted(1_000, 1_000)).toBe(0)

  lane.end(0)
  expect(lane.wanted(2_000, 2_000)).toBe(5)
})

test('it has at hand half of what ended in the last quarter of a second', () => {
  const lane = filled(new Lane(LIMITS, 0, 0), 40, 0)
  for (let i = 0; i < 30; i += 1) {
    lane.begin(0)
    lane.end(100)
  }
  begun(lane)

  expect(lane.wanted(110, 110)).toBe(15)
  expect(lane.wanted(1_000, 1_000)).toBe(0)
})

test('it takes no more than its pace allows', () => {
  const lane = new Lane({ concurrency: 10, pace: { perMinute: 60, burst: 3 } }, 0, 0)
  expect(lane.wanted(0, 0)).toBe(3)

  filled(lane, 3, 0)
  expect(lane.wanted(0, 0)).toBe(0)
  expect(lane.wanted(2_000, 2_000)).toBe(2)
})

test('what has waited for a quarter of a second is not sent, but taken out, all of it', () => {
  const lane = filled(new Lane(LIMITS, 0, 0), 12, 0)
  begun(lane)

  lane.end(0)

  expect(lane.takeStale(249)).toEqual([])
  expect(lane.begin(250)).toBeUndefined()
  expect(lane.takeStale(250)).toHaveLength(2)
})

test('it is fresh when it remembers nothing: no attempt, no rate, no spent pace', () => {
  const lane = new Lane({ concurrency: 1, pace: { perMinute: 60, burst: 1 } }, 0, 0)
  expect(lane.isFresh(0, 0)).toBe(true)

  filled(lane, 1, 0)
  begun(lane)
  expect(lane.isFresh(10_000, 10_000)).toBe(false)
  lane.end(10_000)
  expect(lane.isFresh(10_000, 10_000)).toBe(false)
  expect(lane.isFresh(20_000, 20_000)).toBe(true)
})

function filled(lane: Lane, count: number, since: number): Lane {
  for (let i = 0; i < count; i += 1) lane.add(ready(i, since), since)
  return lane
}

function begun(lane: Lane): number {
  let count = 0
  while (lane.begin(0) !== undefined) count += 1
  return count
}

function ready(index: number, since: number): Ready {
  const claimed = {
    organizationId: 'org_1',
    id: `dlv_${index}`,
    webhookId: 'whk_1',
    eventId: `evt_${index}`,
    kind: 'alert.fired' as const,
    isTest: false,
    number: 1,
    tries: 0,
    waitMs: 0,
  }
  const material: Material = {
    deliveryId: claimed.id,
    url: 'https://example.com/',
    enabled: true,
    body: '{}',
    secret: '',
    previousSecret: null,
    previousSecretUntil: null,
  }
  return { claimed, material, since }
}
