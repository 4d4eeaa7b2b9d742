-- What a text may contain is found by its words instead of by every three characters that follow each
-- other: there are ten times as few of them, and a word that contains what is searched for is in the
-- text for certain. `src/lib/words.ts` says what a word is, and what a sign.
drop trigger record_text_added;
drop trigger record_text_changed;
drop trigger record_text_removed;
drop table record_text_term;
drop table record_text;

-- The words of each record, and its signs with their neighbours. A row's number is its organization's
-- partition × 2^54 + its key.
create virtual table record_text using fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
create virtual table record_sign using fts5 (
  text, content = '', contentless_delete = 1, detail = none,
  tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);

-- What was added in parts is put together again by a job: even two of them.
insert into record_text (record_text, rank) values ('usermerge', 2);
insert into record_sign (record_sign, rank) values ('usermerge', 2);

insert into record_text (rowid, text)
select number * 18014398509481984 + key, text
from record join text_partition using (organization_id)
where removed_at is null
order by 1;

-- The program brings the function.
insert into record_sign (rowid, text)
select number * 18014398509481984 + key, signs_of(text)
from record join text_partition using (organization_id)
where removed_at is null
order by 1;

create trigger record_text_added after insert on record begin
  insert into record_text (rowid, text)
  select number * 18014398509481984 + new.key, new.text
  from text_partition where organization_id = new.organization_id;
end;

create trigger record_text_changed after update of text on record when old.text <> new.text begin
  delete from record_text where rowid = (
    select number * 18014398509481984 + old.key
    from text_partition where organization_id = old.organization_id
  );
  delete from record_sign where rowid = (
    select number * 18014398509481984 + old.key
    from text_partition where organization_id = old.organization_id
  );
  insert into record_text (rowid, text)
  select number * 18014398509481984 + new.key, new.text
  from text_partition where organization_id = new.organization_id and new.text <> '';
end;

create trigger record_text_removed after delete on record begin
  delete from record_text where rowid = (
    select number * 18014398509481984 + old.key
    from text_partition where organization_id = old.organization_id
  );
  delete from record_sign where rowid = (
    select number * 18014398509481984 + old.key
    from text_partition where organization_id = old.organization_id
  );
end;

-- Every word there ever was, once, of all organizations: it says which words contain what is searched
-- for, and nothing about who wrote them.
create table word (
  id integer primary key,
  text text not null unique
) strict;

-- Every three characters of each word that follow each other. The space before says where it begins;
-- the two behind say where it ends, and make sure that each of its characters begins three.
create virtual table word_part using fts5 (
  text, content = '', detail = none, tokenize = 'trigram case_sensitive 1'
);

insert into word_part (word_part, rank) values ('usermerge', 2);

create virtual table word_part_term using fts5vocab ('word_part', 'instance');

create trigger word_added after insert on word begin
  insert into word_part (rowid, text) values (new.id, ' ' || new.text || '  ');
end;

create virtual table temp.record_text_term using fts5vocab (main, 'record_text', 'row');
insert into word (text) select term from temp.record_text_term;
drop table temp.record_text_term;
