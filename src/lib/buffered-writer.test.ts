import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BufferedWriter } from './buffered-writer.ts'

let folder: string
let file: string
let fd: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-writer-'))
  file = join(folder, 'log')
  fd = openSync(file, 'w')
})

afterEach(() => {
  closeSync(fd)
  rmSync(folder, { recursive: true })
})

test('lines arrive whole and in order, short and long ones, over many chunks', async () => {
  const writer = new BufferedWriter(fd, { chunkBytes: 64 })
  const lines = Array.from(
    { length: 200 },
    (_, index) => `${index} ${'é漢🎈'.repeat(index % 40)}\n`,
  )

  for (const line of lines) writer.write(line)
  writer.flush()

  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(lines.join('')))
})

test('a line that waits is written by itself after a moment', async () => {
  const writer = new BufferedWriter(fd, { flushEveryMs: 5 })

  writer.write('hello\n')

  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('hello\n'))
})

test('at the end of the process nothing is left behind', () => {
  const writer = new BufferedWriter(fd)

  writer.write('last words\n')
  writer.flushSync()

  expect(readFileSync(file, 'utf8')).toBe('last words\n')
})

test('beyond what may wait, lines are dropped and counted', () => {
  const writer = new BufferedWriter(fd, { chunkBytes: 32, mostWaitingChunks: 2 })

  for (let count = 0; count < 100; count += 1) writer.write('0123456789\n')

  expect(writer.dropped).toBeGreaterThan(90)
})
