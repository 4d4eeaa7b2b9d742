// Aho–Corasick: finds every occurrence of every pattern in one pass over a text, however many
// patterns there are. A run of white space in the text counts as one blank, so patterns have
// single blanks only.

import {
  alphabetOf,
  blankOf,
  IN_PAGE,
  OTHER,
  PAGE_BITS,
  symbolOf,
  type Alphabet,
} from './alphabet.ts'
import {
  addChildren,
  BASE,
  emptyDoubleArray,
  FAIL,
  OUTPUT,
  PARENT,
  ROOT,
  SHIFT,
  trimmedCells,
  type DoubleArray,
} from './double-array.ts'

export interface Automaton {
  alphabet: Alphabet
  cells: Int32Array
  /** For each pattern, the longest other one it ends with, plus one; 0 for none. */
  shorter: Int32Array
}

/** Patterns that share a beginning, which is a state. */
interface Branch {
  state: number
  depth: number
  from: number
  to: number
}

interface Growth extends Pick<Automaton, 'alphabet' | 'shorter'> {
  array: DoubleArray
  patterns: readonly string[]
}

/** The patterns are distinct, not empty, and sorted as `sort` does. */
export function buildAutomaton(patterns: readonly string[]): Automaton {
  const alphabet = alphabetOf(patterns)
  const shorter = new Int32Array(patterns.length)
  const growth = { alphabet, shorter, array: emptyDoubleArray(), patterns }
  const branches: Branch[] = [{ state: ROOT, depth: 0, from: 0, to: patterns.length }]
  // Breadth first: what a state fails to is shorter, and therefore finished before it.
  for (const branch of branches) {
    for (const twig of grow(growth, withoutEnd(growth, branch))) branches.push(twig)
  }
  return { alphabet, shorter, cells: trimmedCells(growth.array, alphabet.size) }
}

/** Calls `onHit` with each pattern found and the index of its last unit, in the order of those. */
export function scan(
  { alphabet, cells, shorter }: Automaton,
  text: string,
  onHit: (pattern: number, last: number) => void,
): void {
  const { pages, symbols } = alphabet // a third faster than inside the loop
  const blank = blankOf(alphabet)
  let state = ROOT
  let previous = OTHER
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const symbol = symbols[(pages[unit >> PAGE_BITS] ?? 0) + (unit & IN_PAGE)] ?? OTHER
    if (symbol === blank && previous === blank) continue
    previous = symbol
    state = symbol === OTHER ? ROOT : nextState(cells, state, symbol)
    let output = cells[(state << SHIFT) + OUTPUT] ?? 0
    while (output !== 0) {
      onHit(output - 1, index)
      output = shorter[output - 1] ?? 0
    }
  }
}

function nextState(cells: Int32Array, from: number, symbol: number): number {
  let state = from
  for (;;) {
    const child = (cells[(state << SHIFT) + BASE] ?? 0) + symbol
    if (cells[(child << SHIFT) + PARENT] === state) return child
    if (state === ROOT) return ROOT
    state = cells[(state << SHIFT) + FAIL] ?? ROOT
  }
}

/** Notes what ends at the state of the branch; the branch without a pattern that ends there. */
function withoutEnd({ array, patterns, shorter }: Growth, branch: Branch): Branch {
  const { state, depth, from } = branch
  if (state === ROOT) return branch
  const inherited = outputOf(array, failOf(array, state))
  const isEnd = patterns[from]?.length === depth
  if (isEnd) shorter[from] = inherited
  array.cells[(state << SHIFT) + OUTPUT] = isEnd ? from + 1 : inherited
  return isEnd ? { ...branch, from: from + 1 } : branch
}

function grow({ alphabet, array, patterns }: Growth, branch: Branch): Branch[] {
  const { state, depth } = branch
  const groups = groupsOf(patterns, branch)
  const symbols = groups.map(({ unit }) => symbolOf(alphabet, unit))
  if (symbols.length === 0) return []

  const base = addChildren(array, state, symbols)
  return groups.map(({ from, to }, index) => {
    const symbol = symbols[index] ?? OTHER
    const fail = state === ROOT ? ROOT : nextState(array.cells, failOf(array, state), symbol)
    array.cells[((base + symbol) << SHIFT) + FAIL] = fail
    return { state: base + symbol, depth: depth + 1, from, to }
  })
}

/** The patterns of a branch by the unit they go on with. */
function groupsOf(patterns: readonly string[], { depth, from, to }: Branch) {
  const groups: { unit: number; from: number; to: number }[] = []
  for (let index = from; index < to; index += 1) {
    const unit = patterns[index]?.charCodeAt(depth) ?? 0
    const last = groups.at(-1)
    if (last?.unit === unit) last.to = index + 1
    else groups.push({ unit, from: index, to: index + 1 })
  }
  return groups
}

function failOf({ cells }: DoubleArray, state: number): number {
  return cells[(state << SHIFT) + FAIL] ?? ROOT
}

function outputOf({ cells }: DoubleArray, state: number): number {
  return cells[(state << SHIFT) + OUTPUT] ?? 0
}
