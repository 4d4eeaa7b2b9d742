import type { Platform } from '../contract/platform.ts'
import type { EngineName } from '../db/database.ts'
import type { Wanted } from './wanted.ts'

export interface WatchedChannel {
  platform: Platform
  /** Its name in lower case, and as people write it. */
  channel: string
  subforum: string
}

/** What is to be found, where. */
export interface Finding {
  engine: EngineName
  organizationId: string
  wanted: Wanted
  /** The watcher that is named, with its channels. */
  watch: { id: string; channels: readonly WatchedChannel[] } | null
  /** What a search is for, in lower case: excerpts show it. */
  shownTerm: string | null
}
