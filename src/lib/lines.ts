// Lines of a byte stream, one at a time, however long the stream is. A line that is too long is not
// kept in memory: it comes out as null. Not by `node:readline`: it also ends a line at U+2028, which
// people do type into posts.

const NEWLINE = 0x0a

export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<(string | null)[]> {
  let parts: Uint8Array[] = []
  let size = 0

  function endLine(): string | null {
    const line = size > maxBytes ? null : Buffer.concat(parts).toString('utf8')
    parts = []
    size = 0
    return line
  }

  function take(part: Uint8Array): void {
    size += part.length
    if (size <= maxBytes) parts.push(part)
    else parts = []
  }

  for await (const chunk of stream) {
    const lines: (string | null)[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end))
      lines.push(endLine())
      start = end + 1
    }
    if (start < chunk.length) take(chunk.subarray(start))
    if (lines.length > 0) yield lines
  }
  if (size > 0) yield [endLine()]
}
