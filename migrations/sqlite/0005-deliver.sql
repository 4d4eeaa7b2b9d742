-- Who is told of what. The secrets are encrypted with a key of the installation. A webhook that is
-- deleted is gone for everybody at once; its deliveries are taken away in steps, and it with the last.
create table webhook (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  url text not null,
  description text not null,
  events text not null,
  secret text not null,
  previous_secret text,
  previous_secret_until integer,
  enabled integer not null,
  disabled_reason text,
  disabled_at integer,
  consecutive_failures integer not null,
  last_success_at integer,
  last_failure_at integer,
  created_at integer not null,
  deleted_at integer,
  primary key (organization_id, id)
) strict, without rowid;

-- One event for one webhook. `attempts` is how many there ever were, `tries` how many of them failed
-- since it was last queued, `wait_ms` how long it waited before the last. It has a sender only while it
-- is being sent; what is due and has none waits.
create table delivery (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  webhook_id text not null,
  event_id text not null,
  event_kind text not null,
  is_test integer not null,
  state text not null,
  attempts integer not null,
  tries integer not null,
  wait_ms integer not null,
  due_at integer,
  sender_id text,
  last_status integer,
  last_error text,
  last_attempt_at integer,
  created_at integer not null,
  primary key (organization_id, id)
) strict, without rowid;

create index delivery_due on delivery (organization_id, webhook_id, due_at, id)
  where sender_id is null and due_at is not null;
create index delivery_sender on delivery (organization_id, sender_id)
  where sender_id is not null;
create index delivery_webhook on delivery (organization_id, webhook_id, id);
create index delivery_event on delivery (organization_id, event_id);

-- Of what is looked for in the log, only what is rare: most deliveries are delivered at once, and for those
-- every index would be written three times.
create index delivery_state on delivery (organization_id, state, id)
  where state in ('retrying', 'failed', 'held');
create index delivery_status on delivery (organization_id, last_status, id)
  where last_status >= 300;
create index delivery_kind on delivery (organization_id, event_kind, id)
  where event_kind <> 'crawl.run.completed';

-- Every time something was sent, or may have been.
create table attempt (
  organization_id text not null references organization (id) on delete cascade,
  delivery_id text not null,
  number integer not null,
  webhook_id text not null,
  is_test integer not null,
  outcome text not null,
  status integer,
  error text,
  snippet text not null,
  duration_ms integer not null,
  at integer not null,
  primary key (organization_id, delivery_id, number)
) strict, without rowid;

create index attempt_webhook on attempt (organization_id, webhook_id, at, is_test, outcome, duration_ms);

-- The processes that send, and until when each is believed to be alive. What one has in its hands
-- when it is not any more is sent by another.
create table sender (
  id text primary key,
  alive_until integer not null
) strict, without rowid;

-- How far the redelivery of all that failed has come.
create table redelivery (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  webhook_id text not null,
  since integer not null,
  until_id text not null,
  total integer not null,
  done integer not null,
  created_at integer not null,
  finished_at integer,
  primary key (organization_id, id)
) strict, without rowid;
