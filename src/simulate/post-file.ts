// Posts from a file: one JSON object a line, gzipped or not.

import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../errors.ts'
import { parsedJson } from '../lib/json.ts'
import { linesOf } from '../lib/lines.ts'
import { NewPost } from './post.ts'

/** Reads line by line; calls `skip` for every line that is no post. */
export async function* postsOf(path: string, skip: () => void): AsyncIterable<NewPost> {
  for await (const line of linesIn(path)) {
    if (line.trim() === '') continue
    const parsed = NewPost.safeParse(parsedJson(line))
    if (parsed.success) yield parsed.data
    else skip()
  }
}

async function* linesIn(path: string): AsyncIterable<string> {
  const file = createReadStream(path)
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  // A pipe does not hand on what goes wrong before it.
  file.once('error', (error) => input.destroy(error))
  try {
    for await (const lines of linesOf(input, Infinity)) yield* lines.filter((line) => line !== null)
  } catch (error) {
    throw new OperatorError(`${path} cannot be read (${(error as Error).message}).`)
  } finally {
    file.destroy()
  }
}
