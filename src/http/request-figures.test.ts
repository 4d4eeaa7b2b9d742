import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { RequestFigures } from './request-figures.ts'

test('counts requests by method, route and status', async () => {
  const registry = new Registry()
  const record = new RequestFigures(registry).recorderFor('/v1/me')

  record('GET', 200, 0.4)
  record('GET', 200, 0.4)
  record('GET', 401, 0.4)
  record('HEAD', 200, 0.4)

  const lines = (await registry.metrics()).split('\n')
  expect(lines).toContain('# TYPE earshot_http_requests_total counter')
  expect(lines).toContain('earshot_http_requests_total{method="GET",route="/v1/me",status="200"} 2')
  expect(lines).toContain('earshot_http_requests_total{method="GET",route="/v1/me",status="401"} 1')
  expect(lines).toContain(
    'earshot_http_requests_total{method="HEAD",route="/v1/me",status="200"} 1',
  )
})

test('puts durations into cumulative buckets, with sum and count', async () => {
  const registry = new Registry()
  const record = new RequestFigures(registry).recorderFor('/v1/me')

  for (const durationMs of [0.5, 0.6, 40, 60_000]) record('GET', 200, durationMs)

  const name = 'earshot_http_request_duration_seconds'
  const labels = 'method="GET",route="/v1/me"'
  const lines = (await registry.metrics()).split('\n')
  const buckets = lines.filter((line) => line.startsWith(`${name}_bucket`))
  expect(lines).toContain(`# TYPE ${name} histogram`)
  expect(buckets.map((line) => Number(line.split(' ').at(-1)))).toEqual([
    1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4,
  ])
  expect(buckets[0]).toBe(`${name}_bucket{${labels},le="0.0005"} 1`)
  expect(buckets.at(-1)).toBe(`${name}_bucket{${labels},le="+Inf"} 4`)
  expect(lines).toContain(`${name}_sum{${labels}} 60.0411`)
  expect(lines).toContain(`${name}_count{${labels}} 4`)
})

test('two routes are two series', async () => {
  const registry = new Registry()
  const figures = new RequestFigures(registry)

  figures.recorderFor('/a')('GET', 200, 1)
  figures.recorderFor('/b')('GET', 200, 1)

  const text = await registry.metrics()
  expect(text).toContain('route="/a",status="200"} 1')
  expect(text).toContain('route="/b",status="200"} 1')
})
