import { NEWSBOARD_CHANNELS, type NewsboardChannel } from '../../contract/platform.ts'
import { SourceError } from '../source.ts'

export interface List {
  channel: NewsboardChannel
  path: string
  /** How many ids the list holds at most: when it is full, older ones have left it. */
  capacity: number
  /** What the search API calls the posts of this list. */
  tag: string
  /** A ranking has no order in time, so that nothing can be missing between two looks at it. */
  isRanking: boolean
}

const LISTS: Record<NewsboardChannel, Omit<List, 'channel'>> = {
  new: { path: '/v0/newstories.json', capacity: 500, tag: 'story', isRanking: false },
  top: { path: '/v0/topstories.json', capacity: 500, tag: 'front_page', isRanking: true },
  ask: { path: '/v0/askstories.json', capacity: 200, tag: 'ask_hn', isRanking: false },
  show: { path: '/v0/showstories.json', capacity: 200, tag: 'show_hn', isRanking: false },
  job: { path: '/v0/jobstories.json', capacity: 200, tag: 'job', isRanking: false },
}

export function listOf(name: string): List {
  const channel = NEWSBOARD_CHANNELS.find((known) => known === name)
  if (channel !== undefined) return { channel, ...LISTS[channel] }
  const names = NEWSBOARD_CHANNELS.join(', ')
  throw new SourceError('not_found', `The newsboard has no list "${name}", only ${names}.`)
}
