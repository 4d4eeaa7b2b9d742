import { describe, expect, test } from 'vitest'
import type { From } from './api.ts'
import { walkDown, walkSince, type ReadPage } from './walk.ts'

/** A listing of so many posts, the newest numbered highest; `read` answers as the case says. */
function pageOf(numbers: number[], after: string | null = null) {
  const names = numbers.map((number) => `t3_${number}`)
  return {
    seen: numbers.map((number) => ({ id: String(number), createdAt: number, post: null })),
    size: numbers.length,
    first: names[0] ?? null,
    last: names.at(-1) ?? null,
    after,
  }
}

const down = (from: number, count = 100) =>
  Array.from({ length: count }, (_, index) => from - index)

function recording(read: (from: From) => ReturnType<typeof pageOf>) {
  const asked: From[] = []
  const recorded: ReadPage = async (from) => {
    asked.push(from)
    return read(from)
  }
  return { asked, read: recorded }
}

describe('down', () => {
  test('stops at the page whose last post is as old as asked for', async () => {
    const { asked, read } = recording(({ after }) => {
      const from = after === undefined ? 1_000 : Number(after.slice(3)) - 1
      return pageOf(down(from), `t3_${from - 99}`)
    })

    const { seen, endAt } = await walkDown(read, { untilAt: 750 })

    expect(asked).toEqual([{}, { after: 't3_901' }, { after: 't3_801' }])
    expect(seen).toHaveLength(300)
    expect(endAt).toBe(701)
  })

  test('a server that ignores `after` is asked no more than it takes to notice', async () => {
    const { asked, read } = recording(() => pageOf(down(1_000), 't3_901'))

    const { seen } = await walkDown(read, { untilAt: null })

    expect(asked).toHaveLength(2)
    expect(seen).toHaveLength(100)
  })

  test('an old post that is pinned to the top does not end it', async () => {
    const { read } = recording(({ after }) =>
      after === undefined ? pageOf([1, ...down(1_000, 99)], 't3_902') : pageOf(down(901)),
    )

    const { seen } = await walkDown(read, { untilAt: 850 })

    expect(seen).toHaveLength(200)
  })
})

describe('since a post', () => {
  test('a server that ignores `before` gives what it has, and is not asked in circles', async () => {
    const { asked, read } = recording(() => pageOf(down(1_000), 't3_901'))

    const { seen } = await walkSince(read, { id: '950', at: 950 })

    expect(asked).toEqual([{ before: 't3_950' }, { before: 't3_1000' }])
    expect(seen).toHaveLength(100)
  })

  test('nothing above is told apart from nothing that can be read', async () => {
    const empty = await walkSince(async () => pageOf([]), { id: '1', at: 1 })
    const odd = await walkSince(async () => ({ ...pageOf([]), size: 3 }), { id: '1', at: 1 })

    expect([empty.isEmpty, odd.isEmpty]).toEqual([true, false])
  })
})
