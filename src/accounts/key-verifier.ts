// Says whose key it is. A key that was seen before costs no round trip: its identity is kept in
// memory, and trusted only as long as a recent look at the access version has shown that nobody's
// rights were taken away since. Looks happen beside the requests, a few times a second, and only
// while there are requests.

import { BoundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import { minutes } from '../lib/duration.ts'
import type { Identity } from '../contract/identity.ts'
import type { Db } from '../db/database.ts'
import { accessLog } from '../logger.ts'
import { versionOf } from '../db/change-store.ts'
import { hashOfKey, isWellFormedKey } from './key-format.ts'
import { liveKeyByHash, writeLastUsed, type LiveKey } from './key-store.ts'

/** A revoked key must stop within 1 s everywhere: what is older than this is not trusted unseen. */
const TRUSTED_FOR_MS = 750
const LOOK_AGAIN_AFTER_MS = 250
const KEYS_KEPT = 50_000
const BUSY_KEYS_KEPT = 1_000
const LAST_USED_EVERY_MS = minutes(1)

export interface VerifiedKey {
  id: string
  identity: Identity
}

interface Entry {
  live: LiveKey | null
  usedWrittenAt: number
}

export class KeyVerifier implements AsyncDisposable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #entries = new BoundedMap<string, Entry>(KEYS_KEPT)
  /**
   * By the key itself, which saves its hash (about 1 µs) for whoever calls again and again. Emptied
   * at every look, so that no key stays in memory longer than its caller stays busy.
   */
  readonly #busy = new BoundedMap<string, Entry>(BUSY_KEYS_KEPT)
  readonly #writes = new Set<Promise<void>>()
  #version: number | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Answers at once, without a promise, for a key that is known and fresh. */
  verify(key: string): VerifiedKey | null | Promise<VerifiedKey | null> {
    const now = this.#clock()
    const age = now - this.#lookedAt
    const entry = age < TRUSTED_FOR_MS ? this.#known(key) : undefined
    if (entry === undefined) {
      return isWellFormedKey(key) ? this.#verifyAtDatabase(hashOfKey(key)) : null
    }
    if (age > LOOK_AGAIN_AFTER_MS) this.#lookBeside()
    return this.#accept(entry, now)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.#looking, ...this.#writes])
  }

  #isTrusted(): boolean {
    return this.#clock() - this.#lookedAt < TRUSTED_FOR_MS
  }

  #known(key: string): Entry | undefined {
    const busy = this.#busy.get(key)
    if (busy !== undefined) return busy

    const entry = this.#entries.get(hashOfKey(key))
    if (entry !== undefined) this.#busy.set(key, entry)
    return entry
  }

  async #verifyAtDatabase(keyHash: string): Promise<VerifiedKey | null> {
    if (!this.#isTrusted()) await this.#look()
    // It may have been under way for long; the next one has begun after this request.
    if (!this.#isTrusted()) await this.#look()
    const known = this.#entries.get(keyHash)
    if (known !== undefined) return this.#accept(known, this.#clock())

    const versionBefore = this.#version
    const live = (await liveKeyByHash(this.#db, keyHash)) ?? null
    const entry = { live, usedWrittenAt: live?.lastUsedAt ?? Number.NEGATIVE_INFINITY }
    // Read before a change that was noticed since: right when it was read, not to be kept.
    if (this.#version === versionBefore) this.#entries.set(keyHash, entry)
    return this.#accept(entry, this.#clock())
  }

  #accept(entry: Entry, now: number): VerifiedKey | null {
    const { live } = entry
    if (live === null || (live.expiresAt !== null && live.expiresAt <= now)) return null

    if (now - entry.usedWrittenAt >= LAST_USED_EVERY_MS) {
      entry.usedWrittenAt = now
      this.#writeLastUsed(live, now)
    }
    return live
  }

  #lookBeside(): void {
    // A failed look makes the entries untrusted soon, and the request that finds them so reports it.
    this.#look().catch(() => {})
  }

  #look(): Promise<void> {
    this.#looking ??= this.#compareVersion().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #compareVersion(): Promise<void> {
    const startedAt = this.#clock()
    const version = await versionOf(this.#db, 'access')
    this.#busy.clear()
    if (version !== this.#version) this.#entries.clear()
    this.#version = version
    this.#lookedAt = startedAt
  }

  #writeLastUsed({ id, identity }: LiveKey, now: number): void {
    const key = { organizationId: identity.organizationId, id }
    const write = writeLastUsed(this.#db, key, now)
      .catch((error: unknown) => accessLog.warn({ err: error }, 'last use of a key not written'))
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }
}
