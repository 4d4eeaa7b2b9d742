// What is no proper HTTP never reaches a route, yet is answered like everything else.

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { errorResponse } from './error-response.ts'
import { securityHeaders } from './headers.ts'
import { newRequestId } from './request-id.ts'

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}
const EXPECTATION_FAILED = 417

export function answerClientError(production: boolean) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const status = STATUS_BY_CODE[error.code ?? ''] ?? 400
    const { headers, body } = refusal('This is not a valid HTTP request.', production)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'connection: close']
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}

export function answerExpectation(production: boolean) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const message = 'The only expectation that can be met is 100-continue.'
    const { headers, body } = refusal(message, production)
    response.writeHead(EXPECTATION_FAILED, headers).end(body)
  }
}

function refusal(message: string, production: boolean) {
  const id = newRequestId()
  const body = JSON.stringify(errorResponse(new AppError('INVALID_REQUEST', message), id).body)
  const headers: Record<string, string> = {
    ...securityHeaders(production),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
  }
  return { headers, body }
}
