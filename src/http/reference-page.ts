// The reference as a page: plain HTML made from the OpenAPI document at start. It needs no script
// and no other host, so it works offline and under the strictest policy.

type Json = Record<string, unknown>

interface Schema extends Json {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  example?: unknown
}

interface Described {
  tags: string[]
  summary: string
  operationId: string
  security: Record<string, string[]>[]
  parameters?: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>
}

interface Document {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

interface Entry extends Described {
  method: string
  path: string
}

export function referencePage(openApi: Json): string {
  const document = openApi as unknown as Document
  const { info, tags } = document
  const entries = entriesOf(document)
  const sections = tags.map(({ name, description }) => {
    const own = entries.filter((entry) => entry.tags.includes(name))
    return { name, description, own }
  })
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
${sections.map(({ name, own }) => `<h2>${escape(name)}</h2><ul>${own.map(link).join('')}</ul>`).join('\n')}
</nav>
<main>
<h1>${escape(info.title)} API</h1>
<p class="lead">${prose(info.description)} The same as a file for tools: <a href="/openapi.json">openapi.json</a>.</p>
${sections
  .map(
    ({ name, description, own }) =>
      `<section><h2>${escape(name)}</h2><p class="lead">${prose(description)}</p>${own
        .map((entry) => article(entry, document))
        .join('\n')}</section>`,
  )
  .join('\n')}
</main>
</div>
</body>
</html>
`
}

function entriesOf({ paths }: Document): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
    })),
  )
}

function link({ operationId, method, path }: Entry): string {
  return `<li><a href="#${operationId}"><code>${method} ${escape(path)}</code></a></li>`
}

function article(entry: Entry, document: Document): string {
  const { operationId, method, path, summary, parameters = [], requestBody, responses } = entry
  const rows = parameters.map(({ name, required, description, schema }) =>
    row(name, required, { ...schema, ...(description === undefined ? {} : { description }) }),
  )
  const body = requestBody?.content['application/json']?.schema
  const answer = responses['200']?.content['application/json']?.schema.properties?.['data']
  const failures = Object.entries(responses).filter(([status]) => status !== '200')
  return `<article id="${operationId}">
<h3>${escape(summary)}</h3>
<p class="call"><span class="method">${method}</span> <code>${escape(path)}</code></p>
<p class="access">${accessOf(entry)}</p>
${section('Parameters', rows)}
${section('Body', body === undefined ? [] : propertyRows(body, document))}
${section('Answer: <code>data</code>', answer === undefined ? [] : propertyRows(answer, document))}
<h4>Failures</h4>
<div class="scroll"><table><tbody>${failures
    .map(([status, { description }]) => `<tr><td>${status}</td><td>${prose(description)}</td></tr>`)
    .join('')}</tbody></table></div>
<h4>Try it</h4>
<pre><code>${escape(curl(entry))}</code></pre>
</article>`
}

function section(title: string, rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return `<h4>${title}</h4><div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function propertyRows(schema: Schema, document: Document, prefix = ''): string[] {
  const { properties = {}, required = [] } = resolve(schema, document)
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = row(prefix + name, required.includes(name), property)
    const inner = property.items ?? property
    const nested = resolve(inner, document).properties
    if (nested === undefined) return [own]
    const path = property.items === undefined ? `${prefix}${name}.` : `${prefix}${name}[].`
    return [own, ...propertyRows(inner, document, path)]
  })
}

function row(name: string, required: boolean, schema: Schema): string {
  const mark = required ? ' <span class="required">required</span>' : ''
  const fallback =
    schema.default === undefined ? '' : ` Default: \`${JSON.stringify(schema.default)}\`.`
  return `<tr><td><code>${escape(name)}</code>${mark}</td><td><code>${escape(typeOf(schema))}</code></td><td>${prose((schema.description ?? '') + fallback)}</td></tr>`
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.items !== undefined) return `${typeOf(schema.items)}[]`
  return schema.type ?? 'any'
}

function resolve(schema: Schema, { components }: Document): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

function accessOf({ security }: Entry): string {
  const [scheme] = security.flatMap((each) => Object.entries(each))
  if (scheme === undefined) return 'Open to everybody.'
  const [name, scopes] = scheme
  if (name === 'session') return 'With a session.'
  return scopes.length === 0
    ? 'With any API key.'
    : `With an API key of scope <code>${escape(scopes.join(', '))}</code>.`
}

function curl({ method, path, security, requestBody }: Entry): string {
  const usesKey = security.some((each) => 'key' in each)
  const usesSession = security.some((each) => 'session' in each)
  const parts = [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    ...(usesKey ? ['-H "Authorization: Bearer $EARSHOT_KEY"'] : []),
    ...(usesSession ? ['-b cookies.txt'] : []),
    ...(usesSession && method !== 'GET' ? ['-H "Origin: $EARSHOT_URL"'] : []),
    ...(requestBody === undefined ? [] : ["-H 'Content-Type: application/json' -d @body.json"]),
    `"$EARSHOT_URL${path}"`,
  ]
  return parts.join(' \\\n  ')
}

/** Text with `code` in it. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
