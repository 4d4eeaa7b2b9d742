import { z } from 'zod'
import { Instant } from './fields.ts'
import { Platform } from './platform.ts'

const INTENTS = [
  'BUYING',
  'COMPARING',
  'ASKING',
  'COMPLAINING',
  'PROMOTING',
  'HIRING',
  'DISCUSSING',
] as const

const VERIFICATIONS = ['confirmed', 'coincidental', 'pending', 'clear'] as const

export const Record = z
  .strictObject({
    id: z.string().startsWith('rec_'),
    platform: Platform,
    forumId: z.string().describe('External id of the post on its platform.'),
    subforum: z.string().describe('Channel name of the post.'),
    title: z.string(),
    permalink: z.url().describe('The post on its platform.'),
    url: z.url().nullable().describe('External link of the post; null when it has none.'),
    score: z
      .number()
      .describe('Net upvotes; may be 0 for a recent post until it is looked at again.'),
    numComments: z
      .number()
      .describe('Comments; may be 0 for a recent post until it is looked at again.'),
    forumCreatedAt: Instant.describe('When the post was made.'),
    author: z.string(),
    hasLink: z.boolean().describe('Whether the post has an external link.'),
    tags: z
      .array(z.string())
      .describe('Tags of the organization, from rules and from people; sorted.'),
    matched: z.boolean().describe('Whether the rules of a watcher matched it.'),
    intent: z.enum(INTENTS),
    snippet: z
      .string()
      .describe('At most 240 characters of the text; ends with `…` when it is cut.'),
    verification: z
      .enum(VERIFICATIONS)
      .describe('Whether the keyword match was judged; `clear` when there is none to judge.'),
  })
  .meta({
    id: 'Record',
    description: 'A post as the organization keeps it.',
    example: {
      id: 'rec_01k9z3v5q8r2t4w6y8a0c2e4g6',
      platform: 'forum',
      forumId: '1oq3k9x',
      subforum: 'selfhosted',
      title: 'Which backup tool would you buy today?',
      permalink: 'https://www.reddit.com/r/selfhosted/comments/1oq3k9x/',
      url: null,
      score: 42,
      numComments: 17,
      forumCreatedAt: '2026-11-01T09:30:00.000Z',
      author: 'somebody',
      hasLink: false,
      tags: ['backup'],
      matched: true,
      intent: 'BUYING',
      snippet: 'I have two servers at home and would like to pay somebody to keep…',
      verification: 'confirmed',
    },
  })
export type Record = z.infer<typeof Record>

/** What has no next page has null. */
export const NextCursor = z
  .string()
  .nullable()
  .describe('Give it back as `cursor` for the next page; null on the last.')
