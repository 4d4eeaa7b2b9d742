// How fast each way of looking was in its last step: the fastest goes on. Earlier steps do not count,
// because what a statement costs in any case weighs more the smaller the step.

export interface Effort {
  steps: number
  /** Keys passed in a millisecond. */
  speed: number
  /** In all its steps. */
  spentMs: number
}

export const NO_EFFORT: Effort = { steps: 0, speed: 0, spentMs: 0 }

interface StepSizes {
  first: number
  most: number
}

/** How much longer each step is than the one before. */
export const GROWTH = 4

/** A short list gets a step whenever another way has taken so many times as long as the list. */
const FAIR_SHARE = 4

/**
 * Each is tried once, in the order given; then the fastest. But how far a list reaches tells little where
 * its records lie close together, and it may end any time: it is never left behind for long.
 */
export function nextEffort<Way extends { effort: Effort; isShortList: boolean }>(
  ways: readonly Way[],
): Way | null {
  const untried = ways.find(({ effort }) => effort.steps === 0)
  if (untried !== undefined) return untried
  const [fastest] = ways.toSorted((a, b) => b.effort.speed - a.effort.speed)
  if (fastest === undefined) return null
  const dueMs = fastest.effort.spentMs / FAIR_SHARE
  return ways.find((way) => way.isShortList && way.effort.spentMs < dueMs) ?? fastest
}

export function afterStep({ steps, spentMs }: Effort, distance: number, elapsedMs: number): Effort {
  const speed = distance / Math.max(elapsedMs, Number.MIN_VALUE)
  return { steps: steps + 1, speed, spentMs: spentMs + elapsedMs }
}

/** How many rows the next step looks at. */
export function stepSize({ steps }: Pick<Effort, 'steps'>, { first, most }: StepSizes): number {
  return Math.min(most, first * GROWTH ** steps)
}
