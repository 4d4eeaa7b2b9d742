import type { Command } from 'commander'
import type { App } from '../app.ts'
import { channelState, gapsOf } from '../watchers/channel-store.ts'
import { channelIdOf } from '../watchers/create-watcher.ts'
import { expectWatcher } from '../watchers/expect-watcher.ts'
import { presentHealth, presentWatcher } from '../watchers/present-watcher.ts'
import { channelsOf, type WatcherKey } from '../watchers/watcher-store.ts'
import { withApp } from './command.ts'
import { findWatcher } from './find-watcher.ts'

const GAPS_SHOWN = 20

export function addWatchersShow(watchers: Command): void {
  watchers
    .command('show')
    .argument('<id>', 'the watcher')
    .description('a watcher, its rules, and how its channels are')
    .action(
      withApp(async (app, _options, [id = '']) => {
        const report = await shown(app, await findWatcher(app, id))
        return { report, text: textOf(report) }
      }),
    )
}

type Shown = Awaited<ReturnType<typeof shown>>

async function shown({ db }: App, key: WatcherKey) {
  const watcher = await expectWatcher(db, key)
  const channels = await channelsOf(db, key)
  const health = await Promise.all(
    channels.map(async (channel) => {
      const id = channelIdOf(channel)
      return presentHealth(channel, await channelState(db, id), await gapsOf(db, id, GAPS_SHOWN))
    }),
  )
  return { ...presentWatcher(watcher, channels), health }
}

function textOf({ id, name, enabled, intervalSeconds, brief, rules, health }: Shown): string {
  const lines = [
    `${name} (${id}), ${enabled ? `every ${intervalSeconds} s` : 'paused'}`,
    ...(brief === null ? [] : [brief]),
    '',
    ...health.flatMap(healthLines),
    '',
    ...(rules.length === 0
      ? ['No rules: every post becomes a record, none is matched.']
      : rules.map((rule, index) => `rule ${index}: ${JSON.stringify(rule)}`)),
  ]
  return lines.join('\n')
}

function healthLines(channel: Shown['health'][number]): string[] {
  const { platform, subforum, health, fetchedAt, failingSince, lastError, gaps } = channel
  const state =
    failingSince === null
      ? `read ${fetchedAt ?? 'not yet'}`
      : `${health} since ${failingSince}: ${lastError}`
  return [
    `${platform}/${subforum}: ${state}`,
    ...gaps.map(({ from, to, reason }) => `  missed ${from} to ${to}: ${reason}`),
  ]
}
