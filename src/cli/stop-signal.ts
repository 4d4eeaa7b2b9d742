import { OperatorError } from '../errors.ts'

export interface StopSignal extends Disposable {
  signal: AbortSignal
}

/** Aborted by Ctrl-C or SIGTERM: a long command ends at a good place instead of being cut off. */
export function stopSignal(): StopSignal {
  const controller = new AbortController()
  const stop = () => controller.abort(new OperatorError('Stopped. What was stored so far stays.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', stop).off('SIGTERM', stop)
    },
  }
}
