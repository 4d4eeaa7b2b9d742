import { z } from 'zod'
import { channelKey, Platform } from '../contract/platform.ts'

/** Who took a post away: the platform's people, or its author. */
export const Removal = z.enum(['moderator', 'deleted'])
export type Removal = z.infer<typeof Removal>

const Kind = z.enum(['story', 'job', 'poll', 'comment'])

/** A post as a file or a test gives it: what it leaves open, the world fills in. */
export const NewPost = z
  .object({
    platform: Platform,
    forumId: z.string().optional(),
    subforum: z.string().min(1),
    title: z.string(),
    body: z.string().default(''),
    permalink: z.string().optional(),
    url: z.string().nullable().default(null),
    author: z.string().min(1).default('somebody'),
    score: z.int().nullish(),
    numComments: z.int().nullish(),
    forumCreatedAt: z.iso.datetime({ offset: true }).optional(),
    /** Newsboard only. Unset: by the channel and the title. */
    kind: Kind.optional(),
    /** The id of what a comment is on. */
    parent: z.string().optional(),
  })
  .refine(({ platform, forumId }) => isIdOf(platform, forumId), {
    path: ['forumId'],
    message: 'must be lower-case base 36 on the forum, a number on the newsboard',
  })
export type NewPost = z.input<typeof NewPost>

export interface WorldPost {
  platform: Platform
  /** Without a type prefix. */
  forumId: string
  subforum: string
  kind: z.infer<typeof Kind>
  title: string
  /** As its author typed it; each platform renders it its own way. */
  body: string
  url: string | null
  author: string
  /** Reached with age when the post grows. */
  score: number
  numComments: number
  grows: boolean
  createdAt: number
  removal: Removal | null
  parent: string | null
  kids: string[]
}

/** What the world decides for a post that does not say it. */
export interface Birth {
  forumId: string
  createdAt: number
}

export function worldPost(given: z.output<typeof NewPost>, birth: Birth): WorldPost {
  const { platform, forumId, forumCreatedAt, title, body, url, author, parent = null } = given
  const subforum = platform === 'forum' ? given.subforum.replace(/^\/?r\//i, '') : sectionOf(given)
  return {
    platform,
    forumId: forumId ?? birth.forumId,
    subforum,
    kind: given.kind ?? (subforum === 'job' && platform === 'newsboard' ? 'job' : 'story'),
    title,
    body,
    url,
    author,
    score: given.score ?? 1,
    numComments: given.numComments ?? 0,
    grows: false,
    createdAt: forumCreatedAt === undefined ? birth.createdAt : Date.parse(forumCreatedAt),
    removal: null,
    parent,
    kids: [],
  }
}

/** The platform itself goes by the title; `top` is no section but a ranking of them all. */
function sectionOf({ subforum, title }: { subforum: string; title: string }): string {
  const named = channelKey(subforum)
  if (named === 'ask' || named === 'show' || named === 'job') return named
  return /^(?<section>ask|show) hn\b/i.exec(title)?.groups?.['section']?.toLowerCase() ?? 'new'
}

function isIdOf(platform: Platform, forumId: string | undefined): boolean {
  if (forumId === undefined) return true
  return (platform === 'forum' ? /^[0-9a-z]{1,13}$/ : /^[1-9]\d{0,14}$/).test(forumId)
}
