import { expect, test } from 'vitest'
import { EVENT_FORMATS, EVENT_KINDS, type EventKind } from '../../contract/event.ts'
import { openApiDocument } from '../../contract/openapi.ts'
import type { ApiDocument } from './document.ts'
import { referencePage } from './page.ts'

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const HEADERS = {
  A: ['Service-Signature', 'Service-Timestamp', 'Service-Event', ...STANDARD],
  B: ['X-Service-Signature', ...STANDARD],
}

test.each(EVENT_KINDS)('%s is linked to, and has its headers in the order given', (kind) => {
  const page = referencePage(document())

  const article = articleOf(page, kind)
  expect(page).toContain(`<a href="#event-${kind}"><code>${kind}</code></a>`)
  expect(firstCells(article, 'Headers')).toEqual(HEADERS[EVENT_FORMATS[kind]])
})

test.each<{ kind: EventKind; own: string[]; inner: string[] }>([
  {
    kind: 'crawl.run.completed',
    own: ['type', 'created_at', 'id', 'data'],
    inner: ['data.status', 'data.new_posts', 'data.error'],
  },
  {
    kind: 'alert.fired',
    own: ['type', 'created_at', 'id', 'data'],
    inner: ['data.condition', 'data.records', 'data.records[].permalink'],
  },
  {
    kind: 'curation.batch.ready',
    own: ['event', 'event_id', 'delivered_at', 'organization_id', 'data'],
    inner: [
      'data.opportunities[].scores.survival',
      'data.opportunities[].engagement_brief.warnings',
    ],
  },
])('$kind has every field of its body, the inner ones too', ({ kind, own, inner }) => {
  const fields = firstCells(articleOf(referencePage(document()), kind), 'Body')

  expect(fields.filter((field) => !field.includes('.'))).toEqual(own)
  expect(fields).toEqual(expect.arrayContaining(inner))
})

test.each(EVENT_KINDS)(
  '%s has the example of the OpenAPI document, and a way to try it',
  (kind) => {
    const article = articleOf(referencePage(document()), kind)

    const [example = '', command] = [...article.matchAll(/<pre><code>([^<]*)</g)].map(
      ([, text = '']) => text.replaceAll('&quot;', '"'),
    )
    const given = document().webhooks[kind]?.post.requestBody.content['application/json'].example
    expect(given).toBeDefined()
    expect(JSON.parse(example)).toEqual(given)
    expect(command).toBe(`bin/earshot webhooks test whk_… --event ${kind}`)
  },
)

test.each(EVENT_KINDS)('%s says what a receiver should answer', (kind) => {
  const article = articleOf(referencePage(document()), kind)

  expect(firstCells(article, 'What to answer')).toEqual(['2XX'])
})

test('a kind or an example with signs of HTML in it is shown as it is written', () => {
  const given = document()
  const post = given.webhooks['alert.fired']?.post
  if (post === undefined) throw new Error('There is no such kind.')
  post.requestBody.content['application/json'].example = { title: '<b>&"' }
  const odd = { ...given, webhooks: { 'a<b': { post } } }

  const page = referencePage(odd)

  expect(page).toContain('<code>a&lt;b</code>')
  expect(page).toContain('&lt;b&gt;&amp;\\&quot;')
  expect(page).not.toContain('<b>')
})

function document(): ApiDocument {
  return openApiDocument([], '0.0.0') as unknown as ApiDocument
}

function articleOf(page: string, kind: EventKind): string {
  const [, rest = ''] = page.split(`<article id="event-${kind}">`)
  return rest.split('</article>')[0] ?? ''
}

/** The first column of the table below a title. */
function firstCells(article: string, title: string): string[] {
  const [, rest = ''] = article.split(`<h4>${title}</h4>`)
  const [rows = ''] = rest.split('</table>')
  return [...rows.matchAll(/<tr><td>(?:<code>)?([^<]*)/g)].map(([, text = '']) => text)
}
