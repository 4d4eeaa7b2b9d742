import { versionOf } from '../db/change-store.ts'
import type { Db } from '../db/database.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { compileMatcher, type Matcher } from './rules/matcher.ts'
import { rulesOf, type ChannelId } from './watch-store.ts'

/** Rules of thousands of watchers take a while to compile, and change seldom. */
const MATCHERS_KEPT = 200

interface Kept {
  version: number
  /** What it was compiled from. */
  written: string
  matcher: Matcher
}

/** One compiled matcher per channel, made again when a watcher has changed. */
export class ChannelMatchers {
  readonly #db: Db
  readonly #kept = new BoundedMap<string, Kept>(MATCHERS_KEPT)

  constructor(db: Db) {
    this.#db = db
  }

  async of(channel: ChannelId): Promise<Matcher> {
    const name = `${channel.platform}/${channel.channel}`
    // Read before the rules: a change in between is seen next time.
    const version = await versionOf(this.#db, 'watchers')
    const kept = this.#kept.get(name)
    if (kept?.version === version) return kept.matcher

    const rules = await rulesOf(this.#db, channel)
    const written = JSON.stringify(rules)
    // Most changes are of watchers of other channels.
    const matcher = kept?.written === written ? kept.matcher : compileMatcher(rules)
    this.#kept.set(name, { version, written, matcher })
    return matcher
  }
}
