import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { NewWatcher } from '../contract/watcher.ts'
import { AppError, OperatorError, type ErrorDetail } from '../errors.ts'

/** A watcher as people write it, in a file or on standard input (`-`). Tells every mistake at once. */
export async function readWatcherFile(path: string): Promise<NewWatcher> {
  const parsed = NewWatcher.safeParse(jsonIn(await contentOf(path), path))
  if (parsed.success) return parsed.data
  const details: ErrorDetail[] = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.') || 'the file',
    message: issue.message,
  }))
  throw new AppError('INVALID_REQUEST', `The watcher in ${nameOf(path)} is not accepted:`, {
    details,
  })
}

async function contentOf(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new OperatorError(`${path} cannot be read (${error.message}).`)
  })
}

function jsonIn(content: string, path: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new OperatorError(`${nameOf(path)} is no JSON (${(error as Error).message}).`)
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path
}
