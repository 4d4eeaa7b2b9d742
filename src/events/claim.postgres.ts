import { sql } from 'kysely'
import type { ClaimStatement } from './claim.ts'

/** Processes claim side by side: each steps over what another has its hand on. */
export const claimPostgres: ClaimStatement = ({ webhooks, senderId, now }) => {
  const organizations = webhooks.map(({ organizationId }) => organizationId)
  const ids = webhooks.map(({ id }) => id)
  const counts = webhooks.map(({ most }) => most)
  return sql`
    update delivery
    set state = 'sending', sender_id = ${senderId}, attempts = delivery.attempts + 1
    from (
      select due.organization_id, due.id
      from unnest(${organizations}::text[], ${ids}::text[], ${counts}::integer[])
        as webhook (organization_id, id, most)
      cross join lateral (
        select organization_id, id from delivery
        where organization_id = webhook.organization_id and webhook_id = webhook.id
          and sender_id is null and due_at <= ${now}
        order by due_at, id limit webhook.most
        for update skip locked
      ) as due
    ) as taken
    where delivery.organization_id = taken.organization_id and delivery.id = taken.id
    returning delivery.organization_id, delivery.id, delivery.webhook_id, delivery.event_id,
      delivery.event_kind, delivery.attempts, delivery.tries, delivery.wait_ms`
}
