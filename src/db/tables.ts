// The tables as the program sees them, the same on both engines: instants are integer milliseconds,
// lists are JSON text. A test compares this file with the migrated databases.

import type {
  AttemptTable,
  DeliveryTable,
  EventTable,
  RedeliveryTable,
  SenderTable,
  WebhookTable,
} from './tables-events.ts'

export interface Tables {
  setting: SettingTable
  change: ChangeTable
  organization: OrganizationTable
  person: PersonTable
  membership: MembershipTable
  invitation: InvitationTable
  session: SessionTable
  api_key: ApiKeyTable
  api_key_locator: ApiKeyLocatorTable
  job: JobTable
  watcher: WatcherTable
  watcher_channel: WatcherChannelTable
  channel: ChannelTable
  channel_gap: ChannelGapTable
  record: RecordTable
  record_listing: RecordListingTable
  record_match: RecordMatchTable
  record_tag: RecordTagTable
  dataset_channel: DatasetChannelTable
  post_refresh: PostRefreshTable
  crawl_run: CrawlRunTable
  event: EventTable
  webhook: WebhookTable
  delivery: DeliveryTable
  attempt: AttemptTable
  sender: SenderTable
  redelivery: RedeliveryTable
  import_progress: ImportProgressTable
  migration: MigrationTable
}

interface SettingTable {
  name: string
  value: string
}

interface ChangeTable {
  name: string
  version: number
}

interface OrganizationTable {
  id: string
  name: string
  plan_type: string
  created_at: number
}

interface PersonTable {
  id: string
  email: string
  password_hash: string
  created_at: number
}

interface MembershipTable {
  organization_id: string
  person_id: string
  role: string
  created_at: number
}

interface InvitationTable {
  organization_id: string
  id: string
  email: string
  role: string
  token_hash: string
  invited_by: string
  created_at: number
  expires_at: number
}

interface SessionTable {
  token_hash: string
  person_id: string
  organization_id: string
  created_at: number
  expires_at: number
}

interface ApiKeyTable {
  organization_id: string
  id: string
  person_id: string
  name: string
  hint: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

interface ApiKeyLocatorTable {
  key_hash: string
  organization_id: string
  key_id: string
}

interface JobTable {
  queue: string
  id: string
  name: string
  payload: string
  run_at: number
  attempts: number
  lease: string | null
  last_error: string | null
  created_at: number
}

interface WatcherTable {
  organization_id: string
  id: string
  name: string
  rules: string
  brief: string | null
  interval_seconds: number
  enabled: number
  created_at: number
}

interface WatcherChannelTable {
  organization_id: string
  watcher_id: string
  platform: string
  channel: string
  subforum: string
  started_at: number | null
}

interface ChannelTable {
  platform: string
  channel: string
  cursor: string | null
  fetched_at: number | null
  beginners_next: number
  failures: number
  failing_since: number | null
  last_error: string | null
}

interface ChannelGapTable {
  platform: string
  channel: string
  from_at: number
  to_at: number
  reason: string
  noticed_at: number
}

interface RecordTable {
  key: number
  organization_id: string
  id: string
  platform: string
  forum_id: string
  subforum: string
  channel: string
  title: string
  body: string
  text: string
  permalink: string
  url: string | null
  has_image: number
  score: number
  num_comments: number
  created_at: number
  author: string
  matched: number
  verification: string
  first_seen_at: number
  removed_at: number | null
  has_link: number
  intent: string
  read: number
  archived: number
  snippet: string
}

interface RecordListingTable {
  organization_id: string
  record_key: number
  platform: string
  channel: string
}

interface RecordMatchTable {
  organization_id: string
  record_key: number
  watcher_id: string
  rule: number
  term: string | null
  field: string | null
  position: number | null
  tags: string
  matched_at: number
}

interface RecordTagTable {
  organization_id: string
  record_key: number
  tag: string
  origin: string
}

interface DatasetChannelTable {
  organization_id: string
  platform: string
  channel: string
  subforum: string
}

interface PostRefreshTable {
  platform: string
  forum_id: string
  created_at: number
  due_at: number
}

interface CrawlRunTable {
  organization_id: string
  id: string
  watcher_id: string
  watcher_name: string
  platform: string
  subforum: string
  status: string
  posts_fetched: number
  matched: number
  tagged: number
  new_posts: number
  error: string | null
  duration_ms: number
  started_at: number
}

interface ImportProgressTable {
  organization_id: string
  source: string
  lines: number
  imported: number
  updated: number
  rejected: number
  saved_at: number
}

interface MigrationTable {
  version: number
  name: string
  applied_at: number
}
