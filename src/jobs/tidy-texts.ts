import { setTimeout as sleep } from 'node:timers/promises'
import { TEXT_INDEX } from '../ingest/text-index.ts'
import type { RecurringJob } from './job.ts'

/** Others get their turn at the writer. */
const PAUSE_MS = 20

/** Keeps the text index in few parts, so that searches stay fast after many small rounds. */
export const tidyTexts: RecurringJob = {
  kind: 'recurring',
  name: 'tidy_texts',
  queue: 'work',
  everyMs: ({ config }) => config.jobs.tidyEveryMs,

  async run({ db, database }, signal) {
    const { tidy } = TEXT_INDEX[database.engine]
    let steps = 0
    for (; await tidy(db); steps += 1) {
      signal.throwIfAborted()
      await sleep(PAUSE_MS)
    }
    return { steps }
  },
}
