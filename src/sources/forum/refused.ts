import { SourceError } from '../source.ts'

/** A channel's refusal in words that name the channel; everything else as it is. */
export function inWordsOf(channel: string, error: unknown): unknown {
  if (!(error instanceof SourceError)) return error
  if (error.failure === 'not_found') {
    const message = `There is no forum channel r/${channel}, or it is gone.`
    return new SourceError('not_found', message, { cause: error })
  }
  if (error.failure === 'forbidden') {
    const message = `The forum does not let us read r/${channel}: it is private, quarantined or banned.`
    return new SourceError('forbidden', message, { cause: error })
  }
  return error
}

/** Where the platform sends those who ask for a channel that does not exist. */
export function isChannelSearch(target: URL): boolean {
  return /\/subreddits\/search\/?(?:\.json)?$/.test(target.pathname)
}
