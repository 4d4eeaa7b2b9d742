import { describe, expect, test } from 'vitest'
import { isNew, newestOf, remember, rememberTop } from './memory.ts'

const seen = (id: string, createdAt: number) => ({ id, createdAt, post: null })
const ids = (memory: readonly { id: string }[]) => memory.map(({ id }) => id).join(' ')

describe('remember', () => {
  test('the newest is first; of one second, the one with the higher id', () => {
    const memory = remember([], [seen('z', 5), seen('10', 5), seen('a', 9), seen('11', 5)])

    expect(ids(memory)).toBe('a 11 10 z')
    expect(newestOf(memory)).toEqual({ id: 'a', at: 9 })
  })

  test('a page full is kept, the newest', () => {
    const many = Array.from({ length: 250 }, (_, index) => seen(String(1_000 + index), index))

    const memory = remember([], many)

    expect(memory).toHaveLength(100)
    expect(memory[0]?.id).toBe('1249')
  })
})

describe('remember the top', () => {
  const memory = remember([], [seen('a', 1), seen('b', 2), seen('c', 3)])

  test('what should have been there and was not is forgotten', () => {
    expect(ids(rememberTop(memory, [seen('d', 4), seen('b', 2)]))).toBe('d b a')
  })

  test('an empty listing makes nothing forgotten', () => {
    expect(rememberTop(memory, [])).toEqual(memory)
  })
})

describe('what is new', () => {
  const few = remember([], [seen('b', 20)])
  const full = remember(
    [],
    Array.from({ length: 100 }, (_, index) => seen(`x${index}`, 100 + index)),
  )

  test.each([
    { what: 'one that is remembered', memory: few, post: seen('b', 20), expected: false },
    { what: 'a newer one', memory: few, post: seen('c', 21), expected: true },
    {
      what: 'an older one, when all were remembered',
      memory: few,
      post: seen('a', 1),
      expected: true,
    },
    { what: 'one among those remembered', memory: full, post: seen('y', 150), expected: true },
    { what: 'one older than memory reaches', memory: full, post: seen('y', 99), expected: false },
  ])('$what: $expected', ({ memory, post, expected }) => {
    expect(isNew(post, memory)).toBe(expected)
  })
})
