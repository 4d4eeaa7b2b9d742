import type { Database } from '../src/db/database.ts'
import { firstKeyAt, recordIdOf } from '../src/db/record-key.ts'
import { changingColumns, fixedColumns } from '../src/ingest/record-row.ts'
import { TEXT_INDEX } from '../src/ingest/text-index.ts'
import type { Post } from '../src/sources/post.ts'

/** Platforms tell whole seconds: the keys in the middle of one are free. */
const MIDDLE_MS = 500
const KEYS_A_SLOT = 4_096
let count = 0

/** The same rows in one statement and one transaction, with nothing known and nothing decided. */
export async function rawUpsert(
  { db, engine }: Database,
  organizationId: string,
  posts: readonly Post[],
): Promise<void> {
  const rows = posts.map((post) => {
    count += 1
    const key = firstKeyAt(post.createdAt + MIDDLE_MS) + (count % KEYS_A_SLOT)
    return {
      key,
      organization_id: organizationId,
      id: recordIdOf(key),
      ...fixedColumns(post),
      ...changingColumns(post),
      score: post.score ?? 0,
      num_comments: post.numComments ?? 0,
      matched: 0,
      verification: 'clear',
      first_seen_at: 0,
      removed_at: null,
      intent: 'DISCUSSING',
      read: 0,
      archived: 0,
    }
  })
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('record')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'platform', 'forum_id']).doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          body: eb.ref('excluded.body'),
          text: eb.ref('excluded.text'),
          snippet: eb.ref('excluded.snippet'),
          url: eb.ref('excluded.url'),
          has_link: eb.ref('excluded.has_link'),
          has_image: eb.ref('excluded.has_image'),
          score: eb.ref('excluded.score'),
          num_comments: eb.ref('excluded.num_comments'),
          author: eb.ref('excluded.author'),
        })),
      )
      .execute()
    await TEXT_INDEX[engine].put(trx, organizationId, rows)
  })
}
