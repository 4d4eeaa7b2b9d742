-- What people decide about a record, what it is after, what lists show of its text, and whether it
-- leads elsewhere. Of records that are there the text is cut anywhere; the next crawl cuts it at a word.
alter table record add column has_link bigint not null default 0;
alter table record add column intent text not null default 'DISCUSSING';
alter table record add column read bigint not null default 0;
alter table record add column archived bigint not null default 0;
alter table record add column snippet text not null default '';
update record set has_link = 1 where url is not null;
update record set snippet = replace(case when body = '' then title else body end, chr(10), ' ');
update record set snippet = rtrim(substr(snippet, 1, 239)) || '…' where length(snippet) > 240;

-- These hold all that records are filtered by, so that a filter that few records pass is tried
-- on the index alone.
drop index record_newest;
create index record_newest on record (organization_id, key) include (
  platform, channel, created_at, score, num_comments, has_link, has_image, verification, matched
) where removed_at is null;

drop index record_matched;
create index record_matched on record (organization_id, first_seen_at, key) include (
  platform, channel, created_at, score, num_comments, has_link, has_image, verification, read,
  archived
) where matched = 1 and removed_at is null;
create index record_matched_score on record (organization_id, score, key) include (
  platform, channel, created_at, num_comments, has_link, has_image, verification, read, archived
) where matched = 1 and removed_at is null;
create index record_matched_comments on record (organization_id, num_comments, key) include (
  platform, channel, created_at, score, has_link, has_image, verification, read, archived
) where matched = 1 and removed_at is null;

-- The origin of a tag may also be `removed`: a person took it away, and no rule gives it again.

-- The channels an organization has records of, by name.
create table dataset_channel (
  organization_id text not null references organization (id) on delete cascade,
  platform text not null,
  channel text collate "C" not null,
  subforum text not null,
  primary key (organization_id, platform, channel)
);

insert into dataset_channel (organization_id, platform, channel, subforum)
select organization_id, platform, channel, min(subforum)
from record where removed_at is null
group by organization_id, platform, channel;

-- Every three characters of a text that follow each other, as one number each that is another for
-- every organization: what a search reads of this index is the organization's own. It needs no
-- extension and knows every script. The program computes the same numbers: lib/grams.ts.
create table record_gram (
  organization_id text not null,
  record_key bigint not null,
  grams integer[] not null,
  primary key (organization_id, record_key)
);

create function pg_temp.seed(name text) returns bigint language plpgsql immutable as $$
declare seed bigint := 0;
begin
  for index in 1..length(name) loop
    seed := (seed * 31 + ascii(substr(name, index, 1))) & 4294967295;
  end loop;
  return seed;
end $$;

insert into record_gram (organization_id, record_key, grams)
select record.organization_id, record.key, gram.all_of_it
from record
cross join lateral (select pg_temp.seed(record.organization_id) as seed offset 0) as own
cross join lateral (
  select array_agg(distinct
    ((own.seed + first * 2654435761 + second * 2246822519 + third * 3266489917)
      & 4294967295)::bit(32)::integer
  ) as all_of_it
  from (
    select ascii(character)::bigint as first,
      lead(ascii(character)::bigint, 1) over place as second,
      lead(ascii(character)::bigint, 2) over place as third
    from unnest(string_to_array(record.text || chr(31) || chr(31), null))
      with ordinality as each (character, position)
    window place as (order by position)
  ) as three
  where third is not null
) as gram
where record.removed_at is null and gram.all_of_it is not null;

create index record_gram_grams on record_gram using gin (grams);
