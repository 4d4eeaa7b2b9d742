import { channelKey } from '../contract/platform.ts'
import type { WorldPost } from './post.ts'

const IDS_KEPT = 100_000

/** Which posts could ever be seen in which channel: what a service that misses nothing has found. */
export class Ledger {
  readonly #ids = new Map<string, string[]>()

  note(post: WorldPost): void {
    for (const channel of channelsOf(post)) {
      const ids = this.#ids.get(channel) ?? []
      ids.push(post.forumId)
      if (ids.length > IDS_KEPT * 1.1) ids.splice(0, ids.length - IDS_KEPT)
      this.#ids.set(channel, ids)
    }
  }

  /** Oldest first. */
  idsIn(channel: string): readonly string[] {
    return this.#ids.get(channel) ?? []
  }

  toJSON(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#ids)
  }
}

/** `top` is not among them: which posts are ranked there depends on when one looks. */
function channelsOf({ platform, subforum, kind }: WorldPost): string[] {
  if (platform === 'forum') return [`forum/${channelKey(subforum)}`]
  if (subforum === 'new' || kind === 'job') return [`newsboard/${subforum}`]
  return ['newsboard/new', `newsboard/${subforum}`]
}
