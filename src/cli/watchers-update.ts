import type { Command } from 'commander'
import { previewRules, type Preview } from '../ingest/preview-rules.ts'
import { rematchOf } from '../jobs/rematch-watcher.ts'
import { changeWatcher } from '../watchers/change-watcher.ts'
import { checkWatcher } from '../watchers/check-watcher.ts'
import { withApp } from './command.ts'
import { findWatcher } from './find-watcher.ts'
import { columns } from './output.ts'
import { readWatcherFile } from './watcher-file.ts'

interface Options extends Record<string, unknown> {
  file: string
  preview?: boolean
}

export function addWatchersUpdate(watchers: Command): void {
  watchers
    .command('update')
    .argument('<id>', 'the watcher')
    .description('change a watcher; the service applies new rules to what is stored')
    .requiredOption('--file <file>', 'the whole watcher as JSON; - reads standard input')
    .option('--preview', 'only tell what its rules would add and drop, per day')
    .action(
      withApp<Options>(async (app, { file, preview }, [id = '']) => {
        const key = await findWatcher(app, id)
        const wanted = await readWatcherFile(file)
        const { minIntervalSeconds } = app.config.watchers
        if (preview) {
          checkWatcher(wanted, { minIntervalSeconds })
          const report = await previewRules(app.db, await rematchOf(app, { ...key, ...wanted }))
          return { report: { ...report }, text: textOf(report) }
        }
        await changeWatcher({ db: app.db, minIntervalSeconds, now: app.clock() }, key, wanted)
        return { report: { id }, text: `${id} is changed.` }
      }),
    )
}

function textOf({ examined, add, drop, keep, days }: Preview): string {
  const sum = `Of ${examined} records: ${add} would be added, ${drop} dropped, ${keep} stay.`
  if (days.length === 0) return sum
  const rows = days.map((one) => [one.day, `+${one.add}`, `-${one.drop}`])
  return `${sum}\n\n${columns([['DAY', 'ADD', 'DROP'], ...rows])}`
}
