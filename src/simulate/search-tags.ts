/** `story,author_pg` asks for both tags, `(story,poll)` for either; empty asks for nothing. */
export function tagTest(expression: string): (tags: readonly string[]) => boolean {
  const groups = [...expression.matchAll(/\((?<either>[^)]*)\)|(?<one>[^,()]+)/g)]
    .map(({ groups }) => (groups?.['either'] ?? groups?.['one'] ?? '').split(','))
    .map((group) => group.map((tag) => tag.trim()).filter((tag) => tag !== ''))
    .filter((group) => group.length > 0)
  return (tags) => groups.every((group) => group.some((tag) => tags.includes(tag)))
}
