// Sends what is due. Each webhook has a lane of its own, so that one that is slow delays nobody else.
// Any number of senders work side by side.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { attempt, type AttemptTerms } from '../events/attempt.ts'
import type { Wanted } from '../events/claim.ts'
import type { Attempted, Claimed } from '../events/delivery.ts'
import { holdLatecomers } from '../events/hold-latecomers.ts'
import { materialsOf } from '../events/material-store.ts'
import { recoverAbandoned } from '../events/recover-abandoned.ts'
import {
  claimDue,
  claimedBy,
  dueWebhooks,
  keepAlive,
  removeSender,
  unclaim,
  type ClaimProof,
} from '../events/sending-store.ts'
import { settleAttempts } from '../events/settle-attempts.ts'
import type { WebhookKey } from '../events/webhook-store.ts'
import { seconds } from '../lib/duration.ts'
import { jobLog } from '../logger.ts'
import { attemptTerms } from '../webhook-context.ts'
import { Lane, type LaneLimits, type Ready } from './lane.ts'

const POLL_EVERY_MS = 250
/** Who has anything due at all is asked no more often. */
const LOOK_EVERY_MS = POLL_EVERY_MS * 0.9
/** What becomes free, and what ends, in so short a time goes to the database together. */
const GATHER_MS = 10
/** How long what a killed process had in its hands waits for another. */
const ALIVE_MS = seconds(15)
const BEAT_EVERY_MS = ALIVE_MS / 3
const SETTLED_AT_ONCE = 500
const TROUBLE_PAUSE_MS = seconds(1)
/** Over all webhooks: each is a connection and its memory. */
const UNDER_WAY_MAX = 1_000

export async function startSender(app: App): Promise<AsyncDisposable> {
  const sender = new Sender(app, await attemptTerms(app))
  await sender.begin()
  return sender
}

class Sender implements AsyncDisposable {
  readonly #app: App
  readonly #terms: AttemptTerms
  readonly #limits: LaneLimits
  readonly #id = `snd_${randomUUID()}`
  readonly #stopping = new AbortController()
  /** By webhook. */
  readonly #lanes = new Map<string, Lane>()
  readonly #attempts = new Set<Promise<void>>()
  /** Deliveries in the lanes, under way, or ended and not settled yet. */
  readonly #inHands = new Set<string>()
  #reconciledAt = 0
  #due: readonly WebhookKey[] = []
  #lookedAt = Number.NEGATIVE_INFINITY
  /** What ends from now on is nobody's any more: it was cut off, not answered. */
  #isOver = false
  #ended: Attempted[] = []
  #settling: Promise<void> | null = null
  #wake: (() => void) | null = null
  /** A lane got room after the last look at them began. */
  #hasNews = false
  #beating: NodeJS.Timeout | undefined
  #loop: Promise<void> = Promise.resolve()

  constructor(app: App, terms: AttemptTerms) {
    this.#app = app
    this.#terms = terms
    const { perSecond, concurrency } = app.config.webhooks
    const burst = Math.max(perSecond, concurrency)
    const pace = perSecond === 0 ? null : { perMinute: perSecond * 60, burst }
    this.#limits = { concurrency, pace }
  }

  async begin(): Promise<void> {
    await this.#beat()
    this.#beating = setInterval(() => void this.#beat(), BEAT_EVERY_MS)
    this.#loop = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#wake?.()
    await this.#loop
    // What takes longer is sent again by another: its result is not known.
    const patience = sleep(this.#app.config.shutdownMs, undefined, { ref: false })
    await Promise.race([this.#finish(), patience])
    this.#isOver = true
    clearInterval(this.#beating)
    await removeSender(this.#app.db, this.#id).catch(() => {}) // its time will pass
  }

  async #finish(): Promise<void> {
    const unsent = [...this.#lanes.values()].flatMap((lane) => lane.takeAll())
    await this.#giveUp(unsent.map(({ claimed }) => claimed))
    await Promise.all(this.#attempts)
    while (this.#settling !== null) await this.#settling
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#hasNews = false
      try {
        await this.#reconcile()
        await this.#giveUpStale()
        const began = await this.#sendDue()
        await this.#pause(began || this.#hasNews ? GATHER_MS : POLL_EVERY_MS)
      } catch (error) {
        jobLog.error({ err: error }, 'no deliveries could be claimed')
        await this.#pause(TROUBLE_PAUSE_MS)
      }
    }
  }

  /** Whether there was anything to do. */
  async #sendDue(): Promise<boolean> {
    const { db, database, clock } = this.#app
    const webhooks = await this.#wanted()
    if (webhooks.length === 0) return false
    const terms = { webhooks, senderId: this.#id, now: clock() }
    const claimed = await claimDue(db, database.engine, terms)
    const counts = new Map(webhooks.map(({ id, most }) => [id, most]))
    for (const { webhookId } of claimed) counts.set(webhookId, (counts.get(webhookId) ?? 0) - 1)
    this.#due = this.#due.filter(({ id }) => (counts.get(id) ?? 0) <= 0)
    if (claimed.length === 0) return false
    const materials = await materialsOf(db, database.engine, claimed)
    const byId = new Map(materials.map((material) => [material.deliveryId, material]))
    const since = performance.now()
    const refused: Claimed[] = []
    for (const one of claimed) {
      const material = byId.get(one.id)
      if (material?.enabled !== true) {
        refused.push(one) // disabled or deleted a moment ago
        continue
      }
      this.#inHands.add(one.id)
      this.#laneOf(one.webhookId).add({ claimed: one, material, since }, clock())
    }
    await this.#giveUp(refused)
    for (const { id } of webhooks) this.#sendNext(id)
    return true
  }

  /** Who gets how many more. Those that wait for no answer go first, when there is not room for all. */
  async #wanted(): Promise<Wanted[]> {
    const { clock } = this.#app
    // What has ended and is not stored counts: a database that is slow slows the sending.
    let room = UNDER_WAY_MAX - this.#attempts.size - this.#ended.length
    if (room <= 0) return []
    const lanes = (await this.#dueNow())
      .map((webhook) => ({ webhook, lane: this.#laneOf(webhook.id) }))
      .toSorted((a, b) => a.lane.underWay - b.lane.underWay)
    const wanted: Wanted[] = []
    for (const { webhook, lane } of lanes) {
      const most = Math.min(room, lane.wanted(clock(), performance.now()))
      if (most > 0) wanted.push({ ...webhook, most })
      room -= most
    }
    return wanted
  }

  /** Who had something due at the last look, and was not given all of it since. */
  async #dueNow(): Promise<readonly WebhookKey[]> {
    const at = performance.now()
    if (at - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = at
      this.#due = await dueWebhooks(this.#app.db, { enabled: true, until: this.#app.clock() })
    }
    return this.#due
  }

  #sendNext(webhookId: string): void {
    if (this.#stopping.signal.aborted) return
    const lane = this.#laneOf(webhookId)
    const next = () => lane.begin(performance.now())
    for (let ready = next(); ready !== undefined; ready = next()) {
      const sending = this.#send(ready, lane)
      this.#attempts.add(sending)
      void sending.finally(() => this.#attempts.delete(sending))
    }
  }

  async #send({ claimed, material }: Ready, lane: Lane): Promise<void> {
    const outcome = await attempt(claimed, material, this.#terms)
    if (this.#isOver) return
    lane.end(performance.now())
    this.#ended.push({ claimed, outcome })
    this.#settling ??= this.#settle()
    this.#sendNext(claimed.webhookId)
    if (!lane.needsHelp(this.#app.clock(), performance.now())) return
    this.#hasNews = true
    this.#wake?.()
  }

  /** One after the other: what ends meanwhile is settled together. */
  async #settle(): Promise<void> {
    while (this.#ended.length > 0 && !this.#isOver) {
      if (!this.#stopping.signal.aborted) await sleep(GATHER_MS)
      const some = this.#ended.splice(0, SETTLED_AT_ONCE)
      const { db, database, clock } = this.#app
      const terms = { engine: database.engine, senderId: this.#id, now: clock() }
      try {
        const disabled = await settleAttempts(db, some, terms)
        for (const { claimed } of some) this.#inHands.delete(claimed.id)
        await this.#stopSendingTo(disabled)
      } catch (error) {
        this.#ended.unshift(...some)
        jobLog.error({ err: error }, 'the results of deliveries could not be stored')
        await sleep(TROUBLE_PAUSE_MS)
      }
    }
    this.#settling = null
  }

  async #stopSendingTo(webhooks: readonly WebhookKey[]): Promise<void> {
    for (const webhook of webhooks) {
      jobLog.warn(webhook, 'a webhook is disabled: too many failures in a row')
      const unsent = this.#laneOf(webhook.id).takeAll()
      // What cannot be given up now is found when this sender is reconciled.
      await this.#giveUp(unsent.map(({ claimed }) => claimed)).catch(() => {})
    }
  }

  async #giveUpStale(): Promise<void> {
    const now = performance.now()
    const stale = [...this.#lanes.values()].flatMap((lane) => lane.takeStale(now))
    await this.#giveUp(stale.map(({ claimed }) => claimed))
  }

  async #giveUp(claimed: readonly Claimed[]): Promise<void> {
    for (const { id } of claimed) this.#inHands.delete(id)
    await this.#unclaim(claimed)
  }

  /** What this sender is said to have and knows nothing of: the database failed in the wrong moment. */
  async #reconcile(): Promise<void> {
    const now = performance.now()
    if (now - this.#reconciledAt < BEAT_EVERY_MS) return
    this.#reconciledAt = now
    const said = await claimedBy(this.#app.db, this.#id)
    await this.#unclaim(said.filter(({ id }) => !this.#inHands.has(id)))
  }

  async #unclaim(claimed: readonly ClaimProof[]): Promise<void> {
    const { db, database } = this.#app
    const terms = { engine: database.engine, senderId: this.#id }
    if (claimed.length > 0) await unclaim(db, terms, claimed)
  }

  /** Says that this process is there, and looks after those that are not. */
  async #beat(): Promise<void> {
    const { db, clock } = this.#app
    try {
      await keepAlive(db, this.#id, clock() + ALIVE_MS)
      const recovered = await recoverAbandoned(db, clock())
      if (recovered > 0)
        jobLog.warn({ deliveries: recovered }, 'took over from a process that ended')
      await holdLatecomers(db)
      for (const [id, lane] of this.#lanes)
        if (lane.isFresh(clock(), performance.now())) this.#lanes.delete(id)
    } catch (error) {
      jobLog.error({ err: error }, 'the sender could not say that it is there')
    }
  }

  #laneOf(webhookId: string): Lane {
    const known = this.#lanes.get(webhookId)
    if (known !== undefined) return known
    const lane = new Lane(this.#limits, this.#app.clock(), performance.now())
    this.#lanes.set(webhookId, lane)
    return lane
  }

  /** Until then, or until a lane has room again. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    // While it gathers, it gathers.
    this.#wake = ms > GATHER_MS ? resolve : null
    if (this.#stopping.signal.aborted) resolve()
    await promise
    clearTimeout(timer)
    this.#wake = null
  }
}
