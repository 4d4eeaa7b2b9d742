import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newRequestId } from './request-id.ts'
import { errorResponse } from './error-response.ts'
import { AppError } from '../errors.ts'

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** What is no HTTP never reaches a route, yet is answered in the same envelope. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const id = newRequestId()
  const status = STATUS_BY_CODE[error.code ?? ''] ?? 400
  const failure = new AppError('INVALID_REQUEST', 'This is not a valid HTTP request.')
  const body = JSON.stringify(errorResponse(failure, id).body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
