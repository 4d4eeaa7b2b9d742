import type { Trx } from '../db/database.ts'
import type { Dataset } from './dataset.ts'
import { firstKeyAt, nextKey, nextSlot } from '../db/record-key.ts'

export interface KeyPlace {
  dataset: Dataset
  organizationId: string
}

/** A key for each of the times given, in their order. The dataset must be held. */
export async function allocateKeys(
  trx: Trx,
  { dataset, organizationId }: KeyPlace,
  times: readonly number[],
): Promise<number[]> {
  const keys: number[] = []
  const slots = times.map(firstKeyAt)
  const taken = new Map<number, number | null>()

  async function look(wanted: readonly number[]): Promise<void> {
    const unknown = [...new Set(wanted)].filter((slot) => !taken.has(slot))
    if (unknown.length === 0) return
    const terms = unknown.map((first) => ({ first, past: nextSlot(first) }))
    const found = await dataset.takenKeys(trx, organizationId, terms)
    for (const slot of unknown) taken.set(slot, found.get(slot) ?? null)
  }

  await look(slots)
  for (let slot of slots) {
    let key = nextKey(slot, taken.get(slot) ?? null)
    while (key === null) {
      slot = nextSlot(slot)
      await look([slot])
      key = nextKey(slot, taken.get(slot) ?? null)
    }
    taken.set(slot, key)
    keys.push(key)
  }
  return keys
}
