// A text on one line, without the marks that people write emphasis, links and quotes with.

const MAYBE_MARKUP = /[*_~`#>[<&|\\-]/
const UNEVEN_BLANKS = /[^\S ]|\s{2}|^\s|\s$/

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/<\/?[a-z][a-z0-9]*(?:\s[^<>]{0,500})?\/?>/gi, ' '],
  [/!?\[([^[\]]{0,500})\]\([^()\s]{0,1000}\)/g, '$1'],
  // At the beginning of a line: headings, quotes, list items.
  [/^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+|[*+-][ \t]+)/gm, ''],
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ' '],
  [/(\*\*|__|~~)(?=\S)([^*_~\n]{1,500}?)\1/g, '$2'],
  [/(?<![\w*])([*_])(?=\S)([^*_\n]{1,500}?)(?<=\S)\1(?![\w*])/g, '$2'],
  [/`{1,3}([^`]{1,1000}?)`{1,3}/g, '$1'],
]

export function plainLine(text: string): string {
  const plain = MAYBE_MARKUP.test(text) ? withoutMarkup(text) : text
  return UNEVEN_BLANKS.test(plain) ? plain.replace(/\s+/g, ' ').trim() : plain
}

function withoutMarkup(text: string): string {
  const bare = REPLACEMENTS.reduce((left, [mark, by]) => left.replace(mark, by), text)
  return bare.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (all, name) => ENTITIES[name] ?? all)
}
