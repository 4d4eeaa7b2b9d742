import { open, realpath, stat } from 'node:fs/promises'
import { OperatorError } from '../errors.ts'

const OWNER_ONLY = 0o600

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Whether two names lead to one file, which the first may not be yet. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [path, other].map((name) => realpath(name).catch(() => name)),
  )
  return first === second
}

/** An empty file that nobody else can read, from its first moment on. */
export async function createPrivateFile(path: string): Promise<void> {
  await using _file = await open(path, 'wx', OWNER_ONLY).catch((error: Error) => {
    throw new OperatorError(`${path} cannot be written (${error.message}).`)
  })
}
