// Requests counted and timed in plain numbers, and given to the metrics library only when somebody
// reads them: the library checks and hashes its labels at every observation, which in a small
// request would be the dearest thing after authentication.

import type { Metric, Registry } from 'prom-client'

/** Upper bounds: from a cached identity (well under 1 ms) to what should have been shed. */
const BOUNDS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const COUNTER = 'earshot_http_requests_total'
const HISTOGRAM = 'earshot_http_request_duration_seconds'

interface Series {
  method: string
  route: string
  byStatus: Map<number, number>
  /** How many took at most each bound and more than the one before; the last has no bound. */
  buckets: number[]
  sumSeconds: number
}

interface Value {
  metricName: string
  labels: Record<string, string | number>
  value: number
}

/** Records the requests of one route. */
export type Recorder = (method: string, status: number, durationMs: number) => void

export class RequestFigures {
  readonly #series: Series[] = []

  constructor(registry: Registry) {
    const register = (name: string, type: string, help: string, values: () => Value[]) => {
      const metric = { name, type, help, get: async () => ({ name, type, help, values: values() }) }
      registry.registerMetric(metric as unknown as Metric)
    }
    const all = (valuesOf: (series: Series) => Value[]) => () => this.#series.flatMap(valuesOf)
    register(COUNTER, 'counter', 'Requests by method, route and status.', all(counts))
    register(HISTOGRAM, 'histogram', 'From request to end of answer, by route.', all(durations))
  }

  recorderFor(route: string): Recorder {
    const byMethod = new Map<string, Series>()
    return (method, status, durationMs) => {
      const series = byMethod.get(method) ?? this.#begin(byMethod, method, route)
      const seconds = durationMs / 1_000
      series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
      series.sumSeconds += seconds
      const bucket = bucketOf(seconds)
      series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
    }
  }

  #begin(byMethod: Map<string, Series>, method: string, route: string): Series {
    const buckets = Array.from({ length: BOUNDS_S.length + 1 }, () => 0)
    const series = { method, route, byStatus: new Map<number, number>(), buckets, sumSeconds: 0 }
    byMethod.set(method, series)
    this.#series.push(series)
    return series
  }
}

function bucketOf(seconds: number): number {
  const index = BOUNDS_S.findIndex((bound) => seconds <= bound)
  return index === -1 ? BOUNDS_S.length : index
}

function counts({ method, route, byStatus }: Series): Value[] {
  return [...byStatus].map(([status, value]) => ({
    metricName: COUNTER,
    labels: { method, route, status },
    value,
  }))
}

/** Prometheus wants each bucket to hold those below it too. */
function durations({ method, route, buckets, sumSeconds }: Series): Value[] {
  const labels = { method, route }
  let upTo = 0
  const cumulative = buckets.map((count, index) => {
    upTo += count
    const le = BOUNDS_S[index] ?? '+Inf'
    return { metricName: `${HISTOGRAM}_bucket`, labels: { ...labels, le }, value: upTo }
  })
  return [
    ...cumulative,
    { metricName: `${HISTOGRAM}_sum`, labels, value: sumSeconds },
    { metricName: `${HISTOGRAM}_count`, labels, value: upTo },
  ]
}
