// The hot path of every API request: fast because it trusts what it knows, right because it does
// not trust it for long. Time stands still here unless a test moves it.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ListKeys } from '#src/contract/key.ts'
import type { EngineName } from '#src/db/database.ts'
import { minutes, seconds } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { relayTo, type DatabaseRelay } from '#test/support/database-relay.ts'
import { neighbourOf, type Neighbour } from '#test/support/neighbour.ts'
import { aMember, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'

/** A revoked key must stop within this, everywhere. */
const NOTICED_AFTER_MS = seconds(1)
/** Well inside the time for which a process trusts what it knows. */
const SOON_MS = 600

describe.each(ENGINES)('verifying keys on %s', (engine) => {
  describe('without a round trip', () => {
    test('a key that was just verified is accepted without the database', async () => {
      await using pair = await twoProcesses(engine)
      const { key } = await pair.first.createKey()
      expect((await pair.me(key)).status).toBe(200)

      await hideTables(pair.first)
      pair.advance(SOON_MS)
      const answers = await Promise.all(Array.from({ length: 50 }, () => pair.me(key)))

      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    })

    test('and is not trusted any longer once a second has passed', async () => {
      await using pair = await twoProcesses(engine)
      const { key } = await pair.first.createKey()
      expect((await pair.me(key)).status).toBe(200)

      await hideTables(pair.first)
      pair.advance(NOTICED_AFTER_MS)
      const answer = await pair.me(key)

      expectFailure(answer, 500, 'INTERNAL')
    })

    test('a text that cannot be a key is refused without the database', async () => {
      await using pair = await twoProcesses(engine)

      await hideTables(pair.first)
      const answer = await pair.me(`ear_${'x'.repeat(38)}`)

      expectFailure(answer, 401, 'UNAUTHORIZED')
    })

    test('an unknown key is looked up once, not with every guess', async () => {
      await using pair = await twoProcesses(engine)
      const { id, key } = await pair.first.createKey()
      await pair.owner.send('DELETE', `/api/keys/${id}`)
      expectFailure(await pair.me(key), 401, 'UNAUTHORIZED')

      await hideTables(pair.first)
      const answer = await pair.me(key)

      expectFailure(answer, 401, 'UNAUTHORIZED')
    })
  })

  describe('in a second process', () => {
    test('a key revoked in the first stops within a second', async () => {
      await using pair = await twoProcesses(engine)
      const { id, key } = await pair.first.createKey()
      expect((await pair.me(key)).status).toBe(200)

      await pair.owner.send('DELETE', `/api/keys/${id}`)
      pair.advance(NOTICED_AFTER_MS)

      expectFailure(await pair.me(key), 401, 'UNAUTHORIZED')
    })

    test('a key revoked under steady use stops within a second too', async () => {
      await using pair = await twoProcesses(engine)
      const [{ id, key }, other] = [await pair.first.createKey(), await pair.first.createKey()]
      for (const each of [key, other.key]) expect((await pair.me(each)).status).toBe(200)

      await pair.owner.send('DELETE', `/api/keys/${id}`)
      for (let passed = 0; passed < NOTICED_AFTER_MS; passed += 100) {
        pair.advance(100)
        expect((await pair.me(other.key)).status).toBe(200)
      }

      expectFailure(await pair.me(key), 401, 'UNAUTHORIZED')
    })

    test('the keys of a member removed in the first stop within a second', async () => {
      await using pair = await twoProcesses(engine)
      const { userId } = await aMember(pair.first, 'member')
      const { key } = await pair.first.createKey({ personId: userId })
      expect((await pair.me(key)).status).toBe(200)

      await pair.owner.send('DELETE', `/api/members/${userId}`)
      pair.advance(NOTICED_AFTER_MS)

      expectFailure(await pair.me(key), 401, 'UNAUTHORIZED')
    })

    test('a key made in the first works at once', async () => {
      await using pair = await twoProcesses(engine)

      const { key } = await pair.first.createKey()

      expect((await pair.me(key)).status).toBe(200)
    })

    test('a key that is revoked while it is read is never kept', async () => {
      await using pair = await twoProcesses(engine)
      const keys = await Promise.all(Array.from({ length: 20 }, () => pair.first.createKey()))
      const other = await pair.first.createKey()
      await pair.me(other.key)

      for (const { id, key } of keys) {
        pair.advance(SOON_MS) // late enough that the other key's use makes it look for changes
        const revoked = pair.owner.send('DELETE', `/api/keys/${id}`)
        await Promise.all([pair.me(key), pair.me(other.key), revoked, pair.me(key)])
      }
      pair.advance(NOTICED_AFTER_MS)
      const answers = await Promise.all(keys.map(({ key }) => pair.me(key)))

      expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 401))
    })
  })

  describe('expiry', () => {
    test('is honoured though the key is known and trusted', async () => {
      await using pair = await twoProcesses(engine)
      const expiresAt = isoTime(pair.now() + SOON_MS)
      const { key } = await pair.first.createKey({ expiresAt })

      pair.advance(SOON_MS - 1)
      const before = await pair.me(key)
      pair.advance(1)
      const after = await pair.me(key)

      expect(before.status).toBe(200)
      expectFailure(after, 401, 'UNAUTHORIZED')
    })
  })

  describe('last use', () => {
    test('is written at most once a minute', async () => {
      await using pair = await twoProcesses(engine)
      const { key } = await pair.first.createKey()
      const startedAt = pair.now()
      const written: (string | null)[] = [await pair.lastUsedAt()]

      for (const pause of [0, 1, minutes(1) - 2, 1]) {
        pair.advance(pause)
        await pair.me(key)
        written.push(await pair.lastUsedAt())
      }

      const [first, nextMinute] = [isoTime(startedAt), isoTime(startedAt + minutes(1))]
      expect(written).toEqual([null, first, first, first, nextMinute])
    })

    test('many uses at once write one time', async () => {
      await using pair = await twoProcesses(engine)
      const { key } = await pair.first.createKey()

      await Promise.all(Array.from({ length: 30 }, () => pair.me(key)))

      expect(await pair.lastUsedAt()).toBe(isoTime(pair.now()))
    })

    test('a later time that another process wrote stays', async () => {
      await using pair = await twoProcesses(engine)
      const { key } = await pair.first.createKey()
      await pair.me(key)
      const laterAt = pair.now() + minutes(5)
      await using later = await neighbourOf(pair.first, { clock: () => laterAt })
      await new Client(later.url).get('/v1/me', { key })
      await later.app.keys[Symbol.asyncDispose]()

      pair.advance(minutes(1))
      await pair.me(key)

      expect(await pair.lastUsedAt()).toBe(isoTime(laterAt))
    })

    test('is not written for a key that is refused', async () => {
      await using pair = await twoProcesses(engine)
      const { key } = await pair.first.createKey({ expiresAt: isoTime(pair.now() + minutes(1)) })

      pair.advance(minutes(1))
      expectFailure(await pair.me(key), 401, 'UNAUTHORIZED')

      expect(await pair.lastUsedAt()).toBeNull()
    })
  })
})

describe('verifying keys over a slow network to postgres', () => {
  test('what was read before a revocation is not kept once the process has noticed it', async () => {
    await using pair = await twoProcesses('postgres', { relayed: true })
    const [{ id, key }, other] = [await pair.first.createKey(), await pair.first.createKey()]
    expect((await pair.me(other.key)).status).toBe(200)

    const held = pair.relay.holdAnswerTo('api_key_locator')
    const asked = pair.me(key)
    await held.given
    await pair.owner.send('DELETE', `/api/keys/${id}`)
    pair.advance(NOTICED_AFTER_MS)
    expect((await pair.me(other.key)).status).toBe(200) // by now it has looked for changes
    held.release()
    await asked

    expectFailure(await pair.me(key), 401, 'UNAUTHORIZED')
  })

  test('a look for changes that took too long is no proof that nothing changed', async () => {
    await using pair = await twoProcesses('postgres', { relayed: true })
    const { id, key } = await pair.first.createKey()
    expect((await pair.me(key)).status).toBe(200)

    const held = pair.relay.holdAnswerTo('"change"')
    pair.advance(NOTICED_AFTER_MS)
    const early = pair.me(key)
    await held.given
    await pair.owner.send('DELETE', `/api/keys/${id}`)
    pair.advance(seconds(5))
    const late = pair.me(key)
    await new Client(pair.url).get('/healthz') // the late one has arrived by then
    held.release()
    await early

    expectFailure(await late, 401, 'UNAUTHORIZED')
  })
})

interface Pair extends AsyncDisposable {
  /** The process that changes things, through its owner's session. */
  first: TestApp
  owner: Client
  /** The process that verifies keys, on a clock that stands still. */
  url: string
  now(): number
  advance(ms: number): void
  me(key: string): Promise<Answer>
  /** Of the newest key, once everything that is under way is written. */
  lastUsedAt(): Promise<string | null>
}

async function twoProcesses(engine: EngineName): Promise<Pair>
async function twoProcesses(
  engine: 'postgres',
  options: { relayed: true },
): Promise<Pair & { relay: DatabaseRelay }>
async function twoProcesses(engine: EngineName, { relayed = false } = {}): Promise<Pair> {
  const stack = new AsyncDisposableStack()
  const first = stack.use(await testApp(engine))
  const variables: Record<string, string> = {}
  const relay = relayed
    ? stack.use(await relayTo(first.place.variables['DATABASE_URL'] ?? ''))
    : undefined
  if (relay !== undefined) variables['DATABASE_URL'] = relay.url
  let now = first.app.clock()
  const second: Neighbour = stack.use(await neighbourOf(first, { variables, clock: () => now }))
  const owner = await signedIn(first)
  const client = new Client(second.url)
  return {
    first,
    owner,
    url: second.url,
    ...(relay === undefined ? {} : { relay }),
    now: () => now,
    advance: (ms) => void (now += ms),
    me: (key) => client.get('/v1/me', { key }),
    async lastUsedAt() {
      await second.app.keys[Symbol.asyncDispose]()
      const { items } = dataOf(await owner.get('/api/keys'), ListKeys)
      return items[0]?.lastUsedAt ?? null
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Whoever asks the database about keys fails from now on. */
async function hideTables({ app: { db } }: TestApp): Promise<void> {
  await sql`alter table api_key_locator rename to hidden_locator`.execute(db)
  await sql`alter table change rename to hidden_change`.execute(db)
}
