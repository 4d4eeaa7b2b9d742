import { setTimeout } from 'node:timers/promises'

/** Waits; an abort ends it at once with the abort's own reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  try {
    await setTimeout(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
