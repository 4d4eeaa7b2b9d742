import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function lines(chunks: string[], maxBytes = 100): Promise<(string | null)[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1')
  }
  return (await Array.fromAsync(linesOf(stream(), maxBytes))).flat()
}

test.each([
  { chunks: ['a\nb\n'], expected: ['a', 'b'] },
  { chunks: ['a\n', 'b'], expected: ['a', 'b'] },
  { chunks: ['a', 'b', '\n', '\n', 'c'], expected: ['ab', '', 'c'] },
  { chunks: [], expected: [] },
  { chunks: ['\n'], expected: [''] },
  // One letter of two bytes, cut in the middle.
  { chunks: ['\u00c3', '\u00a9\n'], expected: ['é'] },
])('$chunks', async ({ chunks, expected }) => {
  expect(await lines(chunks)).toEqual(expected)
})

test('a line that is too long comes out as null, and the next one is read', async () => {
  expect(await lines(['aaa', 'aaa\nbb\n', 'ccccc'], 4)).toEqual([null, 'bb', null])
})
