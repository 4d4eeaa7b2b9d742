import { join } from 'node:path'
import type { Case, Request } from './find-cases.ts'
import { stopChild } from './child.ts'
import { loadInTurns, medianOf, startBare, startEarshot, type Target } from './http-load.ts'

const TERMS = { connections: 32, rounds: 3, roundS: 3, warmUpS: 2 }

export interface Throughput {
  perSecond: number
  /** Of what a bare server does that sends the same bytes. */
  share: number
  cpuShare: number
}

/** Requests a second of each case that is measured over HTTP, by its name. */
export async function throughputs(
  cases: readonly Case[],
  { key, home, variables }: { key: string; home: string; variables: Record<string, string> },
): Promise<Map<string, Throughput>> {
  const env = { ...variables, PORT: '0', EARSHOT_RATE_LIMIT: '1000000000' } // on, and out of the way
  const { child, found: origin } = await startEarshot(env, join(home, 'earshot.log'))
  const results = new Map<string, Throughput>()
  try {
    for (const { name, requests, http } of cases) {
      if (http === undefined) continue
      const earshot = { name: 'Earshot', child, ...targetOf(requests, { origin, key }) }
      results.set(name, await throughput(earshot, home))
    }
  } finally {
    await stopChild(child)
  }
  return results
}

async function throughput(earshot: Target, home: string): Promise<Throughput> {
  const bare = await startBare(earshot, join(home, 'bare.log'))
  try {
    const rounds = await loadInTurns([bare, earshot], TERMS)
    const [plain = [], own = []] = [...rounds.values()]
    return {
      perSecond: medianOf(own, 'perSecond'),
      share: medianOf(own, 'perSecond') / medianOf(plain, 'perSecond'),
      cpuShare: medianOf(own, 'perCpuSecond') / medianOf(plain, 'perCpuSecond'),
    }
  } finally {
    await stopChild(bare.child)
  }
}

function targetOf(
  requests: readonly Request[],
  { origin, key }: { origin: string; key: string },
): Omit<Target, 'name' | 'child'> {
  const authorization = `Bearer ${key}`
  const [first] = requests
  if (first?.kind === 'list') {
    const url = `${origin}/v1/records?${new URLSearchParams(first.given)}`
    return { url, headers: { authorization } }
  }
  return {
    url: `${origin}/v1/search`,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    bodies: requests.map(({ given }) => JSON.stringify(given)),
  }
}
