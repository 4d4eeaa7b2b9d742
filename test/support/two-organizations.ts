// Two organizations that share nothing but the installation, each with one of everything.

import type { App } from '#src/app.ts'
import { RedeliverAll } from '#src/contract/delivery.ts'
import type { EngineName } from '#src/db/database.ts'
import { dataOf } from './answers.ts'
import type { Client } from './client.ts'
import { Dataset } from './dataset.ts'
import { aMember, aStranger, invited, signedIn } from './people.ts'
import { receiver, type Receiver } from './receiver.ts'
import { OWNER, testApp, type TestApp } from './test-app.ts'
import { recordsIn } from './watching.ts'
import { attemptsEnd, aWebhook, deliveryIn, told } from './webhooks.ts'

export interface Organization {
  organizationId: string
  /** The owner, signed in. */
  client: Client
  userId: string
  email: string
  memberId: string
  key: { id: string; key: string }
  invitation: { id: string; token: string; email: string }
  /** The same post in both, matched by a watcher of each. */
  recordId: string
  watcherId: string
  /** Told of alerts. Its only delivery has failed. */
  webhookId: string
  deliveryId: string
  /** Begun, and not done yet. */
  redeliveryId: string
  ids: string[]
}

export interface World extends AsyncDisposable {
  app: TestApp
  acme: Organization
  globex: Organization
  /** Where the webhooks of both lead. */
  there: Receiver
}

export async function twoOrganizations(engine: EngineName): Promise<World> {
  const app = await testApp(engine)
  const there = await receiver()
  const { client, userId, organizationId, email } = await aStranger(app)
  const first = { ...app.owner, email: OWNER.email, client: await signedIn(app) }
  const second = { client, userId, organizationId, email }
  return {
    app,
    there,
    acme: await furnished(app, first, { name: 'acme', url: there.url }),
    globex: await furnished(app, second, { name: 'globex', url: there.url }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await there[Symbol.asyncDispose]()
    },
  }
}

/** An organization with one of everything. */
async function furnished(
  app: TestApp,
  owner: Pick<Organization, 'client' | 'userId' | 'organizationId' | 'email'>,
  { name, url }: { name: string; url: string },
): Promise<Organization> {
  const { client, userId, organizationId } = owner
  const member = await aMember(app, 'member', { email: `member@${name}.example`, by: client })
  const key = await app.createKey({ organizationId, personId: userId })
  const email = `guest@${name}.example`
  const invitation = { email, ...(await invited(client, email)) }
  const { watcherId, recordIds } = await matchedRecords(app, name, { organizationId, key: key.key })
  const [recordId = ''] = recordIds
  const things = [organizationId, userId, member.userId, key.id, invitation.id, watcherId]
  const ids = [...things, ...recordIds]
  const told = await failedDelivery(app.app, owner, url)
  return { ...owner, ...told, memberId: member.userId, key, invitation, recordId, watcherId, ids }
}

/** A webhook that was told of one alert and could not be reached, and the wish to try that again. */
async function failedDelivery(
  app: App,
  { organizationId, client }: Pick<Organization, 'organizationId' | 'client'>,
  url: string,
): Promise<Pick<Organization, 'webhookId' | 'deliveryId' | 'redeliveryId'>> {
  const webhook = await aWebhook(app, organizationId, { url, events: ['alert.fired'] })
  await told(app, organizationId, 'alert.fired')
  await attemptsEnd(app, webhook, { ok: false, status: 503, error: 'HTTP 503' }, { isLast: true })
  const { id: deliveryId } = await deliveryIn(app, webhook, 'failed')
  const since = { since: '2026-01-01T00:00:00Z' }
  const answer = await client.post(`/api/webhooks/${webhook.id}/redeliver`, since)
  return { webhookId: webhook.id, deliveryId, redeliveryId: dataOf(answer, RedeliverAll).id }
}

/** The newest is of a post that both have, the other one of a channel that only one has. */
async function matchedRecords(
  app: TestApp,
  name: string,
  { organizationId, key }: { organizationId: string; key: string },
): Promise<{ watcherId: string; recordIds: string[] }> {
  const dataset = new Dataset(app, organizationId, key)
  const channels = ['selfhosted', `${name}_only`].map((subforum) => ({
    platform: 'forum' as const,
    subforum,
  }))
  const watcherId = await dataset.watch({ channels, rules: [{ any: ['post'], tags: ['shared'] }] })
  await dataset.keep([
    { title: 'a post' },
    { title: `a post of ${name}`, forumId: name, subforum: `${name}_only` },
  ])
  const records = await recordsIn(app.app.db, organizationId)
  return { watcherId, recordIds: records.map(({ id }) => id) }
}

/** Every row that belongs to an organization or to one of its people. */
export async function everythingOf(
  { app: { db } }: TestApp,
  organizationId: string,
): Promise<unknown> {
  const tables = await db.introspection.getTables()
  const owned = tables.filter(({ columns }) =>
    columns.some(({ name }) => name === 'organization_id'),
  )
  const rows = await Promise.all(
    owned.map(async ({ name }) => [
      name,
      await db
        .selectFrom(name as 'membership')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute(),
    ]),
  )
  const people = await db
    .selectFrom('person')
    .innerJoin('membership', 'membership.person_id', 'person.id')
    .selectAll('person')
    .where('organization_id', '=', organizationId)
    .execute()
  return Object.fromEntries([...rows, ['person', people]])
}
