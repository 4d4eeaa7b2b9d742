import { z } from 'zod'
import { operation } from './operation.ts'
import { NextCursor, Record } from './record.ts'
import {
  beginsBeforeItEnds,
  BooleanText,
  ENDS_FIRST,
  filterParameters,
  SearchedText,
} from './record-filter.ts'

const RecordQuery = z
  .strictObject({
    view: z
      .enum(['all', 'matched'])
      .default('all')
      .describe(
        '`all`: every post of the watched channels, newest first. `matched`: only posts that the rules of a watcher matched; `tags`, `read`, `archived` and `sort` apply to it alone.',
      ),
    ...filterParameters,
    keyword: SearchedText.optional().describe(
      'Text that must appear in title or body, whatever its case.',
    ),
    read: BooleanText.optional().describe('Only records that somebody has read, or nobody.'),
    archived: BooleanText.default(false).describe(
      'Only archived records, or, unless said, only the others.',
    ),
    sort: z
      .enum(['firstSeenAt', 'score', 'numComments'])
      .default('firstSeenAt')
      .describe('Descending.'),
  })
  .refine(beginsBeforeItEnds, ENDS_FIRST)
export type RecordQuery = z.infer<typeof RecordQuery>

export const ListRecords = operation({
  id: 'listRecords',
  method: 'GET',
  path: '/v1/records',
  summary: 'List records, a page at a time.',
  access: { kind: 'api', scope: 'records:read' },
  query: RecordQuery,
  response: z.strictObject({ items: z.array(Record), nextCursor: NextCursor }),
  errors: ['INVALID_CURSOR'],
})
