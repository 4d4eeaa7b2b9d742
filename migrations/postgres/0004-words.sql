-- What a text may contain is found by its words instead of by every three characters that follow each
-- other: there are ten times as few of them, and a word that contains what is searched for is in the
-- text for certain. `src/lib/words.ts` says what a word is, and what a sign; `src/lib/numbers.ts`
-- computes the same numbers as the functions here.
drop table record_gram;

-- Every word that an organization's records ever had, between two spaces; long ones in pieces. `grams` are
-- all its one, two and three characters that follow each other.
create table word (
  organization_id text not null references organization (id) on delete cascade,
  number integer not null,
  text text collate "C" not null,
  grams integer[] not null,
  primary key (organization_id, number, text)
);

-- The words of each record, and its signs with their neighbours, as numbers that are others for every
-- organization: what a search reads of this index is the organization's own.
create table record_word (
  organization_id text not null,
  record_key bigint not null,
  words integer[] not null,
  primary key (organization_id, record_key)
);

create function pg_temp.number(word text, seed bigint) returns integer language plpgsql immutable as $$
declare number bigint := seed;
begin
  for place in 1..length(word) loop
    number := (number * 31 + ascii(substr(word, place, 1))) & 4294967295;
  end loop;
  return number::bit(32)::integer;
end $$;

create function pg_temp.pieces(words text) returns setof text language sql immutable as $$
  select substr(padded, place, 200)
  from (
    select ' ' || word || ' ' as padded
    from regexp_split_to_table(words, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+') as word
    where word <> ''
  ) as each,
  generate_series(1, greatest(length(padded) - 100, 1), 100) as place
  where place = 1 or length(padded) > place + 99
$$;

create function pg_temp.signs(words text) returns setof text language sql immutable as $$
  with character as (
    select character, place,
      lag(character) over (order by place) as before, lead(character) over (order by place) as behind
    from unnest(string_to_array(words, null)) with ordinality as each (character, place)
  ),
  sign as (
    select * from character where character ~ '^[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]$'
  )
  select character from sign
  union
  select before || character from sign where before !~ '^[\u0001-\u0020\u007f]$'
  union
  select character || behind from sign where behind !~ '^[\u0001-\u0020\u007f]$'
$$;

create function pg_temp.grams(piece text, seed bigint) returns integer[] language sql immutable as $$
  select array_agg(distinct
    ((seed + first * 2654435761 + second * 2246822519 + third * 3266489917) & 4294967295)::bit(32)::integer
  )
  from (
    select ascii(substr(piece, place, 1))::bigint as first,
      case when size > 1 then ascii(substr(piece, place + 1, 1)) else 0 end::bigint as second,
      case when size > 2 then ascii(substr(piece, place + 2, 1)) else 0 end::bigint as third
    from generate_series(1, length(piece)) as place, generate_series(1, 3) as size
    where place + size - 1 <= length(piece)
  ) as each
$$;

create temporary table seed as
select id as organization_id, pg_temp.number(id, 0)::bigint as seed from organization;

insert into record_word (organization_id, record_key, words)
select organization_id, key, (
  select coalesce(array_agg(distinct pg_temp.number(part, seed)), '{}')
  from (select pg_temp.pieces(text) as part union all select pg_temp.signs(text)) as parts
)
from record join seed using (organization_id)
where removed_at is null;

insert into word (organization_id, number, text, grams)
select organization_id, pg_temp.number(piece, seed), piece, pg_temp.grams(piece, seed)
from (
  select distinct organization_id, seed, pg_temp.pieces(text) as piece
  from record join seed using (organization_id)
  where removed_at is null
) as pieces;

drop table seed;

create index word_grams on word using gin (grams);
create index record_word_words on record_word using gin (words);
