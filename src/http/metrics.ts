import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { App } from '../app.ts'
import { dueFigures, type DueFigures } from '../events/delivery-store.ts'
import { countWebhooks } from '../events/webhook-store.ts'
import { queueFigures, type QueueFigures } from '../queue/job-store.ts'
import { healthOf } from '../watchers/channel-state.ts'
import { failureCounts } from '../watchers/channel-store.ts'
import { RequestFigures } from './request-figures.ts'

export interface Metrics {
  registry: Registry
  requests: RequestFigures
}

export function createMetrics(app: App): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measurePool(registry, app)
  measureQueues(registry, app)
  measureChannels(registry, app)
  measureDeliveries(registry, app)
  return { registry, requests: new RequestFigures(registry) }
}

function measurePool(registry: Registry, { database }: App): void {
  new Gauge({
    name: 'earshot_database_connections',
    help: 'Database connections of this process, and calls that wait for one, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { connections, busy, waiting } = database.poolFigures()
      this.set({ state: 'open' }, connections)
      this.set({ state: 'busy' }, busy)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function measureQueues(registry: Registry, app: App): void {
  const gauge = (
    name: string,
    help: string,
    valueOf: (figures: QueueFigures, now: number) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const now = app.clock()
        // Without the database the other figures are still worth having.
        const queues = await queueFigures(app.db, now).catch(() => [])
        this.reset() // a queue that is empty now has no figures
        for (const figures of queues) this.set({ queue: figures.queue }, valueOf(figures, now))
      },
    })
  gauge('earshot_jobs_due', 'Jobs that could run now.', ({ due }) => due)
  gauge('earshot_jobs_failing', 'Jobs whose last attempt failed.', ({ failing }) => failing)
  gauge(
    'earshot_jobs_oldest_seconds',
    'How long the oldest due job has waited.',
    ({ oldestRunAt }, now) => Math.max(0, now - oldestRunAt) / 1_000,
  )
}

function measureChannels(registry: Registry, { db }: App): void {
  new Gauge({
    name: 'earshot_channels',
    help: 'Watched channels by health: broken is five failures in a row and more.',
    labelNames: ['health'],
    registers: [registry],
    async collect() {
      const counts = await failureCounts(db).catch(() => [])
      for (const health of ['ok', 'failing', 'broken']) this.set({ health }, 0)
      for (const { failures, channels } of counts)
        this.inc({ health: healthOf({ failures }) }, channels)
    },
  })
}

function measureDeliveries(registry: Registry, { db, clock }: App): void {
  new Gauge({
    name: 'earshot_webhooks',
    help: 'Webhooks by state: nothing is sent to those that are disabled.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await countWebhooks(db).catch(() => [])
      for (const state of ['enabled', 'disabled']) this.set({ state }, 0)
      for (const { enabled, count } of counts)
        this.set({ state: enabled ? 'enabled' : 'disabled' }, count)
    },
  })
  const gauge = (name: string, help: string, valueOf: (figures: DueFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const figures = await dueFigures(db, clock()).catch(() => null)
        if (figures !== null) this.set(valueOf(figures))
      },
    })
  gauge('earshot_deliveries_due', 'Deliveries that could be sent now.', ({ due }) => due)
  gauge(
    'earshot_deliveries_oldest_seconds',
    'How long the oldest due delivery has waited.',
    ({ oldestDueAt }) => (oldestDueAt === null ? 0 : Math.max(0, clock() - oldestDueAt) / 1_000),
  )
}
