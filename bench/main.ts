// `npm run bench -- NAME`: every figure is a ratio to something plain that is measured in the same
// run, so that it means the same on any machine.

import { benchIngest } from './ingest.ts'
import { benchMatch } from './match.ts'
import { benchMe } from './me.ts'

const BENCHES: Record<string, () => Promise<void>> = {
  me: benchMe,
  ingest: benchIngest,
  match: benchMatch,
}

const names = process.argv.slice(2)
const wanted = names.length === 0 ? Object.keys(BENCHES) : names
for (const name of wanted) {
  const bench = BENCHES[name]
  if (bench === undefined) {
    process.stderr.write(
      `There is no bench ${name}. There is: ${Object.keys(BENCHES).join(', ')}.\n`,
    )
    process.exit(1)
  }
  await bench()
}
