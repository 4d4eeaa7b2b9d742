import { z } from 'zod'
import { operation } from './operation.ts'
import { Tag } from './tag.ts'

const IDS_MAX = 500
const TAGS_MAX = 20

const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .default([])
  .transform((tags) => [...new Set(tags)])

const RecordChange = z
  .strictObject({
    ids: z.array(z.string()).min(1).max(IDS_MAX).describe(`Which records; at most ${IDS_MAX}.`),
    read: z.boolean().optional(),
    archived: z.boolean().optional(),
    addTags: Tags.describe(
      'Given by a person: no rule takes them away. Only matched records have tags.',
    ),
    removeTags: Tags.describe('Taken away, whoever gave them.'),
  })
  .refine(
    ({ read, archived, addTags, removeTags }) =>
      read !== undefined || archived !== undefined || addTags.length + removeTags.length > 0,
    { path: [], error: 'Say what to change: read, archived, addTags or removeTags.' },
  )
  .refine(({ addTags, removeTags }) => !addTags.some((tag) => removeTags.includes(tag)), {
    path: ['removeTags'],
    error: 'A tag is either added or removed.',
  })
export type RecordChange = z.infer<typeof RecordChange>

export const ChangeRecords = operation({
  id: 'changeRecords',
  method: 'PATCH',
  path: '/api/records',
  summary: 'Mark records as read or archived, and tag them: all of them, or none.',
  access: { kind: 'session', right: 'records:work' },
  body: RecordChange,
  response: z.strictObject({ changed: z.number().describe('How many records there were.') }),
  errors: ['NOT_FOUND', 'CONFLICT'],
})
