import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../contract/openapi.ts'
import { VERSION } from '../../version.ts'
import { PAGE_POLICY } from '../headers.ts'
import type { ApiDocument } from '../reference/document.ts'
import { referencePage } from '../reference/page.ts'
import { ROUTES } from './registry.ts'

const STYLE = new URL('../reference/style.css', import.meta.url)

/** The OpenAPI document, and a page that people can read of it. Both are made once, at start. */
export function registerReference(server: FastifyInstance): void {
  const document = openApiDocument(
    ROUTES.map(({ operation }) => operation),
    VERSION,
  )
  const json = JSON.stringify(document)
  const page = referencePage(document as unknown as ApiDocument)
  const style = readFileSync(STYLE, 'utf8')

  server.get('/', (_request, reply) => {
    reply.redirect('/docs')
  })
  server.get('/openapi.json', (_request, reply) => {
    reply.type('application/json; charset=utf-8').send(json)
  })
  server.get('/docs', (_request, reply) => {
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page)
  })
  server.get('/docs/style.css', (_request, reply) => {
    reply.type('text/css; charset=utf-8').send(style)
  })
}
