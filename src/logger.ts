// Every subsystem's logger. Messages are static, fields carry the rest, and no field ever holds a
// body, a token, a key or an address of a person.

import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { isoTime } from './lib/iso-time.ts'

let lastInstant = 0
let lastTimestamp = ''
let destination: DestinationStream = pino.destination({ fd: 2, sync: true })

/** Loggers are made before the configuration is read, so they write through to what it chose. */
const root = pino(
  {
    level: 'info',
    base: null,
    timestamp: () => `,"time":"${timestamp()}"`,
    serializers: { err: plainError },
  },
  { write: writeLine },
)

/** Made once a millisecond: at thousands of lines a second most of them share it. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== lastInstant) {
    lastInstant = now
    lastTimestamp = isoTime(now)
  }
  return lastTimestamp
}

/** For the one line that is written too often to be put together by the logger. */
export function writeLine(line: string): void {
  destination.write(line)
}

export const accessLog: Logger = root.child({ part: 'access' })
export const crawlLog: Logger = root.child({ part: 'crawl' })
export const databaseLog: Logger = root.child({ part: 'database' })
export const httpLog: Logger = root.child({ part: 'http' })
export const jobLog: Logger = root.child({ part: 'jobs' })
export const programLog: Logger = root.child({ part: 'program' })

const ALL = [accessLog, crawlLog, databaseLog, httpLog, jobLog, programLog]

export interface LogOptions {
  level: string
  stream: DestinationStream
}

export function configureLogs({ level, stream }: LogOptions): void {
  destination = stream
  for (const logger of ALL) logger.level = level
}

/** Only these four: a driver's error also carries rows, parameters and connection settings. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, code: 'code' in error ? error.code : undefined, stack }
}
