import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { App } from '../app.ts'
import { queueFigures, type QueueFigures } from '../queue/job-store.ts'

export interface Metrics {
  registry: Registry
  countRequest(method: string, route: string, status: number, durationMs: number): void
}

interface Measure {
  count(): void
  observe(seconds: number): void
}

/** From a cached identity (well under 1 ms) to a request that should have been shed. */
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(app: App): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measurePool(registry, app)
  measureQueues(registry, app)
  const measureOf = requestMeasures(registry)
  return {
    registry,
    countRequest(method, route, status, durationMs) {
      const measure = measureOf(method, route, status)
      measure.count()
      measure.observe(durationMs / 1_000)
    },
  }
}

/** Labels are looked up once per combination, not once per request. */
function requestMeasures(registry: Registry) {
  const requests = new Counter({
    name: 'earshot_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'earshot_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer, by method and route.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  const known = new Map<string, Measure>()

  return (method: string, route: string, status: number): Measure => {
    const name = `${method} ${route} ${status}`
    const measure = known.get(name)
    if (measure !== undefined) return measure

    const counter = requests.labels(method, route, String(status))
    const histogram = durations.labels(method, route)
    const fresh = { count: () => counter.inc(), observe: (s: number) => histogram.observe(s) }
    known.set(name, fresh)
    return fresh
  }
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
