// One line of an import: a post as other programs write it.

import { z } from 'zod'
import { webAddress } from '../lib/web-address.ts'
import { Platform } from './platform.ts'

const ID_MAX = 200
const NAME_MAX = 100
const ADDRESS_MAX = 4_096

const Count = z
  .number()
  .min(-Number.MAX_SAFE_INTEGER)
  .max(Number.MAX_SAFE_INTEGER)
  .transform(Math.trunc)
  .nullish()
  .transform((count) => count ?? null)

/** What somebody wrote into a link field need not be an address: then the post has no link. */
const Link = z
  .string()
  .nullish()
  .transform((url) => ((url?.length ?? 0) > ADDRESS_MAX ? null : webAddress(url)))

export const PostLine = z.object({
  platform: Platform,
  forumId: z.string().trim().min(1).max(ID_MAX),
  subforum: z.string().trim().min(1).max(NAME_MAX),
  title: z.string(),
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ''),
  permalink: z
    .string()
    .max(ADDRESS_MAX)
    .transform((text, context) => {
      const address = webAddress(text)
      if (address === null) context.addIssue('must be an http or https address')
      return address ?? z.NEVER
    }),
  url: Link,
  score: Count,
  numComments: Count,
  forumCreatedAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp' })
    .transform((text) => Date.parse(text)),
  author: z
    .string()
    .nullish()
    .transform((author) => author ?? 'unknown'),
})
export type PostLine = z.infer<typeof PostLine>
