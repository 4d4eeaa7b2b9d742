import { channelKey } from '../contract/platform.ts'
import type { Db } from '../db/database.ts'
import { fromJsonText } from '../db/codecs.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { channelNames } from './channel-store.ts'
import type { Finding } from './finding.ts'

/** There may be thousands, hardly ever others than the last time: sorting them is done once. */
const ORGANIZATIONS_KEPT = 100
const sorted = new BoundedMap<string, { text: string; names: string[] }>(ORGANIZATIONS_KEPT)

/** The names of the organization's channels that a search covers, each once, sorted. */
export async function coveredChannels(db: Db, finding: Finding): Promise<string[]> {
  if (finding.watch !== null) return onceAndSorted(ofWatcher(finding))
  const text = await channelNames(db, finding)
  const known = sorted.get(finding.organizationId)
  if (known?.text === text) return known.names
  const names = onceAndSorted(fromJsonText(text))
  sorted.set(finding.organizationId, { text, names })
  return names
}

function onceAndSorted(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [channelKey(name), name])).values()].sort()
}

function ofWatcher({ wanted, watch }: Finding): string[] {
  const { platforms, channels } = wanted
  return (watch?.channels ?? [])
    .filter(({ platform }) => platforms.length === 0 || platforms.includes(platform))
    .filter(({ channel }) => channels.length === 0 || channels.includes(channel))
    .map(({ subforum }) => subforum)
}
