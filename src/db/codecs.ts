// Lists are stored as JSON text on both engines; this is where they are written and read.

export function toJsonText(list: readonly string[]): string {
  return JSON.stringify(list)
}

export function fromJsonText(text: string): string[] {
  return JSON.parse(text)
}
