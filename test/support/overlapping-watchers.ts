// Three organizations whose watchers overlap on channels of both platforms; some channels nobody
// watches. The third begins later than the others.

import { foundOrganization } from '#src/accounts/found.ts'
import { NewWatcher } from '#src/contract/watcher.ts'
import type { Db } from '#src/db/database.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import type { FoundedPlace } from './founded-place.ts'

export const FORUM_CHANNELS = [
  'selfhosted',
  'SaaS',
  'homelab',
  'webdev',
  'devops',
  'startups',
  'golang',
  'gardening',
]

export interface Watching {
  name: string
  organizationId: string
  /** As `platform/channel`, each once. */
  channels: string[]
}

type Organization = Omit<Watching, 'channels'>

interface Plan {
  name: string
  /** As `platform/subforum`. */
  watches: readonly string[]
  rules?: unknown[]
}

const NOTION = [{ any: ['notion'], tags: ['notion'] }]

/** A story that asks is both in `new` and in `ask`. Nobody watches gardening, golang and jobs. */
const FIRST: readonly Plan[] = [
  { name: 'All', watches: ['forum/selfhosted', 'forum/SaaS', 'forum/devops', 'newsboard/new'] },
  { name: 'Notion', watches: ['forum/r/Selfhosted', 'newsboard/ask'], rules: NOTION },
]
const SECOND: readonly Plan[] = [
  { name: 'Shops', watches: ['forum/saas', 'forum/webdev', 'newsboard/ask'], rules: NOTION },
  { name: 'Homes', watches: ['forum/homelab', 'forum/saas', 'newsboard/show'] },
]
const THIRD: readonly Plan[] = [
  { name: 'Late', watches: ['forum/selfhosted', 'forum/homelab', 'forum/startups'] },
  { name: 'Shows', watches: ['newsboard/show'], rules: NOTION },
]

/** The two that watch from the beginning. */
export async function watchFromBeginning(db: Db, place: FoundedPlace): Promise<Watching[]> {
  const first = { name: 'First', organizationId: place.organizationId }
  const second = await addOrganization(db, place, 'Second')
  return [await addWatchers(db, first, FIRST), await addWatchers(db, second, SECOND)]
}

/** A third one, who begins with what the platforms still list. */
export async function watchFromNow(db: Db, place: FoundedPlace): Promise<Watching> {
  return await addWatchers(db, await addOrganization(db, place, 'Third'), THIRD)
}

async function addOrganization(
  db: Db,
  { userId: ownerId }: FoundedPlace,
  name: string,
): Promise<Organization> {
  const founding = { ownerId, organizationName: name }
  const organizationId = await db
    .transaction()
    .execute((trx) => foundOrganization(trx, founding, Date.now()))
  return { name, organizationId }
}

export async function addWatchers(
  db: Db,
  organization: Organization,
  plans: readonly Plan[],
): Promise<Watching> {
  const channels = new Set<string>()
  for (const { name, watches, rules = [] } of plans) {
    const wanted = NewWatcher.parse({
      name,
      rules,
      intervalSeconds: 1,
      channels: watches.map(channelNamed),
    })
    for (const { platform, key } of wanted.channels) channels.add(`${platform}/${key}`)
    const context = { db, minIntervalSeconds: 1, now: Date.now() }
    await createWatcher(context, organization.organizationId, wanted)
  }
  return { ...organization, channels: [...channels] }
}

function channelNamed(name: string): { platform: string; subforum: string } {
  const border = name.indexOf('/')
  return { platform: name.slice(0, border), subforum: name.slice(border + 1) }
}
