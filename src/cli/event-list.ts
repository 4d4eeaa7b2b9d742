/** `a, b` as it is written on the command line. */
export function eventList(text: string): string[] {
  return text.split(',').map((kind) => kind.trim())
}
