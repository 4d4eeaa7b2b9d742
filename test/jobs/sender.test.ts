import { describe, expect, test } from 'vitest'
import { openApp } from '#src/app.ts'
import { foundInstallation } from '#src/accounts/found.ts'
import { readConfig } from '#src/config.ts'
import { configureLogs } from '#src/logger.ts'
import { ENGINES, testPlace } from '#test/support/place.ts'
import { startService, type RunningService } from '#test/support/program.ts'
import { holding, receiver } from '#test/support/receiver.ts'
import { OWNER } from '#test/support/test-app.ts'
import { allIn, aWebhook, eventually, toldMany } from '#test/support/webhooks.ts'

/** What hangs is killed, so that its test fails and nothing is left behind. */
const LONGEST_MS = 25_000

describe.concurrent.each(ENGINES)('a sender in a program of its own on %s', (engine) => {
  test('SIGTERM ends the program even while a receiver hangs for longer than it may wait', async () => {
    configureLogs({ level: 'silent', stream: { write: () => {} } })
    await using place = await testPlace(engine)
    await using app = await openApp(readConfig(place.variables))
    const { organizationId } = await foundInstallation(
      app.db,
      { ...OWNER, organizationName: 'Acme' },
      app.clock(),
    )
    const never = holding()
    await using there = await receiver(never.answer)
    const webhook = await aWebhook(app, organizationId, { url: there.url })
    await using service = await startService(place, 'work', { EARSHOT_SHUTDOWN_TIMEOUT_MS: '500' })
    const events = await toldMany(app, organizationId, { count: 10 })
    await eventually(() => expect(there.got).toHaveLength(10))

    expect(await ended(service)).toBe(0)

    never.release()
    await using _next = await startService(place, 'work')
    expect(await allIn(app, webhook, ['delivered'])).toHaveLength(10)
    const ids = there.got.slice(10).map(({ headers }) => headers['webhook-id'])
    expect(ids.sort()).toEqual(events.map(({ id }) => id).sort())
  })
})

async function ended(service: RunningService): Promise<number | null> {
  const deadline = setTimeout(() => service.child.kill('SIGKILL'), LONGEST_MS)
  const code = await service.stop('SIGTERM')
  clearTimeout(deadline)
  return code
}
