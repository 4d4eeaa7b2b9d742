export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Text with `code` in it. */
export function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** Nothing at all where there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const heads = head.map((cell) => `<th>${cell}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  const top = head.length === 0 ? '' : `<thead><tr>${heads}</tr></thead>`
  return `<div class="scroll"><table>${top}<tbody>${body.join('')}</tbody></table></div>`
}

/** Nothing at all where there is nothing to say. */
export function titled(title: string, content: string): string {
  return content === '' ? '' : `<h4>${title}</h4>${content}`
}
