import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { keepPosts } from '#src/ingest/keep-posts.ts'
import type { Post } from '#src/sources/post.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp } from '#test/support/test-app.ts'
import { recordsIn } from '#test/support/watching.ts'

const AT = Date.UTC(2026, 2, 1, 12)
/** More than fit into one millisecond of keys. */
const MANY = 4_200

describe.concurrent.each(ENGINES)('the keys of records on %s', (engine) => {
  test('keys and ids are in the order of the posts’ times, whatever order they came in', async () => {
    await using home = await testApp(engine)
    const { organizationId } = home.owner
    const minutesAgo = [3, 9, 1, 7, 7, 2, 29_000_000]
    const posts = minutesAgo.map((count, index) =>
      aPost({ forumId: `p${index}`, createdAt: AT - count * 60_000 }),
    )

    for (const post of posts) await keep(home.app, organizationId, [post])

    const records = await recordsIn(home.app.db, organizationId)
    const times = records.map(({ created_at }) => created_at)
    const ids = records.map(({ id }) => id)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(ids).toEqual(ids.toSorted().toReversed())
    for (const id of ids) expect(id).toMatch(/^rec_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  test('more posts of the very same time than a millisecond has keys for have keys and ids of their own, and stay in their place', async () => {
    await using home = await testApp(engine)
    const { organizationId } = home.owner
    const posts = manyAt(AT)

    await keep(home.app, organizationId, [aPost({ forumId: 'later', createdAt: AT + 1_000 })])
    const first = await keep(home.app, organizationId, posts)
    const again = await keep(home.app, organizationId, posts.slice(-500))

    expect(first).toEqual({ added: MANY, known: 0 })
    expect(again).toEqual({ added: 0, known: 500 })
    const records = await recordsIn(home.app.db, organizationId)
    expect(new Set(records.map(({ key }) => key)).size).toBe(MANY + 1)
    expect(new Set(records.map(({ id }) => id)).size).toBe(MANY + 1)
    expect(records[0]).toMatchObject({ forum_id: 'later' })
  })

  test('two organizations may hold the same crowded second', async () => {
    await using home = await testApp(engine)
    const { organizationId } = home.owner
    const other = await home.createOrganization('Globex')

    const posts = manyAt(AT).slice(0, 2_100)
    await keep(home.app, organizationId, posts)
    await keep(home.app, other, posts)

    expect(await recordsIn(home.app.db, organizationId)).toHaveLength(2_100)
    expect(await recordsIn(home.app.db, other)).toHaveLength(2_100)
  })

  test('two processes that bring the same posts at once store each once', async () => {
    await using home = await testApp(engine)
    const { organizationId } = home.owner
    await using neighbour = await neighbourOf(home)
    const posts = manyAt(AT).slice(0, 300)
    const shifted = manyAt(AT).slice(150, 450)

    const [one, two] = await Promise.all([
      keep(home.app, organizationId, posts),
      keep(neighbour.app, organizationId, shifted),
    ])

    expect(one.added + two.added).toBe(450)
    expect(one.known + two.known).toBe(150)
    expect(await recordsIn(home.app.db, organizationId)).toHaveLength(450)
  })

  test('a post that comes twice in one batch is one record, as it was told last', async () => {
    await using home = await testApp(engine)
    const { organizationId } = home.owner

    const kept = await keep(home.app, organizationId, [
      aPost({ title: 'first' }),
      aPost({ title: 'last' }),
    ])

    expect(kept).toEqual({ added: 1, known: 0 })
    expect(await recordsIn(home.app.db, organizationId)).toMatchObject([{ title: 'last' }])
  })
})

function manyAt(createdAt: number): Post[] {
  return Array.from({ length: MANY }, (_, index) => aPost({ forumId: `m${index}`, createdAt }))
}

function aPost(given: Partial<Post> = {}): Post {
  return {
    platform: 'forum',
    forumId: 'p1',
    subforum: 'selfhosted',
    title: 'A post',
    body: '',
    permalink: 'https://example.com/p1',
    url: null,
    score: 1,
    numComments: 0,
    createdAt: AT,
    author: 'somebody',
    ...given,
  }
}

function keep(app: App, organizationId: string, posts: readonly Post[]) {
  const at = { channel: null, now: app.clock(), live: true }
  const terms = { organizationId, posts, matchesOf: () => [], ...at }
  return app.db.transaction().execute((trx) => keepPosts(trx, app.database.engine, terms))
}
