import type { PostState } from '../source.ts'
import type { Board } from './board.ts'
import { failuresOf, fetchItems, type Outcome } from './fetch-items.ts'
import { channelOfItem, isRemoved, postOfItem } from './item.ts'

/** An item that is null or fails says nothing about its post; when all fail, that is the answer. */
export async function lookAgain(
  board: Board,
  forumIds: readonly string[],
  signal: AbortSignal,
): Promise<PostState[]> {
  const ids = forumIds.filter((forumId) => /^\d{1,15}$/.test(forumId)).map(Number)
  const outcomes = await fetchItems(board, [...new Set(ids)], signal)
  const failures = failuresOf(outcomes)
  if (failures[0] !== undefined && failures.length === outcomes.length) throw failures[0]
  return outcomes.flatMap((outcome) => stateOf(outcome) ?? [])
}

function stateOf(outcome: Outcome): PostState | null {
  if (outcome.kind !== 'read') return null
  const { id, item } = outcome
  if (isRemoved(item)) return { kind: 'removed', forumId: String(id) }
  const post = postOfItem(item, channelOfItem(item))
  return post === null ? null : { kind: 'there', post }
}
