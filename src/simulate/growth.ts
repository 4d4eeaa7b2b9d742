import { hours } from '../lib/duration.ts'
import type { WorldPost } from './post.ts'

export interface Figures {
  score: number
  numComments: number
}

/** After this long a post has got two thirds of what it will ever get. */
const MATURES_MS = hours(6)

/** Every post starts with its author's own vote and no comment. */
export function figuresAt(post: WorldPost, now: number): Figures {
  const { score, numComments, grows, createdAt } = post
  if (!grows) return { score, numComments }

  const share = 1 - Math.exp(-Math.max(0, now - createdAt) / MATURES_MS)
  return {
    score: Math.round(1 + (score - 1) * share),
    numComments: Math.round(numComments * share),
  }
}
