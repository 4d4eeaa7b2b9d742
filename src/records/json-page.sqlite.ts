import { sql } from 'kysely'
import type { JsonPageTerms } from './find-engine.ts'
import { tagsOf } from './tags.sqlite.ts'

/**
 * A page of the newest records as the very bytes that the API tells: no row, object or text of it
 * passes through the program. Joined by hand, because an aggregate of JSON reads each element again.
 */
export function sqliteJsonPage(terms: JsonPageTerms) {
  const { organizationId, belowKey, limit, includeSuppressed } = terms
  const suppressed = includeSuppressed ? sql`` : sql`and verification <> 'coincidental'`
  const records = sql`
    record indexed by record_newest
    where organization_id = ${organizationId} and removed_at is null ${suppressed}`
  const below = belowKey === null ? sql`` : sql`and key < ${belowKey}`
  return sql`
    select items, "lastKey", exists (select 1 from ${records} and key < "lastKey") as "hasMore"
    from (
      select cast('[' || coalesce(group_concat(item, ','), '') || ']' as blob) as items,
        min(key) as "lastKey"
      from (select key, ${item(organizationId)} as item from ${records} ${below}
        order by key desc limit ${limit})
    )`
}

function item(organizationId: string) {
  return sql`json_object(
    'id', id, 'platform', platform, 'forumId', forum_id, 'subforum', subforum, 'title', title,
    'permalink', permalink, 'url', url, 'score', score, 'numComments', num_comments,
    'forumCreatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch'),
    'author', author, 'hasLink', ${truth('has_link')},
    'tags', json(case when matched = 1 then ${tagsOf(organizationId)} else '[]' end),
    'matched', ${truth('matched')}, 'intent', intent, 'snippet', snippet,
    'verification', verification
  )`
}

function truth(column: string) {
  return sql`json(case when ${sql.ref(column)} = 1 then 'true' else 'false' end)`
}
