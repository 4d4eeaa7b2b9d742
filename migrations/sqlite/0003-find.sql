-- What people decide about a record, what it is after, what lists show of its text, and whether it
-- leads elsewhere. Of records that are there the text is cut anywhere; the next crawl cuts it at a word.
alter table record add column has_link integer not null default 0;
alter table record add column intent text not null default 'DISCUSSING';
alter table record add column read integer not null default 0;
alter table record add column archived integer not null default 0;
alter table record add column snippet text not null default '';
update record set has_link = 1 where url is not null;
update record set snippet = replace(case when body = '' then title else body end, char(10), ' ');
update record set snippet = rtrim(substr(snippet, 1, 239)) || '…' where length(snippet) > 240;

-- These hold all that records are filtered by, so that a filter that few records pass is tried
-- on the index alone, which is ten times as fast as on the rows.
drop index record_newest;
create index record_newest on record (
  organization_id, key, platform, channel, created_at, score, num_comments, has_link, has_image,
  verification, matched
) where removed_at is null;

drop index record_matched;
create index record_matched on record (
  organization_id, first_seen_at, key, platform, channel, created_at, score, num_comments, has_link,
  has_image, verification, read, archived
) where matched = 1 and removed_at is null;
create index record_matched_score on record (
  organization_id, score, key, platform, channel, created_at, num_comments, has_link, has_image,
  verification, read, archived
) where matched = 1 and removed_at is null;
create index record_matched_comments on record (
  organization_id, num_comments, key, platform, channel, created_at, score, has_link, has_image,
  verification, read, archived
) where matched = 1 and removed_at is null;

-- The origin of a tag may also be `removed`: a person took it away, and no rule gives it again.

-- The channels an organization has records of, by name.
create table dataset_channel (
  organization_id text not null references organization (id) on delete cascade,
  platform text not null,
  channel text not null,
  subforum text not null,
  primary key (organization_id, platform, channel)
) strict, without rowid;

insert into dataset_channel (organization_id, platform, channel, subforum)
select organization_id, platform, channel, min(subforum)
from record where removed_at is null
group by organization_id, platform, channel;

-- The text index knows only row numbers. Each organization has a range of them to itself, so that a
-- search reads nothing of the others; should there ever be more organizations than ranges, they
-- share them, which costs time and nothing else. No reference: what the index has outlives nothing.
create table text_partition (
  organization_id text primary key,
  number integer not null
) strict, without rowid;

insert into text_partition (organization_id, number)
select id, (row_number() over (order by id) - 1) % 1023 - 511 from organization;

create trigger organization_text_partition after insert on organization begin
  insert into text_partition (organization_id, number)
  values (new.id, (select count(*) from text_partition) % 1023 - 511);
end;

-- Every three characters that follow each other. The two behind the end make sure that each
-- character begins three, so that a text of one or two characters is found as what three begin with.
-- A row's number is its organization's partition × 2^54 + its key.
create virtual table record_text using fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);

create virtual table record_text_term using fts5vocab ('record_text', 'instance');

insert into record_text (rowid, text)
select number * 18014398509481984 + key, text || char(31, 31)
from record join text_partition using (organization_id)
where removed_at is null
order by 1;

create trigger record_text_added after insert on record begin
  insert into record_text (rowid, text)
  select number * 18014398509481984 + new.key, new.text || char(31, 31)
  from text_partition where organization_id = new.organization_id;
end;

create trigger record_text_changed after update of text on record when old.text <> new.text begin
  delete from record_text where rowid = (
    select number * 18014398509481984 + old.key
    from text_partition where organization_id = old.organization_id
  );
  insert into record_text (rowid, text)
  select number * 18014398509481984 + new.key, new.text || char(31, 31)
  from text_partition where organization_id = new.organization_id and new.text <> '';
end;

create trigger record_text_removed after delete on record begin
  delete from record_text where rowid = (
    select number * 18014398509481984 + old.key
    from text_partition where organization_id = old.organization_id
  );
end;
