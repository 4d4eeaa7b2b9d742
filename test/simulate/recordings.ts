// What the platforms really answered once, where these recordings are at hand.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../shared/data/fixtures')

export const hasRecordings = existsSync(FOLDER)
export const WHERE = hasRecordings ? '' : ' (skipped: there is no ../shared/data/fixtures)'

/** Which types of JSON every field has been seen with. */
export type FieldTypes = Map<string, Set<string>>

export function fieldTypesOf(things: readonly object[]): FieldTypes {
  const types: FieldTypes = new Map()
  for (const [name, value] of things.flatMap((thing) => Object.entries(thing))) {
    types.set(name, (types.get(name) ?? new Set()).add(typeName(value)))
  }
  return types
}

/** Fields that were never seen, or never with this type. */
export function strangeFields(thing: object, known: FieldTypes): string[] {
  return Object.entries(thing)
    .filter(([name, value]) => known.get(name)?.has(typeName(value)) !== true)
    .map(([name, value]) => `${name}: ${typeName(value)}`)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export function forumRecordings(): Record<string, unknown>[] {
  return globSync('forum/*praw__*.json', { cwd: FOLDER }).map((file) => read(file))
}

/** Every post in them. */
export function recordedThings(): object[] {
  return forumRecordings()
    .flatMap(({ body }) => (Array.isArray(body) ? body : [body]))
    .flatMap((listing) => listing?.data?.children ?? [])
    .filter(({ kind }) => kind === 't3')
    .map(({ data }) => data)
}

export function recordedItem(name: string): object {
  return read(`newsboard/firebase/${name}.json`)
}

export function recordedSearch(): { hits: object[] } {
  return read('newsboard/algolia_front_page_2020.json')
}

function read(file: string) {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
}
