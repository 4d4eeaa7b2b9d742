import type { Command } from 'commander'
import { openDatabase } from '../db/open-database.ts'
import { systemClock } from '../lib/clock.ts'
import { checkPlace, explainOutage } from '../place.ts'
import { withConfig } from './command.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date (the service does so itself when it starts)')
    .action(
      withConfig(async (config) => {
        await checkPlace(config)
        await using database = await openDatabase(config.database)
        const applied = await database.migrate(systemClock()).catch(explainOutage(database))
        const text = applied === 0 ? 'Nothing to do.' : `${applied} applied.`
        return { report: { applied }, text: `${database.location}: ${text}` }
      }),
    )
}
