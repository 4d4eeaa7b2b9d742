// What records can be narrowed down by, in the two ways it is written: as JSON, and in a query string,
// where everything is text. Both come out the same.

import { z } from 'zod'
import { Beginning, End } from './day-or-instant.ts'
import { channelKey, Platform } from './platform.ts'

const TEXT_MAX = 400
const TERM_MAX = 100
const TERMS_MAX = 20
const LIMIT_MAX = 40
const LIMIT_DEFAULT = 20
const LIST_MAX = 1_000

/** A lone half of a character cannot be stored, so that it cannot be found either. */
const wellFormed = (text: string) => text.toWellFormed()

export const SearchedText = z
  .string()
  .trim()
  .min(1, 'Give at least one character.')
  .max(TEXT_MAX, `Use at most ${TEXT_MAX} characters.`)
  .transform(wellFormed)

const Terms = z
  .array(z.string().min(1).max(TERM_MAX).transform(wellFormed))
  .max(TERMS_MAX, `Give at most ${TERMS_MAX} terms.`)
  .default([])

const Limit = z
  .number()
  .int()
  .min(1, `Give a whole number from 1 to ${LIMIT_MAX}.`)
  .max(LIMIT_MAX, `Give a whole number from 1 to ${LIMIT_MAX}.`)

const Channel = z.string().transform(channelKey)
const Tag = z.string().transform(wellFormed)

/** In whatever order they are given, and how often: the same filter. */
const asSet = <Item extends string>(items: readonly Item[]) => [...new Set(items)].sort()

const listOf = <Item extends z.ZodType<string, string>>(item: Item) =>
  z.array(item).max(LIST_MAX).default([]).transform(asSet)

const DESCRIPTIONS = {
  subforums: 'Only these channels; upper and lower case are the same, with or without `r/`.',
  platforms: 'Only these platforms: `forum`, `newsboard`.',
  tags: 'Only records with any of these tags, which matched records have.',
  watcher_id: 'Only records of this watcher. An unknown one has none.',
  min_score: 'Minimum score.',
  min_comments: 'Minimum number of comments.',
  has_link: 'When true, only posts with an external link.',
  has_image: 'When true, only posts whose link looks like an image.',
  from: 'Only posts created on or after it; a date alone means its first instant in UTC.',
  to: 'Only posts created on or before it; a date alone means its last instant in UTC.',
  include_suppressed: 'When true, also records whose keyword match was judged coincidental.',
  limit: `Results per page: ${LIMIT_DEFAULT} unless said, at most ${LIMIT_MAX}.`,
  cursor: 'Copied from `nextCursor` of the page before, with the same filters.',
} as const

const describeAll = <Shape extends { [name in keyof typeof DESCRIPTIONS]: z.ZodType }>(
  shape: Shape,
): Shape => {
  const described = Object.entries(shape).map(([name, schema]) => [
    name,
    schema.describe(DESCRIPTIONS[name as keyof typeof DESCRIPTIONS]),
  ])
  return Object.fromEntries(described)
}

/** In a JSON body. */
export const filterFields = describeAll({
  subforums: listOf(Channel),
  platforms: listOf(Platform),
  tags: listOf(Tag),
  watcher_id: z.string().optional(),
  min_score: z.number().optional(),
  min_comments: z.number().optional(),
  has_link: z.boolean().default(false),
  has_image: z.boolean().default(false),
  from: Beginning.optional(),
  to: End.optional(),
  include_suppressed: z.boolean().default(false),
  limit: Limit.default(LIMIT_DEFAULT),
  cursor: z.string().optional(),
})

export const termFields = {
  include: Terms.describe('Every term must appear in title or body.'),
  exclude: Terms.describe('None of the terms may appear in title or body.'),
}

const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/

const NumberText = z
  .string()
  .refine((text) => PLAIN_DECIMAL.test(text), 'Give a plain decimal number, 10 for example.')
  .transform(Number)
  .meta({ type: 'number' })

export const BooleanText = z
  .string()
  .refine((text) => text === 'true' || text === 'false', 'Give true or false.')
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' })

/** Comma-separated; blanks and empty elements do not count. */
const listText = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string({ error: 'Give it once, as a comma-separated list.' })
    .transform((text) =>
      text
        .split(',')
        .map((element) => element.trim())
        .filter((element) => element !== ''),
    )
    .pipe(z.array(item).max(LIST_MAX))
    .default([])
    .transform(asSet)
    .meta({ type: 'array', items: { type: 'string' } })

/** In a query string. */
export const filterParameters = describeAll({
  subforums: listText(Channel),
  platforms: listText(Platform),
  tags: listText(Tag),
  watcher_id: z.string().optional(),
  min_score: NumberText.optional(),
  min_comments: NumberText.optional(),
  has_link: BooleanText.default(false),
  has_image: BooleanText.default(false),
  from: Beginning.optional(),
  to: End.optional(),
  include_suppressed: BooleanText.default(false),
  limit: NumberText.pipe(Limit)
    .default(LIMIT_DEFAULT)
    .meta({ type: 'integer', minimum: 1, maximum: LIMIT_MAX }),
  cursor: z.string().optional(),
})

interface Span {
  from?: number | undefined
  to?: number | undefined
}

function isSpan(value: unknown): value is Required<Span> {
  const { from, to } = (value ?? {}) as Span
  return typeof from === 'number' && typeof to === 'number'
}

export function beginsBeforeItEnds({ from, to }: Span): boolean {
  return from === undefined || to === undefined || from <= to
}

/** Told together with whatever else is wrong. */
export const ENDS_FIRST = {
  path: ['from'],
  error: 'It is later than `to`.',
  when: ({ value }: { value: unknown }) => isSpan(value),
}
