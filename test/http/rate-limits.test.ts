import { describe, expect, test } from 'vitest'
import { newKey } from '#src/accounts/key-format.ts'
import { minutes } from '#src/lib/duration.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp } from '#test/support/test-app.ts'

describe.each(ENGINES)('the limit of API requests on %s', (engine) => {
  test('every API response says what is left', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '3' })
    const { key } = await app.createKey()
    const client = new Client(app.url)

    const answers = [
      await client.get('/v1/me', { key }),
      await client.get('/v1/me?unknown=1', { key }),
      await client.get('/v1/me', { key }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200])
    expect(answers.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(['3', '3', '3'])
    expect(answers.map(remaining)).toEqual(['2', '1', '0'])
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-reset')).toMatch(/^(60|[1-5]?\d)$/)
      expect(headers.has('retry-after')).toBe(false)
    }
  })

  test('beyond the limit it is 429 RATE_LIMITED, which says when to come again', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '1' })
    const { key } = await app.createKey()
    const client = new Client(app.url)
    await client.get('/v1/me', { key })

    const refused = await client.get('/v1/me', { key })

    expectFailure(refused, 429, 'RATE_LIMITED')
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit-reset')).toBe(String(seconds))
    expect(remaining(refused)).toBe('0')
  })

  test('whoever waits as long as they were told may go on', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '1' })
    const { key } = await app.createKey()
    const client = new Client(app.url)
    await client.get('/v1/me', { key })
    const refused = await client.get('/v1/me', { key })

    app.advance(Number(refused.headers.get('retry-after')) * 1_000)
    const answer = await client.get('/v1/me', { key })

    expect(answer.status).toBe(200)
  })

  test('each key has its own count', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '1' })
    const [first, second] = [await app.createKey(), await app.createKey()]
    const client = new Client(app.url)

    await client.get('/v1/me', first)
    const again = await client.get('/v1/me', first)
    const other = await client.get('/v1/me', second)

    expectFailure(again, 429, 'RATE_LIMITED')
    expect(other.status).toBe(200)
  })

  test('many requests at once are counted one by one', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '5' })
    const { key } = await app.createKey()
    const client = new Client(app.url)

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.get('/v1/me', { key })),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  test('bad keys are counted by address, however many are tried', async () => {
    await using app = await testApp(engine, {
      EARSHOT_RATE_LIMIT: '2',
      EARSHOT_TRUST_PROXY: 'true',
    })
    const { key } = await app.createKey()
    const guess = (address: string, guessed = newKey()) =>
      new Client(app.url).get('/v1/me', {
        key: guessed,
        headers: { 'x-forwarded-for': address },
      })

    expectFailure(await guess('192.0.2.1'), 401, 'UNAUTHORIZED')
    expectFailure(await guess('192.0.2.1', 'no key at all'), 401, 'UNAUTHORIZED')

    expectFailure(await guess('192.0.2.1'), 429, 'RATE_LIMITED')
    expectFailure(await guess('192.0.2.2'), 401, 'UNAUTHORIZED')
    expect((await guess('192.0.2.1', key)).status).toBe(200)
  })

  test('without a trusted proxy nobody chooses the address they are counted by', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '1' })
    const client = new Client(app.url)
    const guess = (address: string) =>
      client.get('/v1/me', { key: newKey(), headers: { 'x-forwarded-for': address } })

    await guess('192.0.2.1')
    const answer = await guess('192.0.2.2')

    expectFailure(answer, 429, 'RATE_LIMITED')
  })

  test('a session at /api/v1 is counted too, and the dashboard’s own routes are not', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '1' })
    const owner = await signedIn(app)

    const first = await owner.get('/api/v1/me')
    const second = await owner.get('/api/v1/me')
    const own = await owner.get('/api/members')

    expect([first.status, remaining(first)]).toEqual([200, '0'])
    expectFailure(second, 429, 'RATE_LIMITED')
    expect([own.status, remaining(own)]).toEqual([200, null])
  })

  test('with EARSHOT_RATE_LIMIT=0 there is no limit and nothing is said of one', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '0' })
    const { key } = await app.createKey()
    const client = new Client(app.url)

    const answers = [
      await client.get('/v1/me', { key }),
      await client.get('/v1/me', { key: newKey() }),
    ]

    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
    }
  })

  test('a new minute starts a new count', async () => {
    await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '2' })
    const { key } = await app.createKey()
    const client = new Client(app.url)
    await client.get('/v1/me', { key })

    app.advance(minutes(1))
    const answer = await client.get('/v1/me', { key })

    expect(remaining(answer)).toBe('1')
  })
})

function remaining({ headers }: Answer): string | null {
  return headers.get('ratelimit-remaining')
}
