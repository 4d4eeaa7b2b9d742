// Reads a regular expression of RE2's syntax as far as needed to say which texts its matches cannot
// do without. Whatever it does not know makes it say nothing, so that no match is ever lost.

import { foldedLower } from './folding.ts'
import {
  ANYTHING,
  either,
  exactly,
  groupsOf,
  inSequence,
  NO_WIDTH,
  repeated,
  type Group,
  type Needs,
} from './needs.ts'
import { BLANK } from './white-space.ts'

interface Reading {
  letters: readonly string[]
  at: number
  isUnderstood: boolean
}

const GROUP_START = /^\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?:)/
const FLAGS = /^\?[imsU]*(?:-[imsU]+)?\)/
const COUNT = /^\{(?<least>\d+)(?<comma>,(?<most>\d*))?\}/
const PROPERTY = /^(?:\{\^?\w+\}|[A-Z])/
const SIMPLE_CLASS = /^[^\\^[\]-]+\]/
const CLASS = /^\^?\]?(?:\\[^QE]|[^\\[\]])*\]/

const ESCAPES: Record<string, Needs> = {
  d: ANYTHING,
  D: ANYTHING,
  w: ANYTHING,
  W: ANYTHING,
  S: ANYTHING,
  s: exactly([BLANK]),
  n: exactly([BLANK]),
  t: exactly([BLANK]),
  r: exactly([BLANK]),
  b: NO_WIDTH,
  B: NO_WIDTH,
  A: NO_WIDTH,
  z: NO_WIDTH,
}

/** Groups of lower-cased, folded texts; every match holds at least one text of each group. */
export function requiredTexts(regex: string): Group[] {
  const reading = { letters: [...regex], at: 0, isUnderstood: true }
  const needs = readAlternatives(reading)
  const isComplete = reading.isUnderstood && reading.at === reading.letters.length
  return isComplete ? groupsOf(needs) : []
}

function readAlternatives(reading: Reading): Needs {
  const first = readSequence(reading)
  const others: Needs[] = []
  while (take(reading, '|')) others.push(readSequence(reading))
  return others.length === 0 ? first : either([first, ...others])
}

function readSequence(reading: Reading): Needs {
  const parts: Needs[] = []
  while (reading.isUnderstood && !['|', ')', undefined].includes(peek(reading))) {
    parts.push(readRepeat(reading, readOne(reading)))
  }
  return inSequence(parts)
}

function readRepeat(reading: Reading, part: Needs): Needs {
  const [least, most] = readCount(reading)
  const isRepeated = least !== 1 || most !== 1
  if (isRepeated) take(reading, '?')
  return repeated(part, least, most)
}

function readCount(reading: Reading): [least: number, most: number] {
  if (take(reading, '?')) return [0, 1]
  if (take(reading, '*')) return [0, Infinity]
  if (take(reading, '+')) return [1, Infinity]
  const groups = takeMatch(reading, COUNT)?.groups
  if (groups === undefined) return [1, 1]
  const least = Number(groups['least'])
  if (groups['comma'] === undefined) return [least, least]
  return [least, groups['most'] === '' ? Infinity : Number(groups['most'])]
}

function readOne(reading: Reading): Needs {
  const letter = peek(reading) ?? ''
  reading.at += 1
  switch (letter) {
    case '(':
      return readGroup(reading)
    case '[':
      return readClass(reading)
    case '\\':
      return readEscape(reading)
    case '.':
      return ANYTHING
    case '^':
    case '$':
      return NO_WIDTH
    default:
      // There is nothing to repeat here, or a brace that only looks like a count.
      return '*+?{'.includes(letter) ? giveUp(reading) : exactly([folded(letter)])
  }
}

function readGroup(reading: Reading): Needs {
  if (takeMatch(reading, FLAGS) !== null) return NO_WIDTH
  if (peek(reading) === '?' && takeMatch(reading, GROUP_START) === null) return giveUp(reading)
  const needs = readAlternatives(reading)
  return take(reading, ')') ? needs : giveUp(reading)
}

function readClass(reading: Reading): Needs {
  const simple = takeMatch(reading, SIMPLE_CLASS)?.[0]
  if (simple !== undefined) return exactly(Array.from(simple.slice(0, -1), folded))
  return takeMatch(reading, CLASS) === null ? giveUp(reading) : ANYTHING
}

function readEscape(reading: Reading): Needs {
  const letter = peek(reading) ?? ''
  reading.at += 1
  if (letter === 'p' || letter === 'P') {
    return takeMatch(reading, PROPERTY) === null ? giveUp(reading) : ANYTHING
  }
  if (/^[!-/:-@[-`{-~]$/.test(letter)) return exactly([folded(letter)])
  return ESCAPES[letter] ?? giveUp(reading)
}

function giveUp(reading: Reading): Needs {
  reading.isUnderstood = false
  return ANYTHING
}

function folded(letter: string): string {
  return foldedLower(letter.toLowerCase())
}

function peek({ letters, at }: Reading): string | undefined {
  return letters[at]
}

function take(reading: Reading, letter: string): boolean {
  if (peek(reading) !== letter) return false
  reading.at += 1
  return true
}

function takeMatch(reading: Reading, token: RegExp): RegExpExecArray | null {
  const found = token.exec(reading.letters.slice(reading.at).join(''))
  if (found !== null) reading.at += [...found[0]].length
  return found
}
