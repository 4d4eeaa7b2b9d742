// Where randomness begins, and what a failure tells. `EARSHOT_TEST_SEED=7 npx vitest run test/find`
// tries other worlds.

import type { RunDetails } from 'fast-check'

const given = Number(process.env['EARSHOT_TEST_SEED'] ?? Number.NaN)

export const SEEDS: readonly number[] = Number.isInteger(given) ? [given] : [1, 2]

/** Shrinking stops in time to tell of the smallest failure that was found. */
const PATIENCE_MS = 60_000

export const TIMEOUT_MS = 2 * PATIENCE_MS

/** `shown` is what of a failing case is printed: enough to try it again. */
export function terms<Case>(
  seed: number,
  numRuns: number,
  shown = (failing: Case): unknown => failing,
) {
  return {
    seed,
    numRuns,
    interruptAfterTimeLimit: PATIENCE_MS,
    markInterruptAsFailure: true,
    reporter({ failed, counterexample, errorInstance }: RunDetails<Case>): void {
      if (!failed) return
      const smallest = counterexample === null ? '' : JSON.stringify(shown(counterexample))
      const how = errorInstance instanceof Error ? errorInstance.message : 'It took too long.'
      throw new Error(`EARSHOT_TEST_SEED=${seed}\n${how}\n${smallest}`, { cause: errorInstance })
    },
  }
}
