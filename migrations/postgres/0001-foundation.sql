create table migration (
  version integer primary key,
  name text not null,
  applied_at bigint not null
);

-- Facts about this installation, such as the fingerprint of its secret.
create table setting (
  name text primary key,
  value text not null
);

-- A version per name, raised in the transaction of the change it tells of. Processes look at it to
-- learn that what they have cached is no longer true.
create table change (
  name text primary key,
  version bigint not null
);

insert into change (name, version) values ('access', 0);

create table organization (
  id text primary key,
  name text not null,
  plan_type text not null,
  created_at bigint not null
);

-- A person may belong to several organizations, so this is no organization's table.
create table person (
  id text primary key,
  email text not null unique,
  password_hash text not null,
  created_at bigint not null
);

create table membership (
  organization_id text not null references organization (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  role text not null,
  created_at bigint not null,
  primary key (organization_id, person_id)
);

create index membership_person on membership (person_id, organization_id);

create table invitation (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  email text not null,
  role text not null,
  token_hash text not null,
  invited_by text not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (organization_id, id),
  unique (organization_id, token_hash),
  unique (organization_id, email)
);

create index invitation_expiry on invitation (expires_at);

create table session (
  token_hash text primary key,
  person_id text not null references person (id) on delete cascade,
  organization_id text not null,
  created_at bigint not null,
  expires_at bigint not null
);

create index session_person on session (person_id);
create index session_expiry on session (expires_at);

create table api_key (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  person_id text not null,
  name text not null,
  hint text not null,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  primary key (organization_id, id)
);

-- Finds the organization of a key that came without one. Apart from api_key, so that every index of
-- an organization's table starts with the organization.
create table api_key_locator (
  key_hash text primary key,
  organization_id text not null,
  key_id text not null,
  foreign key (organization_id, key_id) references api_key (organization_id, id) on delete cascade
);

create index api_key_locator_key on api_key_locator (organization_id, key_id);

create table job (
  queue text not null,
  id text not null,
  name text not null,
  payload text not null,
  run_at bigint not null,
  attempts integer not null,
  lease text,
  last_error text,
  created_at bigint not null,
  primary key (queue, id)
);

create index job_due on job (queue, run_at);
