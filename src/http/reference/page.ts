// The reference as a page: plain HTML made from the OpenAPI document at start. It needs no script
// and no other host, so it works offline and under the strictest policy.

import { sessionPathOf } from '../../contract/access.ts'
import type { ApiDocument, Described } from './document.ts'
import { curlExample } from './example.ts'
import { eventArticle, eventLink, eventsOf } from './event.ts'
import { FIELD_HEAD, fieldRow, fieldRows } from './fields.ts'
import { escape, prose, table, titled } from './html.ts'

interface Entry extends Described {
  method: string
  path: string
  /** The same operation below /api, with a session. */
  sessionPath: string | undefined
}

interface Section {
  name: string
  description: string
  links: string[]
  articles: string[]
}

export function referencePage(document: ApiDocument): string {
  const { info } = document
  const sections = sectionsOf(document)
  const links = sections.map(
    ({ name, links: own }) => `<h2>${escape(name)}</h2><ul>${own.join('')}</ul>`,
  )
  const articles = sections.map(
    ({ name, description, articles: own }) =>
      `<section><h2>${escape(name)}</h2><p class="lead">${prose(description)}</p>
${own.join('\n')}</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} API reference</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<div class="layout">
<nav aria-label="Operations">
<strong>${escape(info.title)}</strong> ${escape(info.version)}
${links.join('\n')}
</nav>
<main>
<h1>${escape(info.title)} API</h1>
<p class="lead">${prose(info.description)} The same for tools: <a href="/openapi.json">openapi.json</a>.</p>
${articles.join('\n')}
</main>
</div>
</body>
</html>
`
}

function sectionsOf(document: ApiDocument): Section[] {
  const entries = entriesOf(document)
  const events = eventsOf(document)
  return document.tags.map(({ name, description }) => {
    const operations = entries.filter(({ tags }) => tags.includes(name))
    const told = events.filter(({ tags }) => tags.includes(name))
    return {
      name,
      description,
      links: [...operations.map(link), ...told.map(eventLink)],
      articles: [
        ...operations.map((entry) => article(entry, document)),
        ...told.map((event) => eventArticle(event, document)),
      ],
    }
  })
}

/** An operation that can also be called with a session is one entry, not two. */
function entriesOf({ paths }: ApiDocument): Entry[] {
  const secondDoors = new Set(Object.keys(paths).map(sessionPathOf))
  return Object.entries(paths)
    .filter(([path]) => !secondDoors.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        ...described,
        method: method.toUpperCase(),
        path,
        sessionPath: [sessionPathOf(path)].find((door) => Object.hasOwn(paths, door)),
      })),
    )
}

function link({ operationId, method, path }: Entry): string {
  return `<li><a href="#${operationId}"><code>${method} ${escape(path)}</code></a></li>`
}

function article(entry: Entry, document: ApiDocument): string {
  const { operationId, method, path, summary, parameters = [], requestBody, responses } = entry
  const body = requestBody?.content['application/json']?.schema
  const answer = responses['200']?.content['application/json']?.schema.properties?.['data']
  const given = parameters.map(({ name, required, description, schema }) => {
    const described = description === undefined ? schema : { ...schema, description }
    return fieldRow({ name, schema: described, isRequired: required }, document, true)
  })
  const taken = body === undefined ? [] : fieldRows(body, document, true)
  const told = answer === undefined ? [] : fieldRows(answer, document, false)
  return `<article id="${operationId}">
<h3>${escape(summary)}</h3>
<p class="call"><span class="method">${method}</span> <code>${escape(path)}</code></p>
<p class="access">${accessOf(entry)}</p>
${titled('Parameters', table(FIELD_HEAD, given))}
${titled('Body', table(FIELD_HEAD, taken))}
${titled('Answer, in <code>data</code>', table(FIELD_HEAD, told))}
${titled('Failures', table([], failureRows(entry)))}
<h4>Try it</h4>
<pre><code>${escape(curlExample(method, path, entry))}</code></pre>
</article>`
}

function failureRows({ responses }: Entry): string[][] {
  return Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(([status, { description }]) => [status, prose(description)])
}

function accessOf({ security, sessionPath }: Entry): string {
  const [scheme] = security.flatMap((each) => Object.entries(each))
  if (scheme === undefined) return 'Open to everybody.'
  const [name, scopes] = scheme
  if (name === 'session') return 'With a session.'
  const scope = scopes.length === 0 ? 'any API key' : `an API key of scope \`${scopes.join(', ')}\``
  return prose(`With ${scope}; with a session at \`${sessionPath}\`.`)
}
