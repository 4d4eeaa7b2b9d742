// How far each way of looking got in the time it was given: the faster goes on.

export interface Effort {
  steps: number
  /** How far it got, in keys, and how long that took. */
  distance: number
  elapsedMs: number
}

export const NO_EFFORT: Effort = { steps: 0, distance: 0, elapsedMs: 0 }

const GROWTH = 4

/** Each is tried once, in the order given; then the fastest. */
export function nextEffort<Way extends { effort: Effort }>(ways: readonly Way[]): Way | undefined {
  const untried = ways.find(({ effort }) => effort.steps === 0)
  return untried ?? ways.toSorted((a, b) => speed(b.effort) - speed(a.effort))[0]
}

export function added(effort: Effort, distance: number, elapsedMs: number): Effort {
  return {
    steps: effort.steps + 1,
    distance: effort.distance + distance,
    elapsedMs: effort.elapsedMs + elapsedMs,
  }
}

/** How many rows the next step looks at. */
export function stepSize(
  { steps }: Effort,
  { first, most }: { first: number; most: number },
): number {
  return Math.min(most, first * GROWTH ** steps)
}

function speed({ distance, elapsedMs }: Effort): number {
  return distance / Math.max(elapsedMs, Number.MIN_VALUE)
}
