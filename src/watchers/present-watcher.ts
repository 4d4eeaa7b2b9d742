import type { Channel } from '../contract/watcher.ts'
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts'
import { healthOf } from './channel-state.ts'
import type { ChannelGap, ChannelState } from './channel-store.ts'
import type { Watcher } from './watcher-store.ts'

export function presentWatcher(watcher: Watcher, channels: readonly Channel[]) {
  return {
    id: watcher.id,
    name: watcher.name,
    enabled: watcher.enabled,
    intervalSeconds: watcher.intervalSeconds,
    channels: channels.map(({ platform, subforum }) => ({ platform, subforum })),
    rules: watcher.rules,
    brief: watcher.brief,
    createdAt: isoTime(watcher.createdAt),
  }
}

/** How a channel is: when it was read, why it cannot be, since when, and what was missed. */
export function presentHealth(
  { platform, subforum }: Channel,
  state: ChannelState,
  gaps: readonly ChannelGap[],
) {
  return {
    platform,
    subforum,
    health: healthOf(state),
    fetchedAt: isoTimeOrNull(state.fetchedAt),
    failures: state.failures,
    failingSince: isoTimeOrNull(state.failingSince),
    lastError: state.lastError,
    gaps: gaps.map(({ fromAt, toAt, reason }) => ({
      from: isoTime(fromAt),
      to: isoTime(toAt),
      reason,
    })),
  }
}
