// Only the fields we use: each further one is a way for the platform's next release to break us. What
// is missing or of another type becomes null, so that one odd post does not hide the other ninety-nine.

import { z } from 'zod'

const text = z.string().nullish().catch(null).transform(orNull)
const count = z.int().nullish().catch(null).transform(orNull)
const flag = z.boolean().nullish().catch(null).transform(orNull)

export const Submission = z.object({
  id: text,
  title: text,
  created_utc: z.number().nullish().catch(null).transform(orNull),
  subreddit: text,
  author: text,
  selftext: text,
  permalink: text,
  url: text,
  is_self: flag,
  score: count,
  num_comments: count,
  removed_by_category: z.unknown().optional(),
})
export type Submission = z.infer<typeof Submission>

const Child = z.object({ kind: z.string(), data: z.looseObject({}) })

export const Listing = z.object({
  kind: z.literal('Listing'),
  data: z.object({
    children: z.array(Child.nullable().catch(null)),
    after: text,
  }),
})
export type Listing = z.infer<typeof Listing>

export const Token = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})

function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null
}
