// Version 2 of the tables: large values are stored once. Large results of calls, messages and transcript entries are split
// (`contents/split-value.ts`), and the rows refer to the contents. Code of version 1 must still be able to read the tables. For
// that code, the view `entries` and the function `begin_call` join the parts, and events and calls have a short form in their
// old columns.
import { CALL_UNKNOWN } from '../common-functions.js';

/** The code for a reference to a content that is missing or incomplete. */
export const CONTENT_MISSING = 'IB007';

export const CONTENT_FUNCTIONS_2 = `
create table contents (
  number bigint generated always as identity primary key,
  conversation bigint not null references conversations on delete cascade,
  digest text collate "C" not null,
  -- Of the whole text, with those that stand in it.
  characters bigint not null,
  parts integer not null,
  -- Nothing refers to what has not all of its parts.
  is_whole boolean not null default false,
  written_at timestamptz not null,
  unique (conversation, digest)
);

create table content_parts (
  content bigint not null references contents on delete cascade,
  place integer not null,
  -- One of the two: a piece of text, or another content that stands here.
  text text,
  inner_content bigint references contents deferrable initially deferred,
  primary key (content, place),
  check ((text is null) <> (inner_content is null))
);
create index content_parts_inner on content_parts (inner_content) where inner_content is not null;

alter table calls add column content bigint;
alter table events add column content bigint;
alter table entries rename to kept_entries;
alter table kept_entries add column content bigint;
-- No row has one yet: there is nothing to check. When a conversation is removed, what refers goes after what it refers to.
alter table calls add constraint calls_content foreign key (content) references contents
  deferrable initially deferred not valid;
alter table events add constraint events_content foreign key (content) references contents
  deferrable initially deferred not valid;
alter table kept_entries add constraint kept_entries_content foreign key (content) references contents
  deferrable initially deferred not valid;
create index calls_content on calls (content) where content is not null;
create index events_content on events (content) where content is not null;
create index kept_entries_content on kept_entries (content) where content is not null;

-- The text of a content as a whole.
create or replace function content_text(p_content bigint) returns text language plpgsql stable as $$
begin
  return (
    select string_agg(case when p.inner_content is null then p.text else content_text(p.inner_content) end, '' order by p.place)
    from content_parts p where p.content = p_content
  );
end $$;

-- As version 1 reads it.
create view entries as
  select transcript, seq, uuid, epoch, case when content is null then entry else content_text(content) end as entry
  from kept_entries;

-- Whoever may work with the old tables may work with the new ones, before somebody grants it again.
do $$
declare g record;
begin
  for g in select a.grantee, a.privilege_type from pg_class t, aclexplode(t.relacl) a
    where t.oid = 'kept_entries'::regclass and a.grantee <> t.relowner
      and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format('grant %s on contents, content_parts, entries to %s', g.privilege_type,
      case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end);
  end loop;
end $$;

-- How many parts of contents of a conversation are written, from the first on without a gap.
create or replace function content_state(p_key text, p_epoch bigint, p_digests text[])
returns table (digest text, parts bigint, is_whole boolean) language plpgsql as $$
#variable_conflict use_column
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  return query select k.digest,
    (select case when max(p.place) + 1 = count(*) then count(*) else 0 end from content_parts p where p.content = k.number),
    k.is_whole from contents k where k.conversation = c.number and k.digest = any (p_digests);
end $$;

-- Adds parts, in order, with the content that each belongs to. One that is there already is the same.
create or replace function put_parts(
  p_key text, p_epoch bigint, p_digests text[], p_characters bigint[], p_parts integer[], p_places integer[], p_texts text[],
  p_inner text[]
) returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  insert into contents (conversation, digest, characters, parts, written_at)
  select distinct c.number, r.digest, r.characters, r.parts, clock_timestamp()
  from unnest(p_digests, p_characters, p_parts) as r (digest, characters, parts)
  on conflict (conversation, digest) do nothing;
  if exists (
    select from unnest(p_inner) as r (digest) where r.digest is not null
      and not exists (select from contents k where k.conversation = c.number and k.digest = r.digest)
  ) then raise exception using errcode = '${CONTENT_MISSING}', message = 'a content is missing'; end if;
  insert into content_parts (content, place, text, inner_content)
  select k.number, r.place, r.text, i.number
  from unnest(p_digests, p_places, p_texts, p_inner) as r (digest, place, text, inner_digest)
  join contents k on k.conversation = c.number and k.digest = r.digest
  left join contents i on i.conversation = c.number and i.digest = r.inner_digest
  on conflict (content, place) do nothing;
  update contents k set is_whole = true
  where k.conversation = c.number and k.digest = any (p_digests) and not k.is_whole
    and k.parts = (select count(*) from content_parts p where p.content = k.number);
end $$;

-- The number of a content of a conversation that is held; null without a digest.
create or replace function whole_content(p_conversation bigint, p_digest text) returns bigint language plpgsql as $$
declare v_number bigint;
begin
  if p_digest is null then return null; end if;
  select number into v_number from contents where conversation = p_conversation and digest = p_digest and is_whole;
  if not found then raise exception using errcode = '${CONTENT_MISSING}', message = 'a content is missing'; end if;
  return v_number;
end $$;

-- Lets events of a conversation that is held refer to contents: those that follow the event with this id.
create or replace function refer_events(p_conversation bigint, p_after bigint, p_digests text[]) returns void language plpgsql as $$
begin
  update events e set content = whole_content(p_conversation, d.digest)
  from unnest(p_digests) with ordinality as d (digest, place)
  where d.digest is not null and e.conversation = p_conversation and e.id = p_after + d.place;
end $$;

create or replace function publish_contents(
  p_key text, p_epoch bigint, p_turns text[], p_bodies text[], p_batch text, p_digests text[]
) returns bigint language plpgsql as $$
declare c conversations; v_last bigint;
begin
  c := hold(p_key, p_epoch);
  if c.last_batch = p_batch then return c.last_batch_event; end if;
  v_last := publish(p_key, p_epoch, p_turns, p_bodies, p_batch);
  perform refer_events(c.number, c.last_event, p_digests);
  return v_last;
end $$;

create or replace function finish_turn_contents(
  p_key text, p_epoch bigint, p_turn text, p_outcome text, p_cost double precision, p_failure text, p_turns text[],
  p_bodies text[], p_digests text[]
) returns boolean language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  if not finish_turn(p_key, p_epoch, p_turn, p_outcome, p_cost, p_failure, p_turns, p_bodies) then return false; end if;
  perform refer_events(c.number, c.last_event, p_digests);
  return true;
end $$;

-- As \`begin_call\`, but for the result, which may be a content.
create or replace function begin_call_contents(
  p_key text, p_epoch bigint, p_call text, p_turn text, p_tool text, p_input text,
  out begun integer, out result text, out content bigint
) language plpgsql as $$
#variable_conflict use_column
declare c conversations; t turns; k calls;
begin
  c := hold(p_key, p_epoch);
  t := turn_under_way(c.number, p_turn);
  select * into k from calls where conversation = c.number and call_key = p_call;
  begun := coalesce(k.begun, 0);
  result := k.result;
  content := k.content;
  if result is not null then return; end if;
  -- Asked again in the same lease, after an answer that was lost.
  if k.epoch = p_epoch then
    begun := begun - 1;
    return;
  end if;
  insert into calls (conversation, call_key, turn, tool_name, input, epoch, begun)
  values (c.number, p_call, t.id, p_tool, p_input, p_epoch, 1)
  on conflict (conversation, call_key) do update set epoch = excluded.epoch, begun = calls.begun + 1;
end $$;

create or replace function begin_call(
  p_key text, p_epoch bigint, p_call text, p_turn text, p_tool text, p_input text,
  out begun integer, out result text
) language plpgsql as $$
declare k record;
begin
  select * into k from begin_call_contents(p_key, p_epoch, p_call, p_turn, p_tool, p_input);
  begun := k.begun;
  result := case when k.content is null then k.result else content_text(k.content) end;
end $$;

create or replace function end_call_content(
  p_key text, p_epoch bigint, p_call text, p_result text, p_digest text
) returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  perform end_call(p_key, p_epoch, p_call, p_result);
  update calls set content = whole_content(c.number, p_digest) where conversation = c.number and call_key = p_call;
end $$;

create or replace function end_call(p_key text, p_epoch bigint, p_call text, p_result text) returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  update calls set result = p_result, content = null, epoch = p_epoch, ended_epoch = p_epoch,
    ended = ended + case when ended_epoch is distinct from p_epoch then 1 else 0 end
  where conversation = c.number and call_key = p_call;
  if not found then raise exception using errcode = '${CALL_UNKNOWN}', message = 'no such call'; end if;
end $$;

-- Entries that are contents have an empty text.
create or replace function append_contents(
  p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text, p_uuids text[], p_entries text[], p_digests text[]
) returns void language plpgsql as $$
declare c conversations; v_transcript bigint; v_last bigint; v_count integer := coalesce(cardinality(p_entries), 0);
begin
  c := hold(p_key, p_epoch);
  if v_count = 0 then return; end if;
  insert into transcripts (conversation, project_key, session_id, subpath, last_seq, changed_at)
  values (c.number, p_project, p_session, p_subpath, v_count, clock_timestamp())
  on conflict (conversation, project_key, session_id, subpath)
  do update set last_seq = transcripts.last_seq + v_count, changed_at = excluded.changed_at
  returning number, last_seq into v_transcript, v_last;
  insert into kept_entries (transcript, seq, uuid, epoch, entry, content)
  select v_transcript, v_last - v_count + e.place, e.uuid, p_epoch, e.entry, whole_content(c.number, e.digest)
  from unnest(p_uuids, p_entries, p_digests) with ordinality as e (uuid, entry, digest, place) order by e.place
  on conflict (transcript, uuid) where uuid is not null do nothing;
end $$;

create or replace function append_entries(
  p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text, p_uuids text[], p_entries text[]
) returns void language plpgsql as $$
begin
  perform append_contents(p_key, p_epoch, p_project, p_session, p_subpath, p_uuids, p_entries, null);
end $$;

-- Contents that nothing refers to: a worker died before it could, or what did is removed.
create or replace function is_orphan(p_content bigint) returns boolean language plpgsql stable as $$
begin
  return not exists (select from calls where content = p_content)
    and not exists (select from events where content = p_content)
    and not exists (select from kept_entries where content = p_content)
    and not exists (select from content_parts where inner_content = p_content);
end $$;

create or replace function orphaned_conversations(p_before timestamptz, p_limit integer)
returns table (conversation bigint) language plpgsql as $$
begin
  return query select distinct k.conversation from contents k where k.written_at <= p_before and is_orphan(k.number) limit p_limit;
end $$;

-- One conversation at a time, and while nobody else writes to it.
create or replace function remove_orphans(p_conversation bigint, p_before timestamptz) returns void language plpgsql as $$
begin
  perform from conversations where number = p_conversation for no key update;
  -- Those that stood in a content that is gone are the next.
  loop
    delete from contents k where k.conversation = p_conversation and k.written_at <= p_before and is_orphan(k.number);
    exit when not found;
  end loop;
end $$;

-- Without a subpath also those of subagents.
create or replace function delete_transcript(p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text)
returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  delete from transcripts where conversation = c.number and project_key = p_project and session_id = p_session
    and (p_subpath is null or subpath = p_subpath);
  perform remove_orphans(c.number, clock_timestamp());
end $$;
`;
