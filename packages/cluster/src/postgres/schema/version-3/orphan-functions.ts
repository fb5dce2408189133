// Version 3 of the tables: contents that nothing refers to are searched page by page, and removed in statements of bounded
// size. Calls and transcripts stay as long as their conversation, so there may be very many contents, and no statement looks at
// all of them. A statement that has locked a conversation looks only at the contents that it was given.

/**
 * How many contents one statement looks at, which takes some ten milliseconds. It is a constant in the SQL, so that PostgreSQL
 * knows it when it plans the query.
 */
const LOOKED_AT_AT_A_TIME = 5_000;
/** The most contents that one statement removes. */
const CONTENTS_AT_A_TIME = 500;
/** The most parts that one statement removes, unless a single content has more. With 256 K characters each, that is 64 MB. */
const PARTS_AT_A_TIME = 256;

const NOT_REFERRED_TO = `not exists (select from calls r where r.content = k.number)
      and not exists (select from events r where r.content = k.number)
      and not exists (select from kept_entries r where r.content = k.number)
      and not exists (select from content_parts r where r.inner_content = k.number)`;

export const ORPHAN_FUNCTIONS_3 = `
-- Looks at some contents, behind the one with this number: gives the orphans among them by conversation, as a JSON list of
-- [conversation, [content, …]], and the number to go on with, which is null at the end.
create or replace function find_orphans(p_after bigint, p_before timestamptz, out orphans text, out last bigint)
language plpgsql as $$
declare v_count bigint;
begin
  with page as materialized (
    select k.number, k.conversation, k.written_at from contents k
    where k.number > p_after order by k.number limit ${LOOKED_AT_AT_A_TIME}
  ), found as (
    select json_build_array(k.conversation, json_agg(k.number order by k.number)) as row from page k where k.written_at <= p_before
      and ${NOT_REFERRED_TO}
    group by k.conversation
  )
  select coalesce((select json_agg(f.row) from found f), '[]')::text, max(k.number), count(*) into orphans, last, v_count from page k;
  if v_count < ${LOOKED_AT_AT_A_TIME} then last := null; end if;
end $$;

-- Removes some of these contents of a conversation, where nothing refers to them, while nobody else writes to it. Gives those that are
-- left, and those that stood in what is gone: they may be orphans now.
create or replace function remove_contents(p_conversation bigint, p_contents bigint[], p_before timestamptz) returns bigint[]
language plpgsql as $$
declare v_left bigint[];
begin
  perform from conversations where number = p_conversation for no key update;
  with orphans as materialized (
    select k.number, row_number() over (order by k.number) as place, sum(k.parts) over (order by k.number) - k.parts as parts_before
    from contents k where k.number = any (p_contents) and k.conversation = p_conversation and k.written_at <= p_before
      and ${NOT_REFERRED_TO}
  ), chosen as materialized (
    select number from orphans where place <= ${CONTENTS_AT_A_TIME} and parts_before < ${PARTS_AT_A_TIME}
  ), gone as (
    delete from contents where number in (select number from chosen)
  )
  select array_agg(l.number) into v_left from (
    select number from orphans where number not in (select number from chosen)
    union
    select p.inner_content from content_parts p where p.content in (select number from chosen) and p.inner_content is not null
  ) l;
  return v_left;
end $$;

-- For code of version 2, which asks for all in one statement.
create or replace function orphaned_conversations(p_before timestamptz, p_limit integer)
returns table (conversation bigint) language plpgsql as $$
#variable_conflict use_column
begin
  return query select distinct k.conversation from contents k where k.written_at <= p_before
      and ${NOT_REFERRED_TO}
    limit p_limit;
end $$;

-- For code of version 2: what is left goes with the next prune.
create or replace function remove_orphans(p_conversation bigint, p_before timestamptz) returns void language plpgsql as $$
begin
  perform remove_contents(p_conversation, array(
    select k.number from contents k where k.conversation = p_conversation and k.written_at <= p_before
      and ${NOT_REFERRED_TO}
    limit ${CONTENTS_AT_A_TIME}
  ), p_before);
end $$;

-- Removes a transcript, without a subpath also those of subagents. Gives the contents that its entries referred to.
create or replace function take_out_transcript(p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text)
returns bigint[] language plpgsql as $$
declare c conversations; v_contents bigint[];
begin
  c := hold(p_key, p_epoch);
  select array_agg(distinct e.content) into v_contents from transcripts t join kept_entries e on e.transcript = t.number
  where t.conversation = c.number and t.project_key = p_project and t.session_id = p_session
    and (p_subpath is null or t.subpath = p_subpath) and e.content is not null;
  delete from transcripts where conversation = c.number and project_key = p_project and session_id = p_session
    and (p_subpath is null or subpath = p_subpath);
  return v_contents;
end $$;

-- For code of versions 1 and 2.
create or replace function delete_transcript(p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text)
returns void language plpgsql as $$
declare v_contents bigint[] := take_out_transcript(p_key, p_epoch, p_project, p_session, p_subpath);
begin
  if v_contents is null then return; end if;
  perform remove_contents((select number from conversations where key = p_key), v_contents, clock_timestamp());
end $$;
`;
