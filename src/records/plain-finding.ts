// What is asked for the most: everything, or whatever contains one term. Nothing else is asked of a record
// then, but perhaps that it is not suppressed.

import type { Finding } from './finding.ts'

export function isEverything(finding: Finding): boolean {
  return finding.wanted.terms.length === 0 && finding.shownTerm === null && isUnfiltered(finding)
}

/** A search for one term, which is also what excerpts show. */
export function isOneTerm(finding: Finding): boolean {
  const [term, ...others] = finding.wanted.terms
  const isShown = term !== undefined && term === finding.shownTerm
  return isShown && others.length === 0 && isUnfiltered(finding)
}

function isUnfiltered({ wanted, watch }: Finding): boolean {
  const { includeSuppressed: _whether, terms: _texts, order, ...filters } = wanted
  const asksNothing = Object.values(filters).every(
    (filter) => filter === null || filter === false || isEmpty(filter),
  )
  return asksNothing && order === 'newest' && watch === null
}

function isEmpty(filter: unknown): boolean {
  return Array.isArray(filter) && filter.length === 0
}
