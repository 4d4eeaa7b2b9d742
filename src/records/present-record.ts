import type { Record } from '../contract/record.ts'
import { fromJsonText } from '../db/codecs.ts'
import { isoTime } from '../lib/iso-time.ts'
import { ELLIPSIS, snippetAround } from '../lib/snippet.ts'
import type { FoundRecord } from './found-record.ts'

/** `term` is what was searched for, in lower case: the snippet shows it. */
export function presentRecord(found: FoundRecord, term: string | null): Record {
  return {
    id: found.id,
    platform: found.platform,
    forumId: found.forumId,
    subforum: found.subforum,
    title: found.title,
    permalink: found.permalink,
    url: found.url,
    score: found.score,
    numComments: found.numComments,
    forumCreatedAt: isoTime(found.createdAt),
    author: found.author,
    hasLink: found.hasLink === 1,
    tags: found.tags === null ? [] : fromJsonText(found.tags),
    matched: found.matched === 1,
    intent: found.intent,
    snippet: term === null ? found.snippet : snippetFor(found, term),
    verification: found.verification,
  }
}

function snippetFor({ excerpt, snippet }: FoundRecord, term: string): string {
  if (typeof excerpt !== 'string') return snippet
  if (withoutEllipsis(snippet).toLowerCase().includes(term)) return snippet
  const [from = '', ends = ''] = excerpt.split(':', 2)
  const text = excerpt.slice(from.length + ends.length + 2)
  return snippetAround({ text, begins: from === '1', ends: ends === '1' }, term) ?? snippet
}

/** Which may be the text's own: then it is looked for in the text. */
function withoutEllipsis(snippet: string): string {
  return snippet.endsWith(ELLIPSIS) ? snippet.slice(0, -ELLIPSIS.length) : snippet
}
