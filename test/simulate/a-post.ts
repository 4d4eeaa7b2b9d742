import { NewPost, worldPost, type WorldPost } from '#src/simulate/post.ts'

export const NOON = Date.UTC(2026, 5, 1, 12)

/** A valid post of the world; a test names only what it is about. */
export function aPost(
  given: Partial<NewPost> = {},
  state: Partial<Pick<WorldPost, 'createdAt' | 'removal' | 'grows' | 'kids'>> = {},
): WorldPost {
  const parsed = NewPost.parse({
    platform: 'forum',
    subforum: 'selfhosted',
    title: 'A title',
    ...given,
  })
  return { ...worldPost(parsed, { forumId: '1', createdAt: NOON }), ...state }
}

/** Newest first, as a listing has them: the last has the id 1. */
export function aListing(length: number): WorldPost[] {
  return Array.from({ length }, (_, index) =>
    aPost({ forumId: (length - index).toString(36) }, { createdAt: NOON - index * 1_000 }),
  )
}
