import { z } from 'zod'

export const PLATFORMS = ['forum', 'newsboard'] as const
export const Platform = z.enum(PLATFORMS, { error: 'must be forum or newsboard' })
export type Platform = z.infer<typeof Platform>

/** The lists of the newsboard that can be watched. */
export const NEWSBOARD_CHANNELS = ['new', 'top', 'ask', 'show', 'job'] as const
export type NewsboardChannel = (typeof NEWSBOARD_CHANNELS)[number]

/** How a channel's name is compared: `r/Programming`, `programming` and `PROGRAMMING` are one. */
export function channelKey(subforum: string): string {
  return subforum
    .trim()
    .replace(/^\/?r\//i, '')
    .toLowerCase()
}
