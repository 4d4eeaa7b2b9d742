import { describe, expect, test } from 'vitest'
import { hours, seconds } from '../lib/duration.ts'
import { settle, type Attempted, type Claimed, type Outcome, type Standing } from './delivery.ts'

const NOW = 1_763_000_000_000
const TERMS = { now: NOW, random: () => 0 }

const FRESH: Standing = {
  enabled: true,
  disabledReason: null,
  consecutiveFailures: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
}

describe('a delivery after an attempt', () => {
  test.each([
    { tries: 0, ok: true, state: 'delivered', dueAt: null },
    { tries: 9, ok: true, state: 'delivered', dueAt: null },
    { tries: 0, ok: false, state: 'retrying', dueAt: NOW + seconds(5) },
    { tries: 1, ok: false, state: 'retrying', dueAt: NOW + seconds(30) },
    { tries: 8, ok: false, state: 'retrying', dueAt: NOW + hours(20) },
    { tries: 9, ok: false, state: 'failed', dueAt: null },
  ])('with $tries failures before, and this one ok: $ok, is $state', ({ tries, ok, ...then }) => {
    const { settled } = settle(FRESH, [attempted({ tries }, { ok })], TERMS)

    expect(settled).toMatchObject([{ ...then, tries: ok ? tries : tries + 1 }])
  })

  test('of a webhook that was disabled meanwhile is held, unless it arrived or was the last', () => {
    const disabled = { ...FRESH, enabled: false, disabledReason: 'Disabled by hand' }
    const attempts = [
      attempted({}, { ok: false }),
      attempted({}, { ok: true }),
      attempted({ tries: 9 }, { ok: false }),
    ]

    const { settled } = settle(disabled, attempts, TERMS)

    expect(settled).toMatchObject([
      { state: 'held', dueAt: null },
      { state: 'delivered', dueAt: null },
      { state: 'failed', dueAt: null },
    ])
  })

  test('keeps how long it waits, so that the next wait is longer', () => {
    const wish = attempted({ tries: 0 }, { ok: false, retryAfterMs: hours(3) })
    const [first] = settle(FRESH, [wish], TERMS).settled
    const next = attempted({ tries: 1, waitMs: first?.waitMs ?? 0 }, { ok: false })

    const [second] = settle(FRESH, [next], TERMS).settled

    expect(first).toMatchObject({ waitMs: hours(3), dueAt: NOW + hours(3) })
    expect(second).toMatchObject({ waitMs: hours(3) + 1, dueAt: NOW + hours(3) + 1 })
  })

  test.each([
    { ok: true, state: 'delivered' },
    { ok: false, state: 'failed' },
  ])('that was a test is never tried again: ok $ok is $state', ({ ok, state }) => {
    const { settled } = settle(FRESH, [attempted({ isTest: true }, { ok })], TERMS)

    expect(settled).toMatchObject([{ state, dueAt: null }])
  })
})

describe('a webhook after attempts', () => {
  test('counts failures one after the other, and tells when the last ended', () => {
    const { standing } = settle(FRESH, times(3, { ok: false }), TERMS)

    expect(standing).toEqual({ ...FRESH, consecutiveFailures: 3, lastFailureAt: NOW + 40 })
  })

  test('begins to count again after a success', () => {
    const attempts = [...times(19, { ok: false }), attempted({}), ...times(19, { ok: false })]

    const { standing } = settle(FRESH, attempts, TERMS)

    expect(standing).toEqual({
      ...FRESH,
      consecutiveFailures: 19,
      lastSuccessAt: NOW + 40,
      lastFailureAt: NOW + 40,
    })
  })

  test.each([
    { failures: 19, enabled: true, disabledReason: null },
    {
      failures: 20,
      enabled: false,
      disabledReason: '20 consecutive failures; last: HTTP 503',
    },
  ])('with $failures failures in a row is enabled: $enabled', ({ failures, ...then }) => {
    const { standing } = settle(FRESH, times(failures, { ok: false }), TERMS)

    expect(standing).toMatchObject(then)
  })

  test('that the twentieth failure disables waits for nothing that fails with it or after it', () => {
    const almost = { ...FRESH, consecutiveFailures: 18 }

    const { standing, settled } = settle(almost, times(4, { ok: false }), TERMS)

    expect(standing).toMatchObject({
      enabled: false,
      disabledReason: '20 consecutive failures; last: HTTP 503',
    })
    expect(settled.map(({ state }) => state)).toEqual(['retrying', 'held', 'held', 'held'])
  })

  test('says what the last failure was in its own words', () => {
    const last = attempted({}, { ok: false, status: null, error: 'No complete answer within 15 s' })

    const { standing } = settle({ ...FRESH, consecutiveFailures: 19 }, [last], TERMS)

    expect(standing.disabledReason).toBe(
      '20 consecutive failures; last: No complete answer within 15 s',
    )
  })

  test('that is disabled keeps its reason, whatever still fails or arrives', () => {
    const disabled = { ...FRESH, enabled: false, disabledReason: 'Disabled by hand' }
    const attempts = [...times(25, { ok: false }), attempted({})]

    const { standing } = settle(disabled, attempts, TERMS)

    expect(standing).toMatchObject({ enabled: false, disabledReason: 'Disabled by hand' })
  })

  test('does not learn anything from tests', () => {
    const before = { ...FRESH, consecutiveFailures: 19 }
    const attempts = [
      attempted({ isTest: true }, { ok: false }),
      attempted({ isTest: true }, { ok: true }),
    ]

    expect(settle(before, attempts, TERMS).standing).toEqual(before)
  })
})

function times(count: number, outcome: Partial<Outcome>): Attempted[] {
  return Array.from({ length: count }, () => attempted({}, outcome))
}

function attempted(claimed: Partial<Claimed>, outcome: Partial<Outcome> = {}): Attempted {
  const { ok = true } = outcome
  return {
    claimed: {
      organizationId: 'org_1',
      id: 'dlv_1',
      webhookId: 'whk_1',
      eventId: 'evt_1',
      kind: 'crawl.run.completed',
      isTest: false,
      number: 1,
      tries: 0,
      waitMs: 0,
      ...claimed,
    },
    outcome: {
      ok,
      status: ok ? 200 : 503,
      error: ok ? null : 'HTTP 503',
      snippet: '',
      retryAfterMs: null,
      startedAt: NOW,
      durationMs: 40,
      ...outcome,
    },
  }
}
