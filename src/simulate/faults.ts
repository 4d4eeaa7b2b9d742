// What goes wrong on purpose: which answers are spoilt, and how.

import { z } from 'zod'
import { between, pick, type Random } from './random.ts'
import { json, type Reply } from './wire.ts'

const Probability = z.number().min(0).max(1)

export const Faults = z.strictObject({
  /** Every answer takes this long: at least, at most. */
  latencyMs: z.tuple([z.number().min(0), z.number().min(0)]).default([0, 0]),
  tooMany: Probability.default(0),
  serverError: Probability.default(0),
  /** A page, or half an answer, with status 200. */
  garbage: Probability.default(0),
  /** No answer, ever. */
  hang: Probability.default(0),
  /** Only paths that begin like this are touched. */
  only: z.string().default('/'),
})
export type Faults = z.output<typeof Faults>

export const FAULT_KINDS = ['hang', 'tooMany', 'serverError', 'garbage'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

const RETRY_AFTER_SECONDS = 2

/** Draws once for every kind, whatever comes of it, so that one setting does not move the others. */
export function faultFor(faults: Faults, path: string, random: Random): FaultKind | null {
  const draws = FAULT_KINDS.map((kind) => ({ kind, happens: random() < faults[kind] }))
  if (!path.startsWith(faults.only)) return null
  return draws.find(({ happens }) => happens)?.kind ?? null
}

export function latencyFor(
  { latencyMs: [least, most], only }: Faults,
  path: string,
  random: Random,
) {
  return path.startsWith(only) ? between(random, least, Math.max(least, most)) : 0
}

/** What is sent instead of the right answer; a hanging one is never sent. */
export function spoilt(kind: Exclude<FaultKind, 'hang'>, right: Reply, random: Random): Reply {
  switch (kind) {
    case 'tooMany':
      return json(
        429,
        { message: 'Too Many Requests', error: 429 },
        { 'retry-after': String(RETRY_AFTER_SECONDS) },
      )
    case 'serverError':
      return page(pick(random, [500, 502, 503, 504]), 'Our servers are having a moment')
    case 'garbage':
      return random() < 0.5 ? page(200, 'Checking your browser') : cutOff(right)
  }
}

function page(status: number, title: string): Reply {
  const body = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body }
}

/** Its length is the one announced: not the transfer is broken, but what was sent. */
function cutOff({ headers, body }: Reply): Reply {
  return { status: 200, headers, body: body.slice(0, Math.floor(body.length / 2)) }
}
