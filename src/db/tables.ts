// The tables as the program sees them, the same on both engines: instants are integer milliseconds,
// lists are JSON text. A test compares this file with the migrated databases.

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

interface MigrationTable {
  version: number
  name: string
  applied_at: number
}
