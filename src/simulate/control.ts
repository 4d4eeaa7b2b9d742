// The hand of a test or of a demonstration in the world: make posts appear, change and vanish, let
// answers go wrong, and see what was asked for.

import { z } from 'zod'
import { Platform } from '../contract/platform.ts'
import { Faults } from './faults.ts'
import { figuresAt } from './growth.ts'
import { NewPost, Removal, type WorldPost } from './post.ts'
import { addPost, type Stage } from './stage.ts'
import { CHANNEL_ACCESS } from './world.ts'
import { json, type Asked, type Reply, type Route } from './wire.ts'

const Named = z.strictObject({ platform: Platform, forumId: z.string() })

const Wishes = z.strictObject({
  posts: z.array(NewPost).default([]),
  /** Forum channels that exist, whether or not anybody has posted there. */
  channels: z
    .array(
      z.strictObject({ name: z.string().min(1), access: z.enum(CHANNEL_ACCESS).default('public') }),
    )
    .default([]),
  scores: z
    .array(Named.extend({ score: z.int().optional(), numComments: z.int().optional() }))
    .default([]),
  /** Unset: by a moderator on the forum, by its author on the newsboard. */
  removals: z.array(Named.extend({ by: Removal.optional() })).default([]),
  /** Replaces all that was set: `{}` makes everything right again. */
  faults: Faults.optional(),
  /** Ends every token given so far. */
  revokeTokens: z.boolean().default(false),
})
type Wishes = z.output<typeof Wishes>

export function controlRoutes(stage: Stage): Route[] {
  const path = /^\/_control$/
  return [
    { name: 'control', method: 'GET', path, answer: () => json(200, reportOf(stage)) },
    { name: 'control', method: 'POST', path, answer: (asked) => answerWishes(stage, asked) },
  ]
}

function reportOf({ meter, world }: Stage) {
  return {
    requests: meter.requests,
    faults: meter.faults,
    posts: world.size,
    visible: world.everVisible,
  }
}

function answerWishes(stage: Stage, { headers, body }: Asked): Reply {
  // A page of another site may post text here without asking, but not JSON.
  if (headers['content-type']?.startsWith('application/json') !== true) {
    return json(415, { error: 'Send application/json.' })
  }
  const wishes = Wishes.safeParse(parseJson(body))
  if (!wishes.success) return json(400, { error: z.prettifyError(wishes.error) })

  const missing = [...wishes.data.scores, ...wishes.data.removals].find(
    ({ platform, forumId }) => stage.world.get(platform, forumId) === undefined,
  )
  if (missing !== undefined) {
    return json(404, { error: `There is no ${missing.platform} post ${missing.forumId}.` })
  }
  return json(200, fulfil(stage, wishes.data))
}

function fulfil(stage: Stage, wishes: Wishes): { added: string[] } {
  const { world, tokens, clock } = stage
  for (const { name, access } of wishes.channels) world.openChannel(name, clock()).access = access
  const added = wishes.posts.map((post) => addPost(stage, post))
  for (const wish of wishes.scores) setScore(stage, wish)
  for (const { platform, forumId, by } of wishes.removals) {
    const post = world.get(platform, forumId)
    if (post !== undefined) world.remove(post, by ?? usualRemoval(post), clock())
  }
  if (wishes.faults !== undefined) stage.faults = wishes.faults
  if (wishes.revokeTokens) tokens.revokeAll()
  return { added: added.filter((post) => post !== null).map(({ forumId }) => forumId) }
}

/** What is not set stays as it is seen now. */
function setScore({ world, worldClock }: Stage, wish: Wishes['scores'][number]): void {
  const post = world.get(wish.platform, wish.forumId)
  if (post === undefined) return
  const seen = figuresAt(post, worldClock())
  world.setFigures(post, {
    score: wish.score ?? seen.score,
    numComments: wish.numComments ?? seen.numComments,
  })
}

function usualRemoval({ platform }: WorldPost): Removal {
  return platform === 'forum' ? 'moderator' : 'deleted'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused by the schema
  }
}
