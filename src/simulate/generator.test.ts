import { describe, expect, test } from 'vitest'
import { generatedPost, type Spot } from './generator.ts'
import { NewPost } from './post.ts'
import { seededRandom } from './random.ts'

const FORUM: Spot = { platform: 'forum', subforum: 'selfhosted' }

function postsAt(spot: Spot, seed: number, length = 300): NewPost[] {
  const random = seededRandom(seed)
  return Array.from({ length }, () => generatedPost(spot, random))
}

describe('generated posts', () => {
  test('are the same for the same seed', () => {
    expect(postsAt(FORUM, 5)).toEqual(postsAt(FORUM, 5))
    expect(postsAt(FORUM, 5)).not.toEqual(postsAt(FORUM, 6))
  })

  test.each<Spot>([
    FORUM,
    { platform: 'newsboard', subforum: 'new' },
    { platform: 'newsboard', subforum: 'ask' },
    { platform: 'newsboard', subforum: 'show' },
    { platform: 'newsboard', subforum: 'job' },
  ])('at $platform/$subforum are valid and differ', (spot) => {
    const posts = postsAt(spot, 1)

    for (const post of posts) expect(NewPost.safeParse(post).success).toBe(true)
    expect(new Set(posts.map((post) => JSON.stringify(post))).size).toBeGreaterThan(250)
  })

  test('on the forum are questions with text and links, some to images', () => {
    const posts = postsAt(FORUM, 1)

    expect(posts.filter(({ url }) => url === undefined).length).toBeGreaterThan(100)
    expect(posts.filter(({ url }) => url?.endsWith('.png')).length).toBeGreaterThan(10)
    expect(posts.some(({ title }) => title.startsWith('Looking for an alternative'))).toBe(true)
    expect(posts.some(({ body }) => body?.includes('**'))).toBe(true)
    expect(posts.some(({ title }) => /[^\p{ASCII}]/u.test(title))).toBe(true)
  })

  test('on the newsboard wear the prefix of their section', () => {
    const titlesOf = (subforum: string) =>
      postsAt({ platform: 'newsboard', subforum }, 1).map(({ title }) => title)

    expect(titlesOf('ask').every((title) => title.startsWith('Ask HN: '))).toBe(true)
    expect(titlesOf('show').every((title) => title.startsWith('Show HN: '))).toBe(true)
    expect(titlesOf('job').every((title) => title.includes('hiring'))).toBe(true)
    expect(titlesOf('new').some((title) => / HN: /.test(title))).toBe(false)
  })
})
