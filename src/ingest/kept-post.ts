import type { Post } from '../sources/post.ts'

export interface PostMatch {
  watcherId: string
  ruleIndex: number
  term: string | null
  field: string | null
  position: number | null
  tags: readonly string[]
}

export interface KeepTerms {
  organizationId: string
  posts: readonly Post[]
  /** Where they were seen; null when that is not known, as of an import. */
  channel: string | null
  /** What this organization's rules say of a post. */
  matchesOf(post: Post): readonly PostMatch[]
  now: number
  /** Seen on its platform just now: a record that was removed there is there again. */
  live: boolean
  /** Only brings up to date what the organization has. */
  onlyKnown?: boolean
}

export interface Kept {
  /** Records the organization did not have. */
  added: number
  /** Those it had, changed or not. */
  known: number
}

/** A post and its record. */
export interface PlacedPost {
  post: Post
  key: number
  /** The record's own channel. */
  channel: string
  matches: readonly PostMatch[]
}

/** Only a term that was found is a keyword match that somebody could judge. */
export function verificationOf(matches: readonly PostMatch[]): 'clear' | 'pending' {
  return matches.some(({ term }) => term !== null) ? 'pending' : 'clear'
}

/** What makes two posts the same. */
export function identity({ platform, forumId }: Pick<Post, 'platform' | 'forumId'>): string {
  return `${platform}/${forumId}`
}
