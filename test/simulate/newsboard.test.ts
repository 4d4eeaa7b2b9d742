import { describe, expect, test } from 'vitest'
import { startSimulation, type Simulation } from '#src/simulate/simulation.ts'
import type { NewPost } from '#src/simulate/post.ts'
import { control, getJson, type SearchBody } from './client.ts'
import {
  fieldTypesOf,
  hasRecordings,
  recordedItem,
  recordedSearch,
  strangeFields,
  WHERE,
} from './recordings.ts'

const BEGAN = Date.UTC(2026, 0, 1) / 1_000

/** Ids from 1 up, one a second. */
function stories(count: number): NewPost[] {
  return Array.from({ length: count }, (_, index) => ({
    platform: 'newsboard',
    subforum: 'new',
    forumId: String(index + 1),
    title: `Story ${index}`,
    forumCreatedAt: new Date((BEGAN + index) * 1_000).toISOString(),
  }))
}

interface Item {
  id: number
  type: string
}

async function itemsOf(simulation: Simulation, list: string): Promise<Item[]> {
  const ids = await getJson<number[]>(simulation, `/v0/${list}stories.json`)
  return await Promise.all(ids.map((id) => getJson<Item>(simulation, `/v0/item/${id}.json`)))
}

describe('the items API', () => {
  test('lists what it then tells of', async () => {
    await using simulation = await startSimulation({ historyPerChannel: 20 })

    const lists = await Promise.all(
      ['new', 'top', 'ask', 'show', 'job'].map((list) => itemsOf(simulation, list)),
    )

    expect(lists.map((list) => list.length)).toEqual([60, 80, 20, 20, 20])
    expect(new Set(lists[0]?.map(({ type }) => type))).not.toContain('job')
    expect(new Set(lists[4]?.map(({ type }) => type))).toEqual(new Set(['job']))
  })

  test('says null of what it does not know, and how high its numbers go', async () => {
    await using simulation = await startSimulation()
    const id = simulation.add({ platform: 'newsboard', subforum: 'new', title: 'A title' })

    expect(await getJson(simulation, '/v0/item/5.json')).toBeNull()
    expect(await getJson(simulation, '/v0/maxitem.json')).toBe(Number(id))
  })

  test('tells what changed', async () => {
    await using simulation = await startSimulation({ posts: stories(3) })

    await control(simulation, { scores: [{ platform: 'newsboard', forumId: '2', score: 77 }] })

    expect(await getJson(simulation, '/v0/updates.json')).toMatchObject({ items: [2, 3, 1] })
    expect(await getJson(simulation, '/v0/item/2.json')).toMatchObject({ score: 77 })
  })
})

describe('the search API', () => {
  test('paged by time windows hands out everything once', async () => {
    await using simulation = await startSimulation({ posts: stories(2_350) })

    const seen: string[] = []
    let until = BEGAN + 10_000
    for (;;) {
      const window = `tags=story&hitsPerPage=1000&numericFilters=created_at_i<${until}`
      const { hits } = await getJson<SearchBody>(simulation, `/api/v1/search_by_date?${window}`)
      seen.push(...hits.map(({ objectID }) => objectID))
      const oldest = hits.at(-1)
      if (oldest === undefined) break
      until = Number(oldest['created_at_i'])
    }

    expect(seen).toEqual(
      stories(2_350)
        .map(({ forumId }) => forumId)
        .toReversed(),
    )
  })

  test('finds each section by its tag', async () => {
    await using simulation = await startSimulation({ historyPerChannel: 20 })
    const countOf = async (tags: string) =>
      (await getJson<SearchBody>(simulation, `/api/v1/search?tags=${tags}`)).nbHits

    expect(await countOf('job')).toBe(20)
    expect(await countOf('ask_hn')).toBe(20)
    expect(await countOf('story,show_hn')).toBe(20)
    expect(await countOf('(story,poll)')).toBe(60)
    expect(await countOf('front_page')).toBe(30)
  })

  test('refuses a filter it cannot read', async () => {
    await using simulation = await startSimulation()

    const { status } = await fetch(`${simulation.url}/api/v1/search?numericFilters=age>5`)

    expect(status).toBe(400)
  })
})

describe.skipIf(!hasRecordings)(`beside the recorded answers${WHERE}`, () => {
  test('an item has no field, and no type of a field, that the platform has not', async () => {
    await using simulation = await startSimulation({ historyPerChannel: 60 })
    const items = [await itemsOf(simulation, 'new'), await itemsOf(simulation, 'job')].flat()
    const kids = items.flatMap((item) => ('kids' in item ? (item.kids as number[]) : []))
    const comments = kids.map((id) => getJson<Item>(simulation, `/v0/item/${id}.json`))

    const everything = [...items, ...(await Promise.all(comments))]

    const names = {
      story: ['story_8863', 'story_121003'],
      job: ['job_192327', 'story_8863'],
      poll: ['poll_126809'],
      comment: ['comment_2921983'],
    }
    const strange = Object.entries(names).flatMap(([type, recordings]) => {
      const known = fieldTypesOf(recordings.map(recordedItem))
      const ours = everything.filter((item) => item.type === type)
      return ours.length === 0 ? [`no ${type}`] : ours.flatMap((item) => strangeFields(item, known))
    })
    expect(strange).toEqual([])
  })

  test('updates have the fields of the recorded ones', async () => {
    await using simulation = await startSimulation({ posts: stories(2) })

    const updates = await getJson<object>(simulation, '/v0/updates.json')

    expect(strangeFields(updates, fieldTypesOf([recordedItem('updates_')]))).toEqual([])
  })

  test('a hit and its page have no field that the platform has not', async () => {
    await using simulation = await startSimulation({ historyPerChannel: 60 })
    const recorded = recordedSearch()

    const found = await getJson<SearchBody>(simulation, '/api/v1/search?tags=front_page')

    const known = fieldTypesOf([...recorded.hits, { story_text: '<p>', url: null }])
    expect(strangeFields(found, fieldTypesOf([recorded]))).toEqual([])
    expect(found.hits.flatMap((hit) => strangeFields(hit, known))).toEqual([])
  })
})
