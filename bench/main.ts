// `npm run bench -- NAME`: every figure is a ratio to something plain that is measured in the same
// run, so that it means the same on any machine. `find` can be narrowed down to one size and one
// engine: `npm run bench -- find --records 100000 --engine sqlite`.

import { parseArgs } from 'node:util'
import { benchDeliver } from './deliver.ts'
import { benchFind } from './find.ts'
import { benchIngest } from './ingest.ts'
import { benchMatch } from './match.ts'
import { benchMe } from './me.ts'

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { records: { type: 'string' }, engine: { type: 'string' } },
})
const records = values.records === undefined ? undefined : Number(values.records)

const BENCHES: Record<string, () => Promise<void>> = {
  me: benchMe,
  ingest: benchIngest,
  match: benchMatch,
  find: () => benchFind({ records, engine: values.engine }),
  deliver: () => benchDeliver({ engine: values.engine }),
}

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
