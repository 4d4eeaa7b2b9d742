// How tests speak to a simulation: as any client of the platforms would, over HTTP.

import type { Simulation } from '#src/simulate/simulation.ts'

export interface ListingBody {
  kind: string
  data: {
    after: string | null
    before: string | null
    dist: number
    children: { kind: string; data: Record<string, unknown> & { id: string; name: string } }[]
  }
}

export interface SearchBody {
  hits: (Record<string, unknown> & { objectID: string })[]
  nbHits: number
  nbPages: number
}

export async function getJson<Body>({ url }: Pick<Simulation, 'url'>, path: string): Promise<Body> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as Body
}

export async function askToken({ url }: Pick<Simulation, 'url'>, pair = 'id:secret') {
  const response = await fetch(`${url}/api/v1/access_token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** The forum's API with a token of its own. */
export async function forumClient(simulation: Pick<Simulation, 'url'>) {
  const { body } = await askToken(simulation)
  const headers = { authorization: `Bearer ${String(body['access_token'])}` }
  const get = (path: string) => fetch(simulation.url + path, { headers })
  const list = async (path: string): Promise<ListingBody> => {
    const response = await get(path)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    return (await response.json()) as ListingBody
  }
  return { get, list }
}

export async function control({ url }: Pick<Simulation, 'url'>, wishes: unknown) {
  const response = await fetch(`${url}/_control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wishes),
  })
  return { status: response.status, body: (await response.json()) as { added?: string[] } }
}

export const idsIn = ({ data }: ListingBody): string[] => data.children.map(({ data }) => data.id)
