import { describe, expect, test } from 'vitest'
import { FAULT_KINDS, faultFor, Faults, latencyFor, spoilt } from './faults.ts'
import { seededRandom } from './random.ts'
import { json } from './wire.ts'

const RIGHT = json(200, { kind: 'Listing', data: { children: [] } })

function countOf(faults: Faults): number {
  const random = seededRandom(1)
  return Array.from({ length: 1_000 }, () => faultFor(faults, '/', random)).filter(Boolean).length
}

describe('a fault', () => {
  test.each(FAULT_KINDS)('%s always happens at 1, never at 0, now and then between', (kind) => {
    expect(countOf(Faults.parse({ [kind]: 1 }))).toBe(1_000)
    expect(countOf(Faults.parse({ [kind]: 0 }))).toBe(0)
    expect(countOf(Faults.parse({ [kind]: 0.3 }))).toBeGreaterThan(250)
    expect(countOf(Faults.parse({ [kind]: 0.3 }))).toBeLessThan(350)
  })

  test('happens only where it is wanted', () => {
    const faults = Faults.parse({ hang: 1, only: '/r/webdev', latencyMs: [5, 5] })
    const random = seededRandom(1)

    expect(faultFor(faults, '/r/webdev/new', random)).toBe('hang')
    expect(faultFor(faults, '/r/selfhosted/new', random)).toBeNull()
    expect(latencyFor(faults, '/r/webdev/new', random)).toBe(5)
    expect(latencyFor(faults, '/r/selfhosted/new', random)).toBe(0)
  })
})

describe('a spoilt answer', () => {
  test('of too many requests says when to come back', () => {
    const { status, headers } = spoilt('tooMany', RIGHT, seededRandom(1))

    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  test('of a server’s failure is a 5xx', () => {
    expect(String(spoilt('serverError', RIGHT, seededRandom(1)).status)).toMatch(/^5\d\d$/)
  })

  test('of garbage looks well but is no JSON: a page, or half of what was right', () => {
    const random = seededRandom(1)

    const answers = Array.from({ length: 50 }, () => spoilt('garbage', RIGHT, random))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { body } of answers) expect(() => JSON.parse(body)).toThrow(SyntaxError)
    expect(new Set(answers.map(({ body }) => body)).size).toBe(2)
  })
})

test('latency is within its range', () => {
  const random = seededRandom(1)
  const faults = Faults.parse({ latencyMs: [10, 20] })

  const waits = Array.from({ length: 200 }, () => latencyFor(faults, '/', random))

  expect([Math.min(...waits), Math.max(...waits)]).toEqual([10, 20])
})
