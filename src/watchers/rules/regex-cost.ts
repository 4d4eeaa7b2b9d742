// How expensive a regular expression can become. RE2's engine is fast while it meets few different
// states. Counted repetitions that may begin anywhere (`a.{0,60}b`) make a new one of nearly every
// character, and what then remains costs about 30 ns for each character and instruction.
// Measured on 40,000 characters: `a.{0,60}b.{0,60}q` 400 ms, `a.{100}b` 14 ms, usual ones below 1 ms.

import type { RE2JS } from 're2js'

const MOST_INSTRUCTIONS = 400
const STRESS_LENGTH = 2_000
const MOST_NEW_STATES = 300

const SYNTAX = /[\\()[\]{}*+?.^$|]/g

export function isTooComplex(regex: RE2JS): boolean {
  if (regex.programSize() > MOST_INSTRUCTIONS) return true
  const letters = [...new Set(`${regex.pattern().replace(SYNTAX, '')} 0`)]
  // A match ends the search, so each letter is left out once.
  return letters.some((omitted) => {
    const rest = letters.filter((letter) => letter !== omitted)
    return newStates(regex, stressText(rest)) > MOST_NEW_STATES
  })
}

function newStates(regex: RE2JS, text: string): number {
  const before = regex.re2().dfa.stateCount
  regex.test(text)
  return regex.re2().dfa.stateCount - before
}

/** The letters in no order, but always the same, so that a rule is judged alike every time. */
function stressText(letters: readonly string[]): string {
  let state = 1
  let text = ''
  while (text.length < STRESS_LENGTH) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += letters[(state >>> 8) % letters.length] ?? ''
  }
  return text
}
