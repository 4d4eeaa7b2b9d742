import { describe, expect, test } from 'vitest'
import { seconds } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  matchesIn,
  publish,
  recordsIn,
  round,
  roundFromStart,
  rowsIn,
  runsIn,
  tagsIn,
  watch,
  watchingApp,
  type WatchingApp,
} from '#test/support/watching.ts'

describe.concurrent.each(ENGINES)('records on %s', (engine) => {
  test('a post becomes one record with all the contract tells of it', async () => {
    await using home = await watchingApp(engine)
    const at = Date.UTC(2026, 2, 1, 12)
    const forumId = publish(home, {
      subforum: 'SelfHosted',
      title: 'Title',
      body: 'Body',
      author: 'ann',
      score: 7,
      numComments: 3,
      forumCreatedAt: isoTime(at),
    })
    await watch(home)

    await round(home)

    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
      {
        id: expect.stringMatching(/^rec_[0-9a-z]{26}$/),
        platform: 'forum',
        forum_id: forumId,
        channel: 'selfhosted',
        title: 'Title',
        body: 'Body',
        permalink: expect.stringContaining(`/comments/${forumId}`),
        url: null,
        author: 'ann',
        score: 7,
        num_comments: 3,
        created_at: at,
        matched: 0,
        verification: 'clear',
        removed_at: null,
      },
    ])
  })

  test('both platforms may use the same id, and their posts are two records', async () => {
    await using home = await watchingApp(engine)
    publish(home, { forumId: '77' })
    publish(home, { platform: 'newsboard', subforum: 'new', forumId: '77' })
    await watch(home, {
      channels: [
        { platform: 'forum', subforum: 'selfhosted' },
        { platform: 'newsboard', subforum: 'new' },
      ],
    })

    await round(home)
    await round(home, { platform: 'newsboard', channel: 'new' })

    const records = await recordsIn(home.app.db, home.organizationId)
    expect(records.map(({ platform, forum_id }) => `${platform}/${forum_id}`).sort()).toEqual([
      'forum/77',
      'newsboard/77',
    ])
  })

  test('a second crawl updates a record and adds none; firstSeenAt and the id stay', async () => {
    await using home = await watchingApp(engine)
    const forumId = publish(home, { title: 'Before', body: 'old', score: 1 })
    const key = await watch(home)
    await round(home)
    const [before] = await recordsIn(home.app.db, home.organizationId)

    home.advance(seconds(90))
    const post = home.simulation.world.get('forum', forumId)
    Object.assign(post ?? {}, { title: 'After', body: 'new', score: 40, numComments: 9 })
    await roundFromStart(home, key)

    expect(await recordsIn(home.app.db, home.organizationId)).toEqual([
      {
        ...before,
        title: 'After',
        body: 'new',
        snippet: 'new',
        text: 'after\u001fnew',
        score: 40,
        num_comments: 9,
        permalink: expect.stringMatching(/after/), // the platform makes it of the title
      },
    ])
    expect(await runsIn(home.app.db)).toMatchObject([
      { posts_fetched: 1, new_posts: 1 },
      { posts_fetched: 1, new_posts: 0 },
    ])
  })

  test('two watchers that match one post give one record with two matches', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'Backups of Postgres' })
    const one = await watch(home, { rules: [{ any: ['backup'] }] })
    const two = await watch(home, { rules: [{ any: ['postgres'] }] })

    await round(home)

    const { db } = home.app
    expect(await recordsIn(db, home.organizationId)).toMatchObject([{ matched: 1 }])
    expect(await matchesIn(db, home.organizationId)).toEqual({
      'Backups of Postgres': [one.id, two.id].sort(),
    })
  })

  test('a match tells which rule, which term, where, and when', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'A question', body: 'Which NAS?' })
    const { id } = await watch(home, {
      rules: [{ any: ['absent'] }, { any: ['router', 'nas'], kind: 'word', tags: ['hardware'] }],
    })

    await round(home)

    expect(await rowsIn(home.app.db, 'record_match')).toMatchObject([
      { watcher_id: id, rule: 1, term: 'nas', field: 'body', position: 6, tags: '["hardware"]' },
    ])
  })

  test('a keyword match makes a record matched and pending; what no rule wants is clear', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'A NAS' })
    publish(home, { title: 'A cat' })
    await watch(home, { rules: [{ any: ['nas'] }] })

    await round(home)

    expect(await standing(home)).toEqual({
      'A NAS': { matched: 1, verification: 'pending' },
      'A cat': { matched: 0, verification: 'clear' },
    })
  })

  test('a match without a keyword leaves nothing to judge', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'Popular', score: 500 })
    await watch(home, { rules: [{ minScore: 100 }] })

    await round(home)

    expect(await standing(home)).toEqual({ Popular: { matched: 1, verification: 'clear' } })
  })

  test('a record that a later watcher matches becomes matched and pending', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'A NAS' })
    await watch(home)
    await round(home)
    expect(await standing(home)).toEqual({ 'A NAS': { matched: 0, verification: 'clear' } })

    await watch(home, { rules: [{ any: ['nas'], tags: ['hardware'] }] })
    await round(home)

    expect(await standing(home)).toEqual({ 'A NAS': { matched: 1, verification: 'pending' } })
    expect(await tagsIn(home.app.db, home.organizationId)).toEqual({ 'A NAS': ['hardware'] })
  })

  test('tags come from every rule that matches, each once', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'Postgres backup' })
    publish(home, { title: 'Postgres' })
    await watch(home, {
      rules: [
        { any: ['backup'], tags: ['safety', 'data'] },
        { any: ['postgres'], tags: ['data'] },
      ],
    })

    await round(home)

    expect(await tagsIn(home.app.db, home.organizationId)).toEqual({
      'Postgres backup': ['data', 'safety'],
      Postgres: ['data'],
    })
  })

  test('a feed, which tells no scores, never overwrites a score that is known', async () => {
    await using home = await watchingApp(engine, { withoutCredentials: true })
    publish(home, { title: 'Before', score: 50, numComments: 8 })
    const key = await watch(home)
    await round(home)
    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
      { score: 0, num_comments: 0 },
    ])
    await home.app.db.updateTable('record').set({ score: 50, num_comments: 8 }).execute()

    for (const post of home.simulation.world.forumChannel('selfhosted')?.posts ?? []) {
      post.title = 'After'
    }
    await roundFromStart(home, key)

    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
      { title: 'After', score: 50, num_comments: 8 },
    ])
  })

  test('the link of a post is kept, and tells whether it is an image', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'file', url: 'https://example.com/a/photo.JPG?size=2' })
    publish(home, { title: 'host', url: 'https://i.redd.it/abc' })
    publish(home, { title: 'page', url: 'https://example.com/article' })
    publish(home, { title: 'none', url: null })
    await watch(home)

    await round(home)

    const records = await recordsIn(home.app.db, home.organizationId)
    expect(
      Object.fromEntries(records.map(({ title, url, has_image }) => [title, [url, has_image]])),
    ).toEqual({
      file: ['https://example.com/a/photo.JPG?size=2', 1],
      host: ['https://i.redd.it/abc', 1],
      page: ['https://example.com/article', 0],
      none: [null, 0],
    })
  })
})

async function standing({ app, organizationId }: WatchingApp) {
  const records = await recordsIn(app.db, organizationId)
  return Object.fromEntries(
    records.map(({ title, matched, verification }) => [title, { matched, verification }]),
  )
}
