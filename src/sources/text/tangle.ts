// Markdown that takes its parser unreasonably long, or overflows its stack, or its memory: nesting,
// emphasis within emphasis, wide tables. Measured on 100,000 characters: within these limits the
// worst takes about a second, beyond them half a minute, or all memory there is.

/** Quotes and lists that begin on one line, each within the one before. */
const MOST_MARKERS = 20
/** Of `*` and `_` in one paragraph: the time grows with the square of their number. */
const MOST_EMPHASIS = 500
/** A short row of a table is filled up to the width of its head. */
const MOST_CELLS = 10_000

interface Paragraph {
  emphasis: number
  widest: number
  lines: number
}

/** Whether no person has written this; then it is better taken as it is. */
export function isTangled(markdown: string): boolean {
  let paragraph: Paragraph = { emphasis: 0, widest: 0, lines: 0 }
  for (const line of markdown.split('\n')) {
    if (beginsParagraph(line)) paragraph = { emphasis: 0, widest: 0, lines: 0 }
    paragraph.emphasis += count(line, /[*_]/g)
    paragraph.widest = Math.max(paragraph.widest, count(line, /\|/g))
    paragraph.lines += 1
    if (exceeds(paragraph) || markersOf(line) > MOST_MARKERS) return true
  }
  return false
}

function exceeds({ emphasis, widest, lines }: Paragraph): boolean {
  return emphasis > MOST_EMPHASIS || widest * lines > MOST_CELLS
}

function beginsParagraph(line: string): boolean {
  return line.trim() === '' || /^ {0,3}(?:[-*+]|#{1,6}) /.test(line)
}

function markersOf(line: string): number {
  const marker = /[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/y
  let markers = 0
  while (markers <= MOST_MARKERS && marker.test(line)) markers += 1
  return markers
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0
}
