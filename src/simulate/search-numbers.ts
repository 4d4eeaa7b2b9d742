const FIELDS = ['created_at_i', 'points', 'num_comments'] as const
type Field = (typeof FIELDS)[number]
export type Numbers = Record<Field, number>

const COMPARISONS: Record<string, (left: number, right: number) => boolean> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>=': (left, right) => left >= right,
  '>': (left, right) => left > right,
}

/** `created_at_i>1700000000,points>=10`: all of them. Null when one cannot be read. */
export function numericTest(expression: string): ((numbers: Numbers) => boolean) | null {
  const tests: ((numbers: Numbers) => boolean)[] = []
  for (const part of expression.split(',').filter((part) => part.trim() !== '')) {
    const test = oneTest(part)
    if (test === null) return null
    tests.push(test)
  }
  return (numbers) => tests.every((test) => test(numbers))
}

function oneTest(part: string): ((numbers: Numbers) => boolean) | null {
  const groups = /^\s*(?<name>\w+)\s*(?<operator>[<>]=?|!?=)\s*(?<value>-?\d+)\s*$/.exec(
    part,
  )?.groups
  const field = FIELDS.find((name) => name === groups?.['name'])
  const compare = COMPARISONS[groups?.['operator'] ?? '']
  if (field === undefined || compare === undefined) return null
  const value = Number(groups?.['value'])
  return (numbers) => compare(numbers[field], value)
}
