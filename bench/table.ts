/** Prints rows as a Markdown table, ready to be put into docs/performance.md. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, head.map(() => '---'), ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  for (const row of all) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
