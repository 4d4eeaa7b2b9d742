import { sql, type RawBuilder } from 'kysely'

/** The tags of a row of `record`, as JSON. */
export function tagsOf(organizationId: string): RawBuilder<string | null> {
  return sql`(
    select json_group_array(tag) from (
      select tag from record_tag
      where organization_id = ${organizationId} and record_key = record.key
        and origin <> 'removed'
      order by tag
    ))`
}
