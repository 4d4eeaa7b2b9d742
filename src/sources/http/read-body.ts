import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

export class OversizeError extends Error {
  override readonly name = 'OversizeError'
}

export class EncodingError extends Error {
  override readonly name = 'EncodingError'
}

/** What `accept-encoding` asks for. */
export const ENCODINGS = 'gzip, br'

/** Counts what comes out of the decompression, so that a small answer cannot become a huge one. */
export async function readBody(
  body: Readable,
  { encoding, maxBytes }: { encoding: string | undefined; maxBytes: number },
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of plain(body, encoding)) {
    size += (chunk as Buffer).length
    if (size > maxBytes) throw new OversizeError() // leaving the loop destroys the stream
    chunks.push(chunk as Buffer)
  }
  return new TextDecoder().decode(Buffer.concat(chunks, size))
}

function plain(body: Readable, encoding: string | undefined): Readable {
  const decoder = decoderOf(encoding?.trim().toLowerCase())
  if (decoder === null) return body
  return pipeline(body, decoder, () => {}) // its failure is met by whoever reads
}

function decoderOf(encoding: string | undefined): Transform | null {
  switch (encoding) {
    case undefined:
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new EncodingError()
  }
}
