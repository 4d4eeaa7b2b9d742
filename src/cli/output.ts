// What a command says. With --json: one JSON object on stdout and nothing else there.

export interface CommandResult {
  report: Record<string, unknown>
  /** The same for people; null when the command has written its result already. */
  text: string | null
  /** The exit code, 0 unless the command has something to complain about. */
  exitCode?: number
}

export function print({ report, text }: CommandResult, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(report)}\n`)
  else if (text !== null) process.stdout.write(`${text}\n`)
}

export function complain(message: string): void {
  process.stderr.write(`earshot: ${message}\n`)
}

/** Rows as columns of even width; the first row is the head. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}
