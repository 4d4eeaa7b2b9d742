// A trie in one array: the child of a state by a symbol lies at `base + symbol`, and is its child
// only if it names the state as its parent. A state is four numbers that are read together.

export const ROOT = 0
export const SHIFT = 2
export const BASE = 0
export const PARENT = 1
/** The state of the longest proper suffix that is a state. */
export const FAIL = 2
/** The longest pattern that ends here, plus one; 0 for none. */
export const OUTPUT = 3

const NOBODY = -1
const FIRST_CELLS = 1_024

/** How often a family of children is tried to fit in before it is put at the end. */
const MOST_TRIES = 64

export interface DoubleArray {
  cells: Int32Array
  /** Every place before it is taken. */
  firstFree: number
  end: number
}

export function emptyDoubleArray(): DoubleArray {
  const cells = new Int32Array(FIRST_CELLS << SHIFT).fill(NOBODY)
  cells.set([0, NOBODY, ROOT, 0])
  return { cells, firstFree: 1, end: 1 }
}

/** Makes a child of the state for each of the symbols, which ascend, and tells its base. */
export function addChildren(
  array: DoubleArray,
  parent: number,
  symbols: readonly number[],
): number {
  const base = placeFor(array, symbols)
  array.cells[(parent << SHIFT) + BASE] = base
  for (const symbol of symbols) {
    const child = base + symbol
    array.cells.set([0, parent, ROOT, 0], child << SHIFT)
    array.end = Math.max(array.end, child + 1)
  }
  while (isTaken(array, array.firstFree)) array.firstFree += 1
  return base
}

/** The array without what is not used, but so that `base + symbol` is always inside. */
export function trimmedCells({ cells, end }: DoubleArray, alphabetSize: number): Int32Array {
  const trimmed = new Int32Array((end + alphabetSize) << SHIFT).fill(NOBODY)
  trimmed.set(cells.subarray(0, end << SHIFT))
  return trimmed
}

function placeFor(array: DoubleArray, symbols: readonly number[]): number {
  const [lowest = 0] = symbols
  const highest = symbols.at(-1) ?? lowest
  let place = Math.max(array.firstFree, lowest)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    reserve(array, place - lowest + highest)
    const base = place - lowest
    if (symbols.every((symbol) => !isTaken(array, base + symbol))) return base
    place += 1
  }
  const base = Math.max(array.end - lowest, 0)
  reserve(array, base + highest)
  return base
}

function isTaken({ cells }: DoubleArray, state: number): boolean {
  return state === ROOT || (cells[(state << SHIFT) + PARENT] ?? NOBODY) !== NOBODY
}

function reserve(array: DoubleArray, state: number): void {
  if ((state + 1) << SHIFT <= array.cells.length) return
  const grown = new Int32Array(((state + 1) << SHIFT) * 2).fill(NOBODY)
  grown.set(array.cells)
  array.cells = grown
}
