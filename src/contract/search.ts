import { z } from 'zod'
import { operation } from './operation.ts'
import { NextCursor, Record } from './record.ts'
import {
  beginsBeforeItEnds,
  ENDS_FIRST,
  filterFields,
  SearchedText,
  termFields,
} from './record-filter.ts'

const Mode = z.enum(['keyword', 'semantic'])

const SearchBody = z
  .strictObject({
    q: SearchedText.describe('What to search for.'),
    mode: Mode.default('keyword').describe(
      '`keyword`: the text as it stands, in title or body, whatever its case; newest first. `semantic`: by meaning.',
    ),
    ...filterFields,
    ...termFields,
  })
  .refine(beginsBeforeItEnds, ENDS_FIRST)
export type SearchBody = z.infer<typeof SearchBody>

export const Search = operation({
  id: 'search',
  method: 'POST',
  path: '/v1/search',
  summary: 'Search the records by keyword or by meaning.',
  access: { kind: 'api', scope: 'search:read' },
  body: SearchBody,
  response: z.strictObject({
    items: z.array(Record),
    nextCursor: NextCursor,
    mode: Mode.describe('The mode used.'),
    tier: z.enum(['quick']).describe('How it was ranked: `quick` is by the indexes alone.'),
    embeddedCount: z.number().describe('How many of the records can be found by meaning.'),
    channels: z.array(z.string()).describe('Names of the channels that were searched; sorted.'),
  }),
  errors: ['INVALID_CURSOR', 'SEMANTIC_UNAVAILABLE'],
})
