import type { Post } from '../src/sources/post.ts'
import { ofLap, postsOnce } from './ingest-posts.ts'

/** As many as wanted, evenly from all there are, in the order of their time: as crawls bring them. */
export async function postsInTime(count: number): Promise<Post[]> {
  const all = await Array.fromAsync(postsOnce())
  const laps = Math.ceil(count / all.length)
  const step = (all.length * laps) / count
  const posts: Post[] = []
  for (let index = 0; index < count; index += 1) {
    const place = Math.floor(index * step)
    const post = all[place % all.length]
    if (post !== undefined) posts.push(ofLap(post, Math.floor(place / all.length)))
  }
  return posts.sort((a, b) => a.createdAt - b.createdAt)
}

/** The names of the channels with most posts. */
export function busiestChannels(posts: readonly Post[], count: number): string[] {
  const sizes = new Map<string, number>()
  for (const { platform, subforum } of posts) {
    if (platform === 'forum') sizes.set(subforum, (sizes.get(subforum) ?? 0) + 1)
  }
  const bySize = [...sizes].sort(([, a], [, b]) => b - a)
  return bySize.slice(0, count).map(([subforum]) => subforum)
}
