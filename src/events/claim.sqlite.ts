import { sql } from 'kysely'
import type { ClaimStatement } from './claim.ts'

/** SQLite lets one writer in at a time: nothing is taken twice. */
export const claimSqlite: ClaimStatement = ({ webhooks, senderId, now }) => {
  const keys = JSON.stringify(
    webhooks.map(({ organizationId, id, most }) => [organizationId, id, most]),
  )
  // What differs from row to row cannot be a limit.
  const largest = Math.max(...webhooks.map(({ most }) => most))
  return sql`
    update delivery
    set state = 'sending', sender_id = ${senderId}, attempts = attempts + 1
    where (organization_id, id) in (
      select delivery.organization_id, delivery.id
      from json_each(${keys}) as webhook
      cross join delivery on delivery.organization_id = webhook.value ->> 0 and delivery.id in (
        select id from (
          select id, row_number() over () as place from (
            select due.id from delivery as due indexed by delivery_due
            where due.organization_id = webhook.value ->> 0 and due.webhook_id = webhook.value ->> 1
              and due.sender_id is null and due.due_at <= ${now}
            order by due.due_at, due.id limit ${largest}
          )
        )
        where place <= webhook.value ->> 2
      )
    )
    returning organization_id, id, webhook_id, event_id, event_kind, attempts, tries, wait_ms`
}
