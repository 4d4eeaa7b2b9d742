-- Raised with every change of a watcher: processes keep compiled rules by it.
insert into change (name, version) values ('watchers', 0);

create table watcher (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  name text not null,
  rules text not null,
  brief text,
  interval_seconds integer not null,
  enabled integer not null,
  created_at integer not null,
  primary key (organization_id, id)
) strict, without rowid;

-- Which channels a watcher watches. `started_at` is null until its first run: that one reads the
-- channel from the start.
create table watcher_channel (
  organization_id text not null,
  watcher_id text not null,
  platform text not null,
  channel text not null,
  subforum text not null,
  started_at integer,
  primary key (organization_id, watcher_id, platform, channel),
  foreign key (organization_id, watcher_id) references watcher (organization_id, id) on delete cascade
) strict, without rowid;

-- A channel is fetched once for the watchers of all organizations.
create index watcher_channel_channel on watcher_channel (platform, channel);

-- What is known of a channel, whoever watches it. When it is due is in its job. `beginners_next` says
-- whose turn it is when some have only begun to watch it.
create table channel (
  platform text not null,
  channel text not null,
  cursor text,
  fetched_at integer,
  beginners_next integer not null,
  failures integer not null,
  failing_since integer,
  last_error text,
  primary key (platform, channel)
) strict, without rowid;

-- A time span whose posts could not be had any more.
create table channel_gap (
  platform text not null,
  channel text not null,
  from_at integer not null,
  to_at integer not null,
  reason text not null,
  noticed_at integer not null,
  primary key (platform, channel, from_at, to_at)
) strict, without rowid;

-- `key` grows with the time of the post (milliseconds × 4096 + a counter), so that newest first is
-- the order of the key. Here it is the row's own address, which the text index will need, and so
-- unique over all organizations. `text` is title and body, lower-cased: what is searched.
create table record (
  key integer primary key,
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  platform text not null,
  forum_id text not null,
  subforum text not null,
  channel text not null,
  title text not null,
  body text not null,
  text text not null,
  permalink text not null,
  url text,
  has_image integer not null,
  score integer not null,
  num_comments integer not null,
  created_at integer not null,
  author text not null,
  matched integer not null,
  verification text not null,
  first_seen_at integer not null,
  removed_at integer
) strict;

create unique index record_post on record (organization_id, platform, forum_id);
-- The key is the last column of every index by itself.
create index record_newest on record (organization_id) where removed_at is null;
create index record_channel on record (organization_id, platform, channel) where removed_at is null;
create index record_matched on record (organization_id, first_seen_at)
  where matched = 1 and removed_at is null;

-- Other channels than its own that a record was seen in: a story is on several lists of the newsboard.
create table record_listing (
  organization_id text not null,
  record_key integer not null,
  platform text not null,
  channel text not null,
  primary key (organization_id, record_key, channel)
) strict, without rowid;

create index record_listing_channel
  on record_listing (organization_id, platform, channel, record_key);

-- Which watcher matched a record, by which rule and term, and where.
create table record_match (
  organization_id text not null,
  record_key integer not null,
  watcher_id text not null,
  rule integer not null,
  term text,
  field text,
  position integer,
  tags text not null,
  matched_at integer not null,
  primary key (organization_id, record_key, watcher_id)
) strict, without rowid;

create index record_match_watcher on record_match (organization_id, watcher_id, record_key);

-- `origin` is `rule` or `person`: what a person gave, no rule takes away.
create table record_tag (
  organization_id text not null,
  record_key integer not null,
  tag text not null,
  origin text not null,
  primary key (organization_id, record_key, tag)
) strict, without rowid;

create index record_tag_tag on record_tag (organization_id, tag, record_key);

-- Posts young enough to be looked at again, whoever holds them as records.
create table post_refresh (
  platform text not null,
  forum_id text not null,
  created_at integer not null,
  due_at integer not null,
  primary key (platform, forum_id)
) strict, without rowid;

create index post_refresh_due on post_refresh (platform, due_at);

create table crawl_run (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  watcher_id text not null,
  watcher_name text not null,
  platform text not null,
  subforum text not null,
  status text not null,
  posts_fetched integer not null,
  matched integer not null,
  tagged integer not null,
  new_posts integer not null,
  error text,
  duration_ms integer not null,
  started_at integer not null,
  primary key (organization_id, id)
) strict, without rowid;

create index crawl_run_watcher on crawl_run (organization_id, watcher_id, id);

-- What happened, serialised once: the very bytes that every delivery sends.
create table event (
  organization_id text not null references organization (id) on delete cascade,
  id text not null,
  kind text not null,
  body text not null,
  created_at integer not null,
  primary key (organization_id, id)
) strict, without rowid;

-- How far an import of a file has come, so that one that was cut off goes on from there.
create table import_progress (
  organization_id text not null references organization (id) on delete cascade,
  source text not null,
  lines integer not null,
  imported integer not null,
  updated integer not null,
  rejected integer not null,
  saved_at integer not null,
  primary key (organization_id, source)
) strict, without rowid;
