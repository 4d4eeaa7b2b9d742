import { EVENT_KINDS } from '../src/contract/event.ts'
import type { StoredEvent } from '../src/events/event-store.ts'
import { sampleEvent } from '../src/events/sample-event.ts'

/** All kinds in turns. */
export function eventsOf(organizationId: string, count: number): StoredEvent[] {
  const now = Date.now()
  return Array.from({ length: Math.ceil(count / EVENT_KINDS.length) }, () =>
    EVENT_KINDS.map((kind) => sampleEvent(organizationId, kind, now)),
  )
    .flat()
    .slice(0, count)
}
