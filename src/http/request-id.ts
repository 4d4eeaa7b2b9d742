import { randomBytes } from 'node:crypto'

const PROCESS = randomBytes(6).toString('hex')
let count = 0

/** Unique over all processes; random once a process, counted after, since every request needs one. */
export function newRequestId(): string {
  count += 1
  return `req_${PROCESS}${count.toString(36).padStart(6, '0')}`
}
