import { address } from '../http/address.ts'
import { readJson } from '../http/read-json.ts'
import { SourceError } from '../source.ts'
import type { Board } from './board.ts'
import { Item } from './item.ts'

export type Outcome =
  | { kind: 'read'; id: number; item: Item }
  | { kind: 'absent'; id: number } // the platform answered null
  | { kind: 'failed'; id: number; error: SourceError }

const MOST_IN_FLIGHT = 20
/** When so many have failed and none was answered, asking on would only add to the trouble. */
const MOST_FAILURES_AT_FIRST = 20

/** How often one that came garbled is asked for again at once: what fails otherwise, the client has. */
const MOST_REPEATS = 2

/** Asks for each item, several at a time. What was not asked for any more is not in the answer. */
export async function fetchItems(
  board: Board,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>()
  let wanted = ids
  for (let repeats = 0; repeats <= MOST_REPEATS && wanted.length > 0; repeats += 1) {
    const answers = await fetchOnce(board, wanted, signal)
    for (const outcome of answers) outcomes.set(outcome.id, outcome)
    const garbled = answers.filter(isGarbled).map(({ id }) => id)
    wanted = garbled.length > answers.length / 2 ? [] : garbled
  }
  return ids.flatMap((id) => outcomes.get(id) ?? [])
}

function isGarbled(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.error.failure === 'unreadable'
}

async function fetchOnce(
  board: Board,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const waiting = ids.toReversed()
  const outcomes = new Map<number, Outcome>()

  async function work(): Promise<void> {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      outcomes.set(id, await fetchItem(board, id, signal))
      if (isHopeless(outcomes)) return
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: MOST_IN_FLIGHT }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return ids.flatMap((id) => outcomes.get(id) ?? [])
}

async function fetchItem(board: Board, id: number, signal: AbortSignal): Promise<Outcome> {
  try {
    const url = address(board.itemsUrl, `/v0/item/${id}.json`)
    const item = readJson(await board.client.get(url, { signal }), Item)
    return item === null ? { kind: 'absent', id } : { kind: 'read', id, item }
  } catch (error) {
    if (error instanceof SourceError) return { kind: 'failed', id, error }
    throw error
  }
}

function isHopeless(outcomes: ReadonlyMap<number, Outcome>): boolean {
  if (outcomes.size < MOST_FAILURES_AT_FIRST) return false
  return outcomes.values().every(({ kind }) => kind === 'failed')
}

export function failuresOf(outcomes: readonly Outcome[]): SourceError[] {
  return outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome.error] : []))
}
