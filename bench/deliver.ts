// Deliveries a second, the whole way: claimed, signed, posted and written to the durable log. Beside
// a bare loop of undici that posts the same bodies as many at a time. Then what one receiver that
// hangs costs the others.

import type { EngineName } from '../src/db/database.ts'
import { startAsked, type Asked, type Spent } from './deliver-child.ts'
import { deliverPlace, forget, listeningOrganization, tellMany } from './deliver-place.ts'
import type { DeliverPlace } from './deliver-place.ts'
import type { PlainOrder } from './deliver-plain.ts'
import type { ReceiverOrder } from './deliver-receiver.ts'
import type { SenderOrder } from './deliver-sender.ts'
import { median, printTable } from './table.ts'

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres']
const WEBHOOKS = [1, 10, 100]
const DELIVERIES = 10_000
const ROUNDS = 5
const CONCURRENCY = 10

/** One of them hangs in every other round. */
const FAIR_WEBHOOKS = 100
const FAIR_EVENTS = 120
const FAIR_ROUNDS = 9

const VARIABLES = {
  LOG_LEVEL: 'error',
  EARSHOT_WEBHOOK_PACE: '0',
  EARSHOT_WEBHOOK_CONCURRENCY: String(CONCURRENCY),
  // Nobody waits for a receiver that hangs when a round is over.
  EARSHOT_SHUTDOWN_TIMEOUT_MS: '0',
}

interface Bench {
  engine: EngineName
  place: DeliverPlace
  receiver: Asked<ReceiverOrder, number[]>
  sender: Asked<SenderOrder, Spent>
  plain: Asked<PlainOrder, Spent>
}

export async function benchDeliver(options: { engine?: string | undefined }): Promise<void> {
  const speeds: string[][] = []
  const costs: string[][] = []
  for (const engine of ENGINES.filter((name) => (options.engine ?? name) === name)) {
    await using place = await deliverPlace(engine, VARIABLES)
    await using receiver = startAsked<ReceiverOrder, number[]>(
      import.meta.resolve('./deliver-receiver.ts'),
    )
    await using sender = startAsked<SenderOrder, Spent>(
      import.meta.resolve('./deliver-sender.ts'),
      place.variables,
    )
    await using plain = startAsked<PlainOrder, Spent>(import.meta.resolve('./deliver-plain.ts'))
    const bench = { engine, place, receiver, sender, plain }
    for (const webhooks of WEBHOOKS) speeds.push(await measureSpeed(bench, webhooks))
    costs.push(await measureFairness(bench))
  }
  report(speeds, costs)
}

function report(speeds: readonly string[][], costs: readonly string[][]): void {
  process.stdout.write(
    `\n${DELIVERIES} deliveries a round, ${CONCURRENCY} at a time to each webhook, no pace, ` +
      `synced to disk, median of ${ROUNDS} rounds\n\n`,
  )
  printTable(
    ['engine', 'webhooks', 'deliveries/s', 'bare undici/s', '× (goal 0.5)', '× by CPU'],
    speeds,
  )
  process.stdout.write(
    `\n${FAIR_EVENTS} events to each of ${FAIR_WEBHOOKS - 1} webhooks, ` +
      `and to one that never answers, median of ${FAIR_ROUNDS} rounds\n\n`,
  )
  printTable(['engine', 'alone ms', 'beside it ms', 'slower by (goal < 5 %)'], costs)
}

async function measureSpeed(bench: Bench, webhooks: number): Promise<string[]> {
  const ports = await bench.receiver.ask({ kind: 'open', count: webhooks, hang: false })
  const organizationId = await listeningOrganization(bench.place, ports)
  const events = DELIVERIES / webhooks
  const [own, bare] = await inTurns(ROUNDS, [
    async () => {
      await tellMany(bench.place, organizationId, events)
      return send(bench, organizationId, DELIVERIES)
    },
    () => bench.plain.ask({ ports, events, concurrency: CONCURRENCY }),
  ])
  const perSecond = (spent: readonly Spent[]) =>
    ((DELIVERIES * 1_000) / median(spent.map(({ ms }) => ms))).toFixed(0)
  return told([
    bench.engine,
    String(webhooks),
    perSecond(own),
    perSecond(bare),
    medianRatio(bare, own, 'ms').toFixed(2),
    medianRatio(bare, own, 'cpuMs').toFixed(2),
  ])
}

async function measureFairness(bench: Bench): Promise<string[]> {
  const { place, receiver } = bench
  const deliveries = (FAIR_WEBHOOKS - 1) * FAIR_EVENTS
  const ports = await receiver.ask({ kind: 'open', count: FAIR_WEBHOOKS - 1, hang: false })
  const deaf = await receiver.ask({ kind: 'open', count: 1, hang: true })
  const organizationId = await listeningOrganization(place, ports)
  const [alone, beside] = await inTurns(FAIR_ROUNDS, [
    async () => {
      await tellMany(place, organizationId, FAIR_EVENTS)
      return send(bench, organizationId, deliveries)
    },
    async () => {
      const hanging = await listeningOrganization(place, deaf)
      await tellMany(place, hanging, FAIR_EVENTS)
      await tellMany(place, organizationId, FAIR_EVENTS)
      const spent = await send(bench, organizationId, deliveries)
      await forget(place, hanging)
      return spent
    },
  ])
  const medianMs = (spent: readonly Spent[]) => median(spent.map(({ ms }) => ms))
  const slower = (medianMs(beside) / medianMs(alone) - 1) * 100
  const times = [alone, beside].map((spent) => medianMs(spent).toFixed(0))
  return told([bench.engine, ...times, `${slower.toFixed(1)} %`])
}

/** From the start of the sender until the log says so. */
async function send(
  { receiver, sender }: Bench,
  organizationId: string,
  deliveries: number,
): Promise<Spent> {
  await receiver.ask({ kind: 'count' })
  await sender.ask({ kind: 'begin' })
  await receiver.ask({ kind: 'wait', count: deliveries })
  return sender.ask({ kind: 'end', organizationId })
}

type Way = () => Promise<Spent>

/** After one that does not count. Who begins changes, so that what grows meets both alike. */
async function inTurns(rounds: number, ways: readonly [Way, Way]): Promise<[Spent[], Spent[]]> {
  const results: [Spent[], Spent[]] = [[], []]
  for (let round = -1; round < rounds; round += 1) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const spent = await ways[index]()
      if (round >= 0) results[index].push(spent)
    }
  }
  return results
}

/** Of the two in the same round. */
function medianRatio(
  above: readonly Spent[],
  below: readonly Spent[],
  figure: keyof Spent,
): number {
  return median(above.map((spent, round) => spent[figure] / (below[round]?.[figure] ?? Number.NaN)))
}

/** A run takes minutes: what is known is told at once. */
function told(row: string[]): string[] {
  process.stderr.write(`${row.join(' | ')}\n`)
  return row
}
