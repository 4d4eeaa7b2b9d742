// How fast each way of looking was in its last step: the fastest goes on. Earlier steps do not count,
// because what a statement costs in any case weighs more the smaller the step.

export interface Effort {
  steps: number
  /** Keys passed in a millisecond. */
  speed: number
}

export const NO_EFFORT: Effort = { steps: 0, speed: 0 }

interface StepSizes {
  first: number
  most: number
}

/** How much longer each step is than the one before. */
export const GROWTH = 4

/** Each is tried once, in the order given; then the fastest. */
export function nextEffort<Way extends { effort: Effort }>(ways: readonly Way[]): Way | null {
  const untried = ways.find(({ effort }) => effort.steps === 0)
  return untried ?? ways.toSorted((a, b) => b.effort.speed - a.effort.speed)[0] ?? null
}

export function afterStep({ steps }: Effort, distance: number, elapsedMs: number): Effort {
  return { steps: steps + 1, speed: distance / Math.max(elapsedMs, Number.MIN_VALUE) }
}

/** How many rows the next step looks at. */
export function stepSize({ steps }: Effort, { first, most }: StepSizes): number {
  return Math.min(most, first * GROWTH ** steps)
}
