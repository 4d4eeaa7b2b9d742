import { crawlLog } from '../logger.ts'
import type { Sources } from '../sources/registry.ts'
import { SourceError, type Fetched } from '../sources/source.ts'
import type { ChannelId } from '../watchers/watch-store.ts'

export type FetchOutcome =
  | { kind: 'fetched'; fetched: Fetched }
  | { kind: 'failed'; message: string; retryAfterMs: number | null }

interface FetchTerms extends ChannelId {
  cursor: string | null
  fromStart: boolean
  signal: AbortSignal
}

/** A platform that cannot be read is an outcome: it becomes a run that says why. */
export async function fetchChannel(sources: Sources, terms: FetchTerms): Promise<FetchOutcome> {
  const { platform, channel, cursor, fromStart, signal } = terms
  try {
    const fetched = await sources.of(platform).fetchNew({ channel, cursor, fromStart, signal })
    return { kind: 'fetched', fetched }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof SourceError) {
      return { kind: 'failed', message: error.message, retryAfterMs: error.retryAfterMs }
    }
    crawlLog.error({ platform, channel, err: error }, 'a channel could not be read')
    const message = 'Something went wrong on our side while the channel was read.'
    return { kind: 'failed', message, retryAfterMs: null }
  }
}
