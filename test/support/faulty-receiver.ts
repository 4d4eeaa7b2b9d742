// A receiver that cannot be relied on: it refuses some of what it gets, breaks some connections and is
// slow at times, by count, and remembers what it did.

import type { ServerResponse } from 'node:http'
import { receiver, type Received } from './receiver.ts'

export interface Answered {
  /** Which webhook it came for. */
  path: string
  eventId: string
  body: string
  /** Null when it broke the connection instead. */
  status: number | null
}

export interface FaultyReceiver extends AsyncDisposable {
  urlOf(name: string): string
  /** In the order in which the requests came. */
  answered: Answered[]
}

/** Each so-manieth delivery, when it comes for the first time: one that fails twice waits half a minute. */
const REFUSED_EVERY = 11
const BROKEN_EVERY = 17
const SLOW_EVERY = 23

/** Enough for many to be under way at once, and for a process to die while they are. */
const ANSWER_AFTER_MS = 10
const SLOW_ANSWER_AFTER_MS = 500

export async function faultyReceiver(): Promise<FaultyReceiver> {
  const answered: Answered[] = []
  const known = new Set<string>()
  const there = await receiver((response, got) => {
    const one = { path: got.path, eventId: eventIdOf(got), body: got.body.toString() }
    const key = `${one.path} ${one.eventId}`
    const isNew = !known.has(key)
    known.add(key)
    answered.push({ ...one, status: answer(response, isNew ? known.size : 0) })
  })
  return {
    answered,
    urlOf: (name) => new URL(`/${name}`, there.url).href,
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  }
}

function eventIdOf({ headers }: Received): string {
  return String(headers['webhook-id'])
}

/** `place` is which of the new ones it is; 0 when it has been here before. */
function answer(response: ServerResponse, place: number): number | null {
  const isEvery = (count: number): boolean => place > 0 && place % count === 0
  if (isEvery(BROKEN_EVERY)) {
    response.socket?.resetAndDestroy()
    return null
  }
  const status = isEvery(REFUSED_EVERY) ? 500 : 200
  const afterMs = isEvery(SLOW_EVERY) ? SLOW_ANSWER_AFTER_MS : ANSWER_AFTER_MS
  setTimeout(() => response.writeHead(status).end(`${status} from a faulty receiver`), afterMs)
  return status
}
