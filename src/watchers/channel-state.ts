import type { ChannelState } from './channel-store.ts'

/** What is known of a channel after it was read. */
export function afterSuccess(
  before: ChannelState,
  { cursor, beginnersNext }: { cursor: string | null; beginnersNext: boolean },
  now: number,
): ChannelState {
  const fine = { failures: 0, failingSince: null, lastError: null }
  return { ...before, ...fine, cursor, beginnersNext, fetchedAt: now }
}

/** The cursor stays: what was missed is asked for when the channel can be read again. */
export function afterFailure(
  before: ChannelState,
  { error, beginnersNext }: { error: string; beginnersNext: boolean },
  now: number,
): ChannelState {
  return {
    ...before,
    beginnersNext,
    failures: before.failures + 1,
    failingSince: before.failingSince ?? now,
    lastError: error,
  }
}

/** From this many failures in a row a channel counts as broken: it is tried now and then only. */
const FAILURES_UNTIL_BROKEN = 5

export type ChannelHealth = 'ok' | 'failing' | 'broken'

export function healthOf({ failures }: Pick<ChannelState, 'failures'>): ChannelHealth {
  if (failures === 0) return 'ok'
  return failures < FAILURES_UNTIL_BROKEN ? 'failing' : 'broken'
}
