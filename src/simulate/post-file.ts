// Posts from a file: one JSON object a line, gzipped or not.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../errors.ts'
import { NewPost } from './post.ts'

/** Reads line by line; calls `skip` for every line that is no post. */
export async function* postsOf(path: string, skip: () => void): AsyncIterable<NewPost> {
  for await (const line of linesOf(path)) {
    if (line.trim() === '') continue
    const post = readPost(line)
    if (post === null) skip()
    else yield post
  }
}

async function* linesOf(path: string): AsyncIterable<string> {
  const file = createReadStream(path)
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  // A pipe does not hand on what goes wrong before it.
  file.once('error', (error) => input.destroy(error))
  try {
    yield* splitLines(input)
  } catch (error) {
    throw new OperatorError(`${path} cannot be read (${(error as Error).message}).`)
  } finally {
    file.destroy()
  }
}

/** Not by `node:readline`: it also ends a line at U+2028, which people do type into posts. */
async function* splitLines(input: Readable): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

function readPost(line: string): NewPost | null {
  try {
    const parsed = NewPost.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
