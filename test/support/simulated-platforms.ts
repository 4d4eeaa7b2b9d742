import type { Simulation } from '#src/simulate/simulation.ts'

/** What makes the program read both platforms at this address, as fast as it can. */
export function platformsAt(url: string): Record<string, string> {
  return {
    EARSHOT_FORUM_API_URL: url,
    EARSHOT_FORUM_WEB_URL: url,
    EARSHOT_NEWSBOARD_ITEMS_URL: url,
    EARSHOT_NEWSBOARD_SEARCH_URL: url,
    EARSHOT_FORUM_PACE: '100000',
    EARSHOT_NEWSBOARD_PACE: '100000',
    EARSHOT_MIN_INTERVAL_SECONDS: '1',
  }
}

/** With these the forum is read through its API. */
export const FORUM_CREDENTIALS = {
  EARSHOT_FORUM_CLIENT_ID: 'earshot',
  EARSHOT_FORUM_CLIENT_SECRET: 'hush',
}

/** Has the simulation do something: see `src/simulate/control.ts` for what it can. */
export async function wish({ url }: Pick<Simulation, 'url'>, wishes: unknown): Promise<void> {
  const response = await fetch(`${url}/_control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wishes),
  })
  if (!response.ok) throw new Error(`The simulation refused: ${await response.text()}`)
}
