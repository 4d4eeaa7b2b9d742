// What a part of a regular expression needs to see in a text. The algebra is conservative: it may
// know less than is true, never more.

import { BLANK, withSingleBlanks } from './white-space.ts'

export interface Needs {
  /** All texts the part matches, if they are known and few. */
  exact: readonly string[] | null
  /** Every match holds at least one text of each group. */
  groups: readonly Group[]
}

export type Group = readonly string[]

const MOST_TEXTS = 16

/** One such character is seldom enough in a post to be worth looking for. */
const TELLING = /[^\p{L}\p{N}\s.,;:!?'"()/-]/u

export const ANYTHING: Needs = { exact: null, groups: [] }
export const NO_WIDTH: Needs = { exact: [''], groups: [] }

export function exactly(texts: readonly string[]): Needs {
  const distinct = [...new Set(texts)]
  return distinct.length > MOST_TEXTS ? ANYTHING : { exact: distinct, groups: [] }
}

export function either(parts: readonly Needs[]): Needs {
  const exact = parts.flatMap((part) => part.exact ?? [])
  if (parts.every((part) => part.exact !== null) && exact.length <= MOST_TEXTS) {
    return exactly(exact)
  }
  const longest = parts.map(
    (part) => groupsOf(part).toSorted((a, b) => shortest(b) - shortest(a))[0],
  )
  const texts = longest.flatMap((group) => group ?? [])
  const isKnown = !longest.includes(undefined) && texts.length <= MOST_TEXTS
  return isKnown ? { exact: null, groups: [texts] } : ANYTHING
}

export function inSequence(parts: readonly Needs[]): Needs {
  const groups: Group[] = []
  let run: readonly string[] = ['']
  let isExact = true
  for (const part of parts) {
    if (part.exact !== null && part.exact.length * run.length <= MOST_TEXTS) {
      run = run.flatMap((head) => part.exact?.map((tail) => head + tail) ?? [])
      continue
    }
    isExact = false
    groups.push(...groupsOf({ exact: run, groups: [] }), ...part.groups)
    run = part.exact ?? ['']
  }
  const last = exactly(run)
  return isExact ? last : { exact: null, groups: [...groups, ...groupsOf(last)] }
}

export function repeated(part: Needs, atLeast: number, atMost: number): Needs {
  if (atLeast === 1 && atMost === 1) return part
  // However many blanks there are, they count as one.
  if (part.exact?.every((text) => text === BLANK) === true) {
    return exactly(atLeast === 0 ? ['', BLANK] : [BLANK])
  }
  if (atLeast > 0) return { exact: null, groups: groupsOf(part) }
  return atMost === 1 && part.exact !== null ? exactly(['', ...part.exact]) : ANYTHING
}

/** The groups that are worth looking for. */
export function groupsOf({ exact, groups }: Needs): Group[] {
  const texts = exact?.map(withSingleBlanks) ?? []
  const isTelling = texts.length > 0 && texts.every(isTellingText)
  return isTelling ? [...groups, withoutLonger(texts)] : [...groups]
}

/** A text that holds another one need not be looked for. */
function withoutLonger(texts: readonly string[]): Group {
  return [...new Set(texts)].filter(
    (text) => !texts.some((other) => other !== text && text.includes(other)),
  )
}

function isTellingText(text: string): boolean {
  return text.trim().length > 1 || TELLING.test(text)
}

function shortest(group: Group): number {
  return Math.min(...group.map((text) => text.length))
}
