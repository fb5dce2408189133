// Version 6 of the tables: removes what is older than a policy says, in statements of bounded size. Each looks at some
// conversations, or removes some rows of one. A conversation with open work is left alone, which is checked again under its lock.

/** How many conversations one statement looks at. */
const LOOKED_AT_AT_A_TIME = 200;

export const RETENTION_FUNCTIONS_6 = `
-- Which worker has a job that one of them does at a time, and when it was last done.
create table jobs (
  name text collate "C" primary key,
  owner text collate "C",
  until timestamptz,
  done_at timestamptz
);

-- Takes a job, or keeps it. Not while another has it, or where it was done not long ago.
create or replace function claim_job(p_name text, p_owner text, p_ms double precision, p_every_ms double precision) returns boolean
language plpgsql as $$
declare v_now timestamptz := clock_timestamp(); v_until timestamptz := clock_timestamp() + make_interval(secs => p_ms / 1000);
begin
  insert into jobs (name, owner, until) values (p_name, p_owner, v_until)
  on conflict (name) do update set owner = excluded.owner, until = excluded.until
  where (jobs.owner = excluded.owner and jobs.until > v_now) or (
    (jobs.until is null or jobs.until <= v_now)
    and (jobs.done_at is null or jobs.done_at <= v_now - make_interval(secs => p_every_ms / 1000))
  );
  return found;
end $$;

create or replace function end_job(p_name text, p_owner text) returns void language plpgsql as $$
begin
  update jobs set owner = null, until = null, done_at = clock_timestamp() where name = p_name and owner = p_owner;
end $$;

-- Whether nothing of a conversation is under way or awaited.
create or replace function is_settled(p_conversation conversations) returns boolean language sql stable as $$
  select not (p_conversation.owner is not null and p_conversation.lease_until > clock_timestamp())
    and not exists (select from turns t where t.conversation = p_conversation.number and t.state <> 'ended')
    and not exists (select from questions q where q.conversation = p_conversation.number and q.answer is null);
$$;

-- Of which turns the events may go: all of a closed conversation, else those before the last that has run. What its events say of its
-- end is told to the model in the next turn.
create or replace function is_past(p_conversation conversations, p_place integer) returns boolean language sql stable as $$
  select p_conversation.closed_at is not null or p_place < coalesce((
    select t.place from turns t where t.conversation = p_conversation.number and t.attempt > 0 order by t.place desc limit 1
  ), p_place + 1);
$$;

-- Conversations behind the one with this number that have something old of a kind: a JSON list of their numbers, and the number to
-- go on with, which is null at the end. Nothing is counted, so that a large conversation takes no longer than others.
create or replace function find_old(p_kind text, p_before timestamptz, p_after bigint, out list text, out last bigint)
language plpgsql as $$
declare v_numbers bigint[];
begin
  select array_agg(p.number) into v_numbers from (
    select c.number from conversations c where c.number > p_after order by c.number limit ${LOOKED_AT_AT_A_TIME}
  ) p;
  last := case when cardinality(v_numbers) = ${LOOKED_AT_AT_A_TIME} then v_numbers[${LOOKED_AT_AT_A_TIME}] end;
  select coalesce(json_agg(c.number order by c.number), '[]')::text into list
  from conversations c where c.number = any (v_numbers) and is_settled(c) and case p_kind
    when 'conversations' then c.updated_at <= p_before
    when 'transcripts' then c.closed_at is not null and c.updated_at <= p_before
      and exists (select from transcripts s where s.conversation = c.number)
    when 'calls' then exists (
      select from calls k join turns t on t.conversation = k.conversation and t.id = k.turn
      where k.conversation = c.number and t.ended_at <= p_before
    )
    else exists (
      select from turns t where t.conversation = c.number and t.ended_at <= p_before and not t.pruned and is_past(c, t.place)
    )
  end;
end $$;

-- What these conversations have that is old of a kind.
create or replace function count_old(
  p_kind text, p_before timestamptz, p_numbers bigint[], out rows_found bigint, out bytes bigint
) language plpgsql as $$
begin
  select count(*), coalesce(sum(r.size), 0) into rows_found, bytes from (
    select pg_column_size(e.body)::bigint as size from events e join (
      select t.conversation, t.id from conversations c join turns t on t.conversation = c.number
      where p_kind = 'events' and c.number = any (p_numbers) and t.ended_at <= p_before and not t.pruned and is_past(c, t.place)
      offset 0
    ) t on t.conversation = e.conversation and t.id = e.turn
    union all
    select pg_column_size(k.input) + coalesce(pg_column_size(k.result), 0) from calls k
    join turns t on t.conversation = k.conversation and t.id = k.turn
    where p_kind = 'calls' and k.conversation = any (p_numbers) and t.ended_at <= p_before
    union all
    select pg_column_size(e.entry) from transcripts s join kept_entries e on e.transcript = s.number
    where p_kind = 'transcripts' and s.conversation = any (p_numbers)
    union all
    select
      (select coalesce(sum(pg_column_size(e.body)), 0) from events e where e.conversation = c.number)
      + (select coalesce(sum(pg_column_size(k.input) + coalesce(pg_column_size(k.result), 0)), 0) from calls k
        where k.conversation = c.number)
      + (select coalesce(sum(pg_column_size(e.entry)), 0) from transcripts s join kept_entries e on e.transcript = s.number
        where s.conversation = c.number)
      + (select coalesce(sum(pg_column_size(p.text)), 0) from contents k join content_parts p on p.content = k.number
        where k.conversation = c.number)
      + (select coalesce(sum(pg_column_size(t.content) + coalesce(pg_column_size(t.outcome), 0)), 0) from turns t
        where t.conversation = c.number)
    from conversations c where p_kind = 'conversations' and c.number = any (p_numbers)
  ) r;
end $$;

-- Removes some rows of a conversation that is held, of all that there can be many of; gives how many, and how many bytes.
create or replace function empty_conversation(p_number bigint, p_limit integer, out removed bigint, out bytes bigint)
language plpgsql as $$
declare v_count bigint; v_bytes bigint;
begin
  with old as (
    select e.id from events e where e.conversation = p_number limit p_limit
  ), gone as (
    delete from events e using old where e.conversation = p_number and e.id = old.id returning pg_column_size(e.body) as size
  )
  select count(*), coalesce(sum(size), 0) into removed, bytes from gone;

  with old as (
    select k.call_key from calls k where k.conversation = p_number limit p_limit - removed
  ), gone as (
    delete from calls k using old where k.conversation = p_number and k.call_key = old.call_key
    returning pg_column_size(k.input) + coalesce(pg_column_size(k.result), 0) as size
  )
  select count(*), coalesce(sum(size), 0) into v_count, v_bytes from gone;
  removed := removed + v_count; bytes := bytes + v_bytes;

  with old as (
    select e.transcript, e.seq from transcripts s join kept_entries e on e.transcript = s.number
    where s.conversation = p_number limit p_limit - removed
  ), gone as (
    delete from kept_entries e using old where e.transcript = old.transcript and e.seq = old.seq
    returning pg_column_size(e.entry) as size
  )
  select count(*), coalesce(sum(size), 0) into v_count, v_bytes from gone;
  removed := removed + v_count; bytes := bytes + v_bytes;

  -- Once nothing refers to them.
  with old as (
    select p.content, p.place from contents k join content_parts p on p.content = k.number
    where k.conversation = p_number limit p_limit - removed
  ), gone as (
    delete from content_parts p using old where p.content = old.content and p.place = old.place
    returning coalesce(pg_column_size(p.text), 0) as size
  )
  select count(*), coalesce(sum(size), 0) into v_count, v_bytes from gone;
  removed := removed + v_count; bytes := bytes + v_bytes;

  delete from contents where number in (
    select k.number from contents k where k.conversation = p_number limit p_limit - removed
  );
  get diagnostics v_count = row_count;
  removed := removed + v_count;

  with old as (
    select t.place from turns t where t.conversation = p_number limit p_limit - removed
  ), gone as (
    delete from turns t using old where t.conversation = p_number and t.place = old.place
    returning pg_column_size(t.content) + coalesce(pg_column_size(t.outcome), 0) as size
  )
  select count(*), coalesce(sum(size), 0) into v_count, v_bytes from gone;
  removed := removed + v_count; bytes := bytes + v_bytes;
end $$;

-- Removes some rows of a conversation that are old; gives how many, how many bytes, whether there are more, and the entry of the run.
create or replace function remove_old(
  p_kind text, p_before timestamptz, p_number bigint, p_limit integer, p_run bigint, p_who text, p_policy text,
  out removed bigint, out bytes bigint, out more boolean, out run bigint
) language plpgsql as $$
begin
  select r.removed, r.bytes, r.more into removed, bytes, more from remove_some(p_kind, p_before, p_number, p_limit) r;
  run := note_removed(p_run, p_who, p_policy, p_kind, removed, bytes);
end $$;

create or replace function remove_some(
  p_kind text, p_before timestamptz, p_number bigint, p_limit integer, out removed bigint, out bytes bigint, out more boolean
) language plpgsql as $$
declare c conversations; v_emptied record;
begin
  removed := 0; bytes := 0; more := false;
  select * into c from conversations where number = p_number for update skip locked;
  if not found or not is_settled(c) then return; end if;
  if p_kind = 'events' then
    with old as (
      select e.id from events e where e.conversation = c.number and e.turn = any (array(
        select t.id from turns t
        where t.conversation = c.number and t.ended_at <= p_before and not t.pruned and is_past(c, t.place)
      )) order by e.id limit p_limit
    ), gone as (
      delete from events e using old where e.conversation = c.number and e.id = old.id returning pg_column_size(e.body) as size
    )
    select count(*), coalesce(sum(size), 0) into removed, bytes from gone;
    if removed < p_limit then
      update turns set pruned = true
      where conversation = c.number and state = 'ended' and ended_at <= p_before and not pruned and is_past(c, place);
      -- The newest of each worker stays: whoever forgets the conversation is told on whose disks files of it may be.
      delete from leases l where l.conversation = c.number and l.until <= p_before
        and exists (select from leases n where n.conversation = l.conversation and n.owner = l.owner and n.epoch > l.epoch);
    end if;
  elsif p_kind = 'calls' then
    with old as (
      select k.call_key from calls k join turns t on t.conversation = k.conversation and t.id = k.turn
      where k.conversation = c.number and t.ended_at <= p_before limit p_limit
    ), gone as (
      delete from calls k using old where k.conversation = c.number and k.call_key = old.call_key
      returning pg_column_size(k.input) + coalesce(pg_column_size(k.result), 0) as size
    )
    select count(*), coalesce(sum(size), 0) into removed, bytes from gone;
    if removed < p_limit then
      -- Answered ones: where one is not, nothing is removed.
      delete from questions q using turns t
      where q.conversation = c.number and t.conversation = c.number and t.id = q.turn and t.ended_at <= p_before;
    end if;
  elsif p_kind = 'transcripts' then
    if c.closed_at is null or c.updated_at > p_before then return; end if;
    with old as (
      select e.transcript, e.seq from transcripts s join kept_entries e on e.transcript = s.number
      where s.conversation = c.number limit p_limit
    ), gone as (
      delete from kept_entries e using old where e.transcript = old.transcript and e.seq = old.seq
      returning pg_column_size(e.entry) as size
    )
    select count(*), coalesce(sum(size), 0) into removed, bytes from gone;
    if removed < p_limit then delete from transcripts where conversation = c.number; end if;
  elsif p_kind = 'conversations' then
    if c.updated_at > p_before then return; end if;
    select * into v_emptied from empty_conversation(c.number, p_limit);
    bytes := v_emptied.bytes;
    if v_emptied.removed = p_limit then
      -- One of which a part is missing must not be continued. It keeps the time of its last change, so that the next run finds it.
      update conversations set closed_at = coalesce(closed_at, clock_timestamp()), state = 'closed' where number = c.number;
      more := true;
      return;
    end if;
    perform remove_conversation_quietly(c.key);
    perform strip_deeds(c.number);
    removed := 1;
    return;
  end if;
  more := removed = p_limit;
end $$;

-- Removes some entries of the audit that are old, or only counts them; gives the number to go on with, which is null at the end.
-- Entries of a conversation with open work stay.
create or replace function remove_old_deeds(
  p_before timestamptz, p_after bigint, p_limit integer, p_apply boolean, p_run bigint, p_who text, p_policy text,
  out removed bigint, out bytes bigint, out last bigint, out run bigint
) language plpgsql as $$
declare v_old bigint[]; v_newest timestamptz; v_count integer;
begin
  with page as materialized (
    select a.seq, a.at, a.conversation, a.key, a.size + 100 as size
    from audit a where a.seq > p_after order by a.seq limit p_limit
  ), old as (
    select p.seq, p.size from page p where p.at <= p_before and not exists (
      select from conversations c where c.number = p.conversation and not is_settled(c)
    )
  )
  select array_agg(o.seq), coalesce(sum(o.size), 0), (select max(seq) from page), (select max(at) from page), (select count(*) from page)
  into v_old, bytes, last, v_newest, v_count from old o;
  removed := coalesce(cardinality(v_old), 0);
  if p_apply then
    delete from audit where seq = any (v_old);
    run := note_removed(p_run, p_who, p_policy, 'audit', removed, bytes);
  end if;
  if v_count < p_limit or v_newest > p_before then last := null; end if;
end $$;

-- Notes what a statement has removed, in its own transaction, so that nothing is missing that a killed run removed. All of a run is in
-- one entry: gives its number, which is null as long as nothing was removed.
create or replace function note_removed(
  p_run bigint, p_who text, p_policy text, p_kind text, p_rows bigint, p_bytes bigint
) returns bigint language plpgsql as $$
declare v_run bigint := p_run;
begin
  if p_rows = 0 and p_bytes = 0 then return v_run; end if;
  if v_run is null then
    insert into audit (at, what, who, facts) values (clock_timestamp(), 'pruned', p_who, '{"policy":' || p_policy || ',"removed":{}}')
    returning seq into v_run;
  end if;
  -- The policy and the counts are numbers, which jsonb keeps as they are.
  update audit set facts = jsonb_set(facts::jsonb, array['removed', p_kind], jsonb_build_object(
    'rows', coalesce((facts::jsonb #>> array['removed', p_kind, 'rows'])::bigint, 0) + p_rows,
    'bytes', coalesce((facts::jsonb #>> array['removed', p_kind, 'bytes'])::bigint, 0) + p_bytes
  ))::text where seq = v_run;
  return v_run;
end $$;
`;
