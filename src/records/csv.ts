const NEEDS_QUOTES = /[",\r\n]/
/** A spreadsheet would run such a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/

type Cell = string | number | boolean | null | readonly string[]

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  const text = typeof cell === 'string' ? cell : cell.join(' ')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
