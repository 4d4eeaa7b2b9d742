import type { NewWatcher } from '../contract/watcher.ts'
import { AppError, type ErrorDetail } from '../errors.ts'
import { ruleMistakes } from './rules/check-rules.ts'

/** What a schema cannot see: whether a regex can be run, and what this installation allows. */
export function checkWatcher(
  { rules, intervalSeconds }: NewWatcher,
  { minIntervalSeconds }: { minIntervalSeconds: number },
): void {
  const details: ErrorDetail[] = ruleMistakes(rules)
  if (intervalSeconds < minIntervalSeconds) {
    details.push({
      path: 'intervalSeconds',
      message: `must be at least ${minIntervalSeconds} seconds`,
    })
  }
  if (details.length === 0) return
  throw new AppError('INVALID_REQUEST', 'The watcher is not accepted:', { details })
}
