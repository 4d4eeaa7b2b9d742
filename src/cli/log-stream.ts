import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import { BufferedWriter } from '../lib/buffered-writer.ts'

interface Sink {
  fd: number
  isTTY?: boolean
}

/** Lines are gathered for a moment before they are written: a system call a request is too many. */
export function logStream(format: 'auto' | 'json' | 'pretty', sink: Sink): DestinationStream {
  const isPretty = format === 'pretty' || (format === 'auto' && sink.isTTY === true)
  if (isPretty) {
    return pretty({
      destination: sink.fd,
      sync: true,
      colorize: sink.isTTY === true,
      ignore: 'part',
      translateTime: 'SYS:HH:MM:ss',
      messageFormat: '{part}: {msg}',
    })
  }
  const writer = new BufferedWriter(sink.fd)
  process.once('exit', () => writer.flushSync())
  return writer
}
