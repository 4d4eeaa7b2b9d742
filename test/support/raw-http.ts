// HTTP written by hand, for what no client would send.

import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Answer } from './client.ts'

/** Sends the text as it is and reads until the server closes. */
export async function sendRaw(url: string, request: string): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(request)
  return parse(await text(socket))
}

/** A request's head, which asks the server to close after the answer. */
export function head(requestLine: string, headers: readonly string[] = ['host: earshot']): string {
  return [requestLine, ...headers, 'connection: close', '', ''].join('\r\n')
}

function parse(answer: string): Answer {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const [name = '', ...value] = field.split(':')
      return [name, value.join(':').trim()]
    }),
  )
  const body = rest.join('\r\n\r\n')
  if (!body.startsWith('{')) throw new Error(`There is no JSON in the answer: ${answer}`)
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) }
}
