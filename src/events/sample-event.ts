import type { EventKind } from '../contract/event.ts'
import { sampleBody } from '../contract/sample-event.ts'
import { newId } from '../lib/id.ts'
import type { StoredEvent } from './event-store.ts'

/** What the Test function sends. */
export function sampleEvent(organizationId: string, kind: EventKind, now: number): StoredEvent {
  const eventId = newId('evt', now)
  const idOf = (prefix: string) => newId(prefix, now)
  const body = JSON.stringify(sampleBody(kind, { organizationId, eventId, now, idOf }))
  return { organizationId, id: eventId, kind, body, createdAt: now }
}
