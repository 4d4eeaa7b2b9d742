// Passwords are kept as argon2id with a salt each, in the PHC string format, so that the costs can
// be raised later: an old hash carries its own.

import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'

const argon2id = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, tag: Buffer) => void) =>
    argon2('argon2id', parameters, done),
)

interface Costs {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's first recommendation: 19 MiB, two passes, one lane; about 20 ms on this machine's kind. */
const COSTS: Costs = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<lanes>\d+)\$(?<salt>[^$]+)\$(?<tag>[^$]+)$/

export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await tagOf(password, salt, COSTS)
  const { memory, passes, parallelism } = COSTS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const { memory, passes, lanes, salt, tag } = PHC.exec(stored)?.groups ?? {}
  if (salt === undefined || tag === undefined) return false

  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(lanes) }
  const expected = Buffer.from(tag, 'base64')
  const actual = await tagOf(password, Buffer.from(salt, 'base64'), costs)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Takes as long as a real check, so that an unknown e-mail answers no faster than a known one. */
export async function wasteAPasswordCheck(password: string): Promise<void> {
  await tagOf(password, randomBytes(SALT_BYTES), COSTS)
}

function tagOf(password: string, nonce: Buffer, costs: Costs): Promise<Buffer> {
  return argon2id({ message: password.normalize('NFC'), nonce, tagLength: TAG_BYTES, ...costs })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
