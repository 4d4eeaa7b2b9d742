// How the platforms turn what people type into HTML.

import { Marked } from 'marked'

/** The forum shows tags that people type as text. */
const markdown = new Marked({
  async: false,
  renderer: { html: ({ text }) => escapeMarkup(text) },
})

/** `&`, `<` and `>`: all that the forum's API escapes, and enough between tags. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replaceAll('"', '&quot;')
}

export function forumHtml(body: string): string {
  const html = markdown.parse(body, { async: false }).trim()
  return `<!-- SC_OFF --><div class="md">${html}\n</div><!-- SC_ON -->`
}

/** The newsboard knows paragraphs, links, *emphasis* and indented code, and closes no paragraph. */
export function newsboardHtml(body: string): string {
  return body
    .replaceAll(/^\n+|\s+$/g, '')
    .split(/\n{2,}/)
    .map((paragraph) => newsboardParagraph(paragraph))
    .join('<p>')
}

function newsboardParagraph(paragraph: string): string {
  if (paragraph.startsWith('    ')) return `<pre><code>${escapeNewsboard(paragraph)}\n</code></pre>`
  return paragraph
    .split(/(?<link>https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, index) => (index % 2 === 1 ? newsboardLink(part) : emphasised(part)))
    .join('')
}

function newsboardLink(url: string): string {
  const escaped = escapeNewsboard(url)
  return `<a href="${escaped}" rel="nofollow">${escaped}</a>`
}

function emphasised(text: string): string {
  return escapeNewsboard(text).replaceAll(/\*(?<words>[^\s*][^*]*)\*/g, '<i>$<words></i>')
}

function escapeNewsboard(text: string): string {
  return escapeAttribute(text).replaceAll("'", '&#x27;').replaceAll('/', '&#x2F;')
}
