import type { PostState } from '../source.ts'
import type { ForumApi } from './api.ts'
import { PAGE_SIZE } from './page.ts'
import { Submission, type Listing } from './schema.ts'
import { isRemoved, seenOf } from './submission.ts'

/** How posts are now. The platform leaves out only ids that never were. */
export async function lookAgain(
  api: ForumApi,
  { ids, webUrl, signal }: { ids: readonly string[]; webUrl: string; signal: AbortSignal },
): Promise<PostState[]> {
  const asked = [...new Set(ids)]
  const states: PostState[] = []
  for (let start = 0; start < asked.length; start += PAGE_SIZE) {
    const some = asked.slice(start, start + PAGE_SIZE)
    states.push(...statesOf(await api.posts(some, signal), new Set(some), webUrl))
  }
  return states
}

function statesOf({ data }: Listing, asked: ReadonlySet<string>, webUrl: string): PostState[] {
  return data.children.flatMap((child): PostState[] => {
    if (child?.kind !== 't3') return []
    const submission = Submission.parse(child.data)
    if (submission.id === null || !asked.has(submission.id)) return []
    if (isRemoved(submission)) return [{ kind: 'removed', forumId: submission.id }]
    const post = seenOf(submission, { webUrl, channel: '' })?.post ?? null
    return post === null ? [] : [{ kind: 'there', post }]
  })
}
