import { RE2JSException, RE2JSSyntaxException, type RE2JS } from 're2js'
import type { Rule } from '../../contract/watcher.ts'
import type { ErrorDetail } from '../../errors.ts'
import { isTooComplex } from './regex-cost.ts'
import { compileRegex } from './regex.ts'

const LISTS = ['any', 'all', 'none'] as const

/** On one of these, whatever matches nothing at all shows it. */
const SAMPLES = ['', 'a', ' a ']

const TOO_LARGE = 'expression too large'
const TOO_COMPLEX =
  'is too complex: use fewer or smaller counted repetitions such as {0,50}, or split it into several'

/** What is wrong with the terms of rules whose shape is right. */
export function ruleMistakes(rules: readonly Rule[]): ErrorDetail[] {
  return rules.flatMap((rule, index) =>
    rule.kind === 'regex'
      ? LISTS.flatMap((list) => listMistakes(rule, `rules.${index}`, list))
      : [],
  )
}

function listMistakes(rule: Rule, path: string, list: (typeof LISTS)[number]): ErrorDetail[] {
  return rule[list].flatMap((term, index) => {
    const mistake = regexMistake(term)
    if (mistake === null) return []
    return [{ path: `${path}.${list}.${index}`, message: `“${term}” ${mistake}` }]
  })
}

function regexMistake(term: string): string | null {
  try {
    const regex = compileRegex(term)
    if (matchesNothing(regex)) return 'matches the empty text, and so every post'
    return isTooComplex(regex) ? TOO_COMPLEX : null
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error instanceof RE2JSSyntaxException ? error.getDescription() : error.message
    if (reason === TOO_LARGE) return TOO_COMPLEX
    return `is not a regular expression RE2 understands: ${reason}`
  }
}

function matchesNothing(regex: RE2JS): boolean {
  return SAMPLES.some((sample) => {
    const matcher = regex.matcher(sample)
    return matcher.find() && matcher.start() === matcher.end()
  })
}
