/** At most so many at once; the others wait in line. */
export class Slots {
  #free: number
  readonly #line = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leaveLine = () => {
      this.#line.delete(resolve)
      reject(signal.reason)
    }
    this.#line.add(resolve)
    signal.addEventListener('abort', leaveLine, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leaveLine))
  }

  /** Hands the slot to the first in line. */
  giveBack(): void {
    for (const next of this.#line) {
      this.#line.delete(next)
      next()
      return
    }
    this.#free += 1
  }
}
