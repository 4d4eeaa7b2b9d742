import type { ApiDocument, DescribedEvent } from './document.ts'
import { FIELD_HEAD, fieldRows } from './fields.ts'
import { escape, prose, table, titled } from './html.ts'

interface Event extends DescribedEvent {
  kind: string
}

/** What is sent to webhooks, by kind. */
export function eventsOf({ webhooks }: ApiDocument): Event[] {
  return Object.entries(webhooks).map(([kind, { post }]) => ({ ...post, kind }))
}

export function eventLink({ kind }: Event): string {
  return `<li><a href="#${anchorOf(kind)}"><code>${escape(kind)}</code></a></li>`
}

export function eventArticle(event: Event, document: ApiDocument): string {
  const { kind, summary, parameters, requestBody, responses } = event
  const { schema, example } = requestBody.content['application/json']
  const headers = parameters.map(({ name, description = '' }) => [
    `<code>${escape(name)}</code>`,
    prose(description),
  ])
  const answers = Object.entries(responses).map(([status, { description }]) => [
    escape(status),
    prose(description),
  ])
  return `<article id="${anchorOf(kind)}">
<h3>${escape(summary)}</h3>
<p class="call"><span class="method">POST</span> <code>${escape(kind)}</code></p>
<p class="access">To the URL of every webhook that is told this kind.</p>
${titled('Headers', table(['Header', 'Meaning'], headers))}
${titled('Body', table(FIELD_HEAD, fieldRows(schema, document, false)))}
${titled('What to answer', table([], answers))}
<h4>Example</h4>
<pre><code>${escape(JSON.stringify(example, null, 2))}</code></pre>
<h4>Try it</h4>
<pre><code>${escape(`bin/earshot webhooks test whk_… --event ${kind}`)}</code></pre>
</article>`
}

/** Operations have their id for an anchor; none of them begins like this. */
function anchorOf(kind: string): string {
  return `event-${escape(kind)}`
}
