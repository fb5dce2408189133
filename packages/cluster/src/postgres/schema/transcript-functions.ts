// The database functions for transcripts, and for removing data.

export const TRANSCRIPT_FUNCTIONS = `
create or replace function append_entries(
  p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text, p_uuids text[], p_entries text[]
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
  insert into entries (transcript, seq, uuid, epoch, entry)
  select v_transcript, v_last - v_count + e.place, e.uuid, p_epoch, e.entry
  from unnest(p_uuids, p_entries) with ordinality as e (uuid, entry, place) order by e.place
  on conflict (transcript, uuid) where uuid is not null do nothing;
end $$;

-- Without a subpath also those of subagents.
create or replace function delete_transcript(p_key text, p_epoch bigint, p_project text, p_session text, p_subpath text)
returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  delete from transcripts where conversation = c.number and project_key = p_project and session_id = p_session
    and (p_subpath is null or subpath = p_subpath);
end $$;

create or replace function remove_conversation(p_key text) returns boolean language plpgsql as $$
begin
  delete from conversations where key = p_key;
  if not found then return false; end if;
  -- Whoever has it looks whether it still does, and whoever reads it sees that there is nothing more.
  perform tell('stop', p_key);
  perform tell('events', p_key);
  perform tell('answer', p_key);
  return true;
end $$;

-- Of some turns that ended before: their events, and leases that are over; gives how many rows, and turns.
create or replace function prune_some(p_before timestamptz, p_limit integer, out removed bigint, out turns_left boolean)
language plpgsql as $$
declare v_turns integer; v_leases integer;
begin
  with old as (
    update turns t set pruned = true from (
      select conversation, place from turns where state = 'ended' and not pruned and ended_at <= p_before
      order by ended_at limit p_limit for update skip locked
    ) o where t.conversation = o.conversation and t.place = o.place returning t.conversation, t.id
  ), gone as (
    delete from events e using old where e.conversation = old.conversation and e.turn = old.id returning 1
  )
  select (select count(*) from gone), (select count(*) from old) into removed, v_turns;
  delete from leases where (conversation, epoch) in (
    select l.conversation, l.epoch from leases l where l.until <= p_before
      and exists (select from leases n where n.conversation = l.conversation and n.epoch > l.epoch)
    order by l.until limit p_limit
  );
  get diagnostics v_leases = row_count;
  removed := removed + v_leases;
  turns_left := v_turns = p_limit or v_leases = p_limit;
end $$;
`;
