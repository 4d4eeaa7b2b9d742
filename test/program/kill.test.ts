import { describe, expect, test } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { foundedPlace } from '#test/support/founded-place.ts'
import { KeyWriter, type WrittenKey } from '#test/support/key-writer.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { startService } from '#test/support/program.ts'

const ROUNDS = 4
const WRITES_A_ROUND = 250

describe.each(ENGINES)('a process killed during 1,000 writes on %s', (engine) => {
  test('has every acknowledged one after the restart', async () => {
    await using place = await foundedPlace(engine)
    const acknowledged: WrittenKey[] = []

    for (let round = 0; round < ROUNDS; round += 1) {
      await using service = await startService(place, 'serve')
      const client = await signedIn(service)
      const writer = new KeyWriter(client)
      await writer.reached(WRITES_A_ROUND)
      await service.stop('SIGKILL')
      await writer.stop()

      expect(service.child.signalCode).toBe('SIGKILL')
      expect(writer.failures).not.toEqual([]) // it was in the middle of some
      acknowledged.push(...writer.acknowledged)
    }

    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * WRITES_A_ROUND)
    await using restarted = await startService(place, 'serve')
    const client = await signedIn(restarted)
    expect(await lostOf(client, acknowledged)).toEqual([])
    expect(await refusedOf(client, acknowledged)).toEqual([])
  })
})

async function lostOf(client: Client, keys: readonly WrittenKey[]): Promise<string[]> {
  const { body } = await client.get('/api/keys')
  const listed = new Set((body.data['items'] as { id: string }[]).map(({ id }) => id))
  return keys.map(({ id }) => id).filter((id) => !listed.has(id))
}

async function refusedOf(client: Client, keys: readonly WrittenKey[]): Promise<string[]> {
  const refused: string[] = []
  const waiting = [...keys]
  const check = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { status } = await client.get('/v1/me', { key: next.key })
      if (status !== 200) refused.push(next.id)
    }
  }
  await Promise.all(Array.from({ length: 16 }, check))
  return refused
}
