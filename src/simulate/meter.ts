import type { FaultKind } from './faults.ts'

/** How often everything was asked for, and what went wrong on purpose. */
export class Meter {
  readonly requests = { total: 0, byRoute: counts(), byChannel: counts() }
  readonly faults = counts()

  countRequest(route: string, channel: string | undefined): void {
    this.requests.total += 1
    raise(this.requests.byRoute, route)
    if (channel !== undefined) raise(this.requests.byChannel, channel)
  }

  countFault(kind: FaultKind): void {
    raise(this.faults, kind)
  }
}

type Counts = Record<string, number>

/** Without a prototype: names come from outside. */
function counts(): Counts {
  return Object.create(null)
}

function raise(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
