// Lists are stored as JSON text on both engines; this is where they are written and read.

export function toJsonText(list: readonly unknown[]): string {
  return JSON.stringify(list)
}

export function fromJsonText<Item = string>(text: string): Item[] {
  return JSON.parse(text)
}
