import { z } from 'zod'
import type { Validators } from '../http/client.ts'
import { address } from '../http/address.ts'
import { readJson } from '../http/read-json.ts'
import type { Board } from './board.ts'
import type { List } from './lists.ts'

interface Listing {
  /** Newest or highest first, each once. Empty also when nothing has changed. */
  ids: number[]
  validators: Validators
}

/** The platform stores an empty list as nothing at all, and answers null. */
const Ids = z
  .array(z.int().positive().nullable().catch(null))
  .nullable()
  .transform((ids) => [...new Set(ids)].filter((id) => id !== null))

/** With the validators of the last answer, an unchanged list is not sent again. */
export async function readListing(
  { client, itemsUrl }: Board,
  list: List,
  { validators, signal }: { validators: Validators | null; signal: AbortSignal },
): Promise<Listing> {
  const answer = await client.get(address(itemsUrl, list.path), { signal, validators })
  if (answer.notModified) return { ids: [], validators: validators ?? {} }
  return { ids: readJson(answer, Ids), validators: answer.validators }
}
