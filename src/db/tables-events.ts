// Of tables.ts: what is told to webhooks.

export interface EventTable {
  organization_id: string
  id: string
  kind: string
  body: string
  created_at: number
}

export interface WebhookTable {
  organization_id: string
  id: string
  url: string
  description: string
  events: string
  secret: string
  previous_secret: string | null
  previous_secret_until: number | null
  enabled: number
  disabled_reason: string | null
  disabled_at: number | null
  consecutive_failures: number
  last_success_at: number | null
  last_failure_at: number | null
  created_at: number
  deleted_at: number | null
}

export interface DeliveryTable {
  organization_id: string
  id: string
  webhook_id: string
  event_id: string
  event_kind: string
  is_test: number
  state: string
  attempts: number
  tries: number
  wait_ms: number
  due_at: number | null
  sender_id: string | null
  last_status: number | null
  last_error: string | null
  last_attempt_at: number | null
  created_at: number
}

export interface AttemptTable {
  organization_id: string
  delivery_id: string
  number: number
  webhook_id: string
  is_test: number
  outcome: string
  status: number | null
  error: string | null
  snippet: string
  duration_ms: number
  at: number
}

export interface SenderTable {
  id: string
  alive_until: number
}

export interface RedeliveryTable {
  organization_id: string
  id: string
  webhook_id: string
  since: number
  until_id: string
  total: number
  done: number
  created_at: number
  finished_at: number | null
}
