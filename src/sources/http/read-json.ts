import { SourceError } from '../source.ts'
import type { Answer, ReadJson } from './client.ts'

export const readJson: ReadJson = (answer, schema) => {
  const parsed = schema.safeParse(jsonOf(answer))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
  const message = `The platform answered something else than it should${where}.`
  throw new SourceError('unreadable', message, { cause: parsed.error })
}

function jsonOf({ body, headers }: Answer): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new SourceError('unreadable', noJson(body, headers['content-type'] ?? ''))
  }
}

function noJson(body: string, type: string): string {
  if (body.trim() === '') return 'The platform answered with nothing where JSON was asked for.'
  const isPage = type.includes('html') || body.trimStart().startsWith('<')
  if (isPage) return 'The platform answered with a web page instead of JSON.'
  return 'The platform answered with damaged JSON.'
}
