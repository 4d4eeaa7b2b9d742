import { channelKey } from '../contract/platform.ts'
import type { Db } from '../db/database.ts'
import { channelNames } from './channel-store.ts'
import type { Finding } from './finding.ts'

/** The names of the organization's channels that a search covers, each once, sorted. */
export async function coveredChannels(db: Db, finding: Finding): Promise<string[]> {
  const named = finding.watch === null ? await channelNames(db, finding) : ofWatcher(finding)
  return [...new Map(named.map((name) => [channelKey(name), name])).values()].sort()
}

function ofWatcher({ wanted, watch }: Finding): string[] {
  const { platforms, channels } = wanted
  return (watch?.channels ?? [])
    .filter(({ platform }) => platforms.length === 0 || platforms.includes(platform))
    .filter(({ channel }) => channels.length === 0 || channels.includes(channel))
    .map(({ subforum }) => subforum)
}
