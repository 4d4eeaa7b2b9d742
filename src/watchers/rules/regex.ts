// Regular expressions of people run in RE2's engine only: it takes time in proportion to the text,
// whatever the expression.

import { RE2JS, RE2Set } from 're2js'

/** Measured: beyond this the states of one set grow faster than another set costs. */
const SET_SIZE = 16

export function compileRegex(regex: string): RE2JS {
  return RE2JS.compile(regex, RE2JS.CASE_INSENSITIVE)
}

export function firstPosition(regex: RE2JS, text: string): number | null {
  const matcher = regex.matcher(text)
  return matcher.find() ? matcher.start() : null
}

export interface UnhintedRegex {
  name: number
  text: string
  fields: readonly number[]
}

/** Expressions that are tried together; the set tells of each by its place among the names. */
export interface RegexSet {
  set: RE2Set
  names: readonly number[]
  fields: readonly number[]
}

export function regexSets(regexes: readonly UnhintedRegex[]): RegexSet[] {
  const sets: RegexSet[] = []
  for (let start = 0; start < regexes.length; start += SET_SIZE) {
    sets.push(regexSet(regexes.slice(start, start + SET_SIZE)))
  }
  return sets
}

function regexSet(regexes: readonly UnhintedRegex[]): RegexSet {
  const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE)
  for (const { text } of regexes) set.add(text)
  set.compile()
  return {
    set,
    names: regexes.map(({ name }) => name),
    fields: [...new Set(regexes.flatMap(({ fields }) => fields))],
  }
}
