// Requests of both operations, of all parameters in all combinations. A recipe says how to make one
// of a world: terms are mostly cut out of its texts, so that they are found.

import fc from 'fast-check'
import type { Fact, SearchRequest, WireRequest } from './oracle.ts'
import { WORDS } from './texts.ts'
import type { World } from './built-world.ts'
import { SUBFORUMS, TAGS } from './worlds.ts'

type TermRecipe =
  | { kind: 'text'; text: string }
  | { kind: 'cut'; from: 'title' | 'body'; record: number; at: number; length: number; as: Case }
  /** What only the two together would have. */
  | { kind: 'border'; record: number; length: number; glue: string }

/** As it is, or so many days after the world's day. */
type TimeRecipe = string | { days: number; clock: string }

type Case = 'same' | 'upper' | 'lower'

export interface Recipe {
  operation: 'list' | 'matched' | 'search'
  term: TermRecipe | undefined
  include: TermRecipe[] | undefined
  exclude: TermRecipe[] | undefined
  subforums: string[] | undefined
  platforms: string[] | undefined
  tags: string[] | undefined
  watcher: number | undefined
  minScore: string | undefined
  minComments: string | undefined
  hasLink: boolean | undefined
  hasImage: boolean | undefined
  from: TimeRecipe | undefined
  to: TimeRecipe | undefined
  suppressed: boolean | undefined
  read: boolean | undefined
  archived: boolean | undefined
  sort: 'firstSeenAt' | 'score' | 'numComments' | undefined
  /** Between the elements of a list in a query string. */
  comma: string
  /** Of the pages, over and over; 0 leaves it out. */
  limits: number[]
}

const Q_MAX = 400
const TERM_MAX = 100
const DAY_MS = 86_400_000

const ODD_TERMS = ['\0', 'a\0', '\u001f', '\ud83d', '"', "'", '%%', '__', '\\', '\\%', ' ', 'a b']
const ODD_WATCHERS = ['wat_01k9z3v5q8r2t4w6y8a0c2e4g6', '', "wat_'", 'wat_\0', '%', 'wat_\ufffd']

const EXTREMES = [
  '0001-01-01',
  '1910-01-01',
  '9999-12-31',
  '1969-12-31T23:59:59Z',
  '2200-01-01T00:00:00.5Z',
]
/** Behind a date; nothing means the whole day. */
const CLOCKS = [
  '',
  '',
  '',
  'T00:00:00Z',
  'T00:00:00.001Z',
  'T12:00:00.000Z',
  'T13:00:00+01:00',
  'T23:59:59.999Z',
  'T23:59:59-00:30',
]
const NUMBERS = ['-7', '-0.5', '0', '0.5', '1', '2', '2.0', '2.5', '3', '10', '999.9', '-1']
const EXTREME_NUMBERS = ['99999999999999999999', '-99999999999999999999', '9007199254740993']

/** Given once in so many requests. */
function once<Value>(
  inSoMany: number,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | undefined> {
  return fc.oneof(
    { weight: inSoMany - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  )
}

/** Short ones above all: one and two characters are the hard ones for an index of three. */
const length = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 12 }))

function termOf(words: readonly string[]): fc.Arbitrary<TermRecipe> {
  const cut = fc.record({
    kind: fc.constant('cut' as const),
    from: fc.constantFrom('title' as const, 'body' as const),
    record: fc.nat(10_000),
    at: fc.nat(400),
    length,
    as: fc.constantFrom<Case>('same', 'upper', 'lower'),
  })
  const border = fc.record({
    kind: fc.constant('border' as const),
    record: fc.nat(10_000),
    length: fc.integer({ min: 1, max: 5 }),
    glue: fc.constantFrom('', ' ', '\n', '\u001f'),
  })
  const text = (texts: readonly string[]) =>
    fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom(...texts) })
  return fc.oneof(
    { weight: 8, arbitrary: cut },
    { weight: 5, arbitrary: text(words) },
    { weight: 1, arbitrary: border },
    { weight: 1, arbitrary: text(ODD_TERMS) },
  )
}

const subforum = fc
  .tuple(
    fc.constantFrom(...SUBFORUMS, 'absent', 'a%b', 'a\0b'),
    fc.constantFrom('', '', 'r/', 'R/'),
    fc.constantFrom<Case>('same', 'upper', 'lower'),
  )
  .map(([name, prefix, as]) => prefix + inCase(name, as))

const time: fc.Arbitrary<TimeRecipe> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      days: fc.constantFrom(-500, -30, -5, -1, 0, 0, 1, 2, 3),
      clock: fc.constantFrom(...CLOCKS),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom(...EXTREMES) },
)

const number = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.constantFrom(...EXTREME_NUMBERS) },
)

/** Words are what terms may be beside what is cut out of the records. */
export function recipeWith(words: readonly string[] = WORDS): fc.Arbitrary<Recipe> {
  const term = termOf(words)
  const most = (maxLength: number) => ({ minLength: 0, maxLength })
  return fc.record<Recipe>({
    operation: fc.constantFrom('list' as const, 'matched' as const, 'search' as const),
    term: once(2, term),
    include: once(6, fc.array(term, most(2))),
    exclude: once(6, fc.array(term, most(2))),
    subforums: once(6, fc.array(subforum, most(3))),
    platforms: once(6, fc.subarray(['forum', 'newsboard'])),
    tags: once(5, fc.array(fc.constantFrom(...TAGS, 'absent', 'a\0'), most(3))),
    watcher: once(4, fc.nat(20)),
    minScore: once(7, number),
    minComments: once(7, number),
    hasLink: once(6, fc.boolean()),
    hasImage: once(8, fc.boolean()),
    from: once(7, time),
    to: once(7, time),
    suppressed: once(3, fc.boolean()),
    read: once(4, fc.boolean()),
    archived: once(4, fc.boolean()),
    sort: once(
      2,
      fc.constantFrom('firstSeenAt' as const, 'score' as const, 'numComments' as const),
    ),
    comma: fc.constantFrom(',', ',', ' , ', ',,', ', ,'),
    limits: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })), {
      minLength: 1,
      maxLength: 4,
    }),
  })
}

/** The request a recipe makes of a world; other worlds lend their watchers. */
export function requestOf(recipe: Recipe, world: World, others: readonly World[]): WireRequest {
  const watcherId = watcherOf(recipe.watcher, world, others)
  return recipe.operation === 'search'
    ? { operation: 'search', body: bodyOf(recipe, world, watcherId) }
    : { operation: 'list', query: queryOf(recipe, world, watcherId) }
}

function bodyOf(recipe: Recipe, world: World, watcherId: string | undefined): SearchRequest {
  const termsOf = (recipes: TermRecipe[]) =>
    recipes.map((one) => textOf(one, world).slice(0, TERM_MAX) || 'a')
  const { minScore, minComments, include, exclude } = recipe
  const q = qOf(recipe.term ?? { kind: 'text', text: 'a' }, world)
  const filters = given({
    subforums: recipe.subforums,
    platforms: recipe.platforms,
    tags: recipe.tags,
    watcher_id: watcherId,
    min_score: minScore === undefined ? undefined : Number(minScore),
    min_comments: minComments === undefined ? undefined : Number(minComments),
    has_link: recipe.hasLink,
    has_image: recipe.hasImage,
    from: timeOf(recipe.from, world),
    to: timeOf(recipe.to, world),
    include_suppressed: recipe.suppressed,
    include: include && termsOf(include),
    exclude: exclude && termsOf(exclude),
  })
  return { q, ...filters }
}

function queryOf(
  recipe: Recipe,
  world: World,
  watcherId: string | undefined,
): Record<string, string> {
  const list = (items: string[] | undefined) => items?.join(recipe.comma)
  const query = given({
    view: recipe.operation === 'matched' ? 'matched' : undefined,
    keyword: recipe.term && qOf(recipe.term, world),
    subforums: list(recipe.subforums),
    platforms: list(recipe.platforms),
    tags: list(recipe.tags),
    watcher_id: watcherId,
    min_score: recipe.minScore,
    min_comments: recipe.minComments,
    has_link: recipe.hasLink,
    has_image: recipe.hasImage,
    from: timeOf(recipe.from, world),
    to: timeOf(recipe.to, world),
    include_suppressed: recipe.suppressed,
    read: recipe.read,
    archived: recipe.archived,
    sort: recipe.sort,
  })
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function watcherOf(
  index: number | undefined,
  { watchers }: World,
  others: readonly World[],
): string | undefined {
  if (index === undefined) return undefined
  const foreign = others.flatMap((one) => one.watchers.slice(0, 1))
  const own = watchers.map(({ id }) => id)
  const ids = [...own, ...own, ...own, ...foreign.map(({ id }) => id), ...ODD_WATCHERS]
  return ids[index % ids.length]
}

function timeOf(recipe: TimeRecipe | undefined, { day }: World): string | undefined {
  if (typeof recipe !== 'object') return recipe
  const date = new Date(day + recipe.days * DAY_MS).toISOString().slice(0, 10)
  return date + recipe.clock
}

/** Neither blank nor too long. */
function qOf(recipe: TermRecipe, world: World): string {
  const text = textOf(recipe, world).slice(0, Q_MAX)
  return text.trim() === '' ? 'a' : text
}

function textOf(recipe: TermRecipe, { records }: World): string {
  if (recipe.kind === 'text') return recipe.text
  const record = records[recipe.record % Math.max(1, records.length)]
  if (record === undefined) return 'a'
  if (recipe.kind === 'border') return borderOf(record, recipe)
  const text = record[recipe.from] || record.title
  const start = recipe.at % Math.max(1, text.length)
  return inCase(text.slice(start, start + recipe.length), recipe.as)
}

function borderOf({ title, body }: Fact, recipe: { length: number; glue: string }): string {
  return title.slice(-recipe.length) + recipe.glue + body.slice(0, recipe.length)
}

function inCase(text: string, as: Case): string {
  if (as === 'upper') return text.toUpperCase()
  return as === 'lower' ? text.toLowerCase() : text
}
