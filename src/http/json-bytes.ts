/** An answer whose JSON is made already: what is sent as `data`. */
export class JsonBytes {
  readonly #parts: readonly Uint8Array[]

  constructor(...parts: (Uint8Array | string)[]) {
    this.#parts = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  }

  within(before: Buffer, behind: Buffer): Buffer {
    return Buffer.concat([before, ...this.#parts, behind])
  }
}
