// Version 2 of the tables: notifications and the search for due conversations. Every login role of a database can listen to
// every channel and take every advisory lock. So notifications carry numbers, which only roles that may read the tables can
// turn into keys. And the search locks a table instead of taking an advisory lock, because only roles with a right to the table
// can lock it.

export const NOTICE_FUNCTIONS_2 = `
-- Equal to seen_at while the worker reports itself with code of this version. Code of version 1 changes seen_at alone.
alter table workers add column version_2_at timestamptz;
create index workers_of_version_1 on workers (seen_at) where version_2_at is distinct from seen_at;

-- Without rows: it is only locked. A lock of a table, unlike that of a row, writes nothing, and this one is taken by every idle worker
-- again and again.
create table due_lock ();

-- Where changes are told; short enough to be the name of a channel for every schema.
create or replace function notice_channel(p_schema text) returns text language sql immutable as $$
  select 'inboard_' || left(encode(sha256(convert_to(p_schema, 'UTF8')), 'hex'), 32);
$$;

-- Workers of version 1 listen for names, on the channel that has the name of the schema. It is used only while there is one.
create or replace function tell_number(p_kind text, p_number bigint, p_key text) returns void language plpgsql as $$
begin
  perform pg_notify(notice_channel(current_schema()::text), p_kind || ' ' || p_number);
  if exists (
    select from workers where version_2_at is distinct from seen_at and seen_at > now() - interval '1 minute'
  ) then
    perform pg_notify(current_schema()::text, p_kind || ' ' || p_key);
  end if;
end $$;

-- What may have changed.
create or replace function tell(p_kind text, p_key text) returns void language plpgsql as $$
declare v_number bigint;
begin
  select number into v_number from conversations where key = p_key;
  if found then perform tell_number(p_kind, v_number, p_key); end if;
end $$;

-- Reports a worker, and gives the oldest version whose code works with these tables.
create or replace function report_worker(p_name text, p_report text) returns integer language plpgsql as $$
declare v_now timestamptz := clock_timestamp(); v_oldest integer;
begin
  insert into workers (name, report, seen_at, version_2_at) values (p_name, p_report, v_now, v_now)
  on conflict (name) do update
  set report = excluded.report, seen_at = excluded.seen_at, version_2_at = excluded.version_2_at;
  select max(oldest) into v_oldest from migrations;
  return v_oldest;
end $$;

-- Of several who ask at a time, one gets an answer, and the others a row that says so. It is only about load: with p_although_busy
-- the answer comes all the same. Leases that ran out come first, then turns that were handed over; there are never more of those than
-- workers have places, so that all of them are looked at.
create or replace function due_conversations_2(p_limit integer, p_although_busy boolean)
returns table (key text, recovered boolean, busy boolean) language plpgsql as $$
#variable_conflict use_column
declare v_all_paused boolean; v_now timestamptz := clock_timestamp(); v_ran_out integer; v_handed_over integer;
begin
  begin
    lock table due_lock in share update exclusive mode nowait;
  exception when lock_not_available then
    return query select null::text, false, true;
    if not p_although_busy then return; end if;
  end;
  v_all_paused := exists (select from pauses where scope = 'all' and until > v_now);
  return query
    select c.key, true, false from conversations c
    where c.owner is not null and c.lease_until <= v_now and c.ready_at <= v_now
      and (c.running or not (v_all_paused
        or exists (select from pauses p where p.scope = scope_of(c.tenant) and p.until > v_now)))
    order by c.lease_until limit p_limit;
  get diagnostics v_ran_out = row_count;
  return query
    select c.key, true, false from conversations c
    where c.handed_over and c.owner is null and c.ready_at <= v_now and c.running
    order by c.ready_at limit p_limit - v_ran_out;
  get diagnostics v_handed_over = row_count;
  return query
    select c.key, false, false from conversations c
    where c.owner is null and c.ready_at <= v_now and not (c.handed_over and c.running)
      and (c.running or not (v_all_paused
        or exists (select from pauses p where p.scope = scope_of(c.tenant) and p.until > v_now)))
    order by c.ready_at limit p_limit - v_ran_out - v_handed_over;
end $$;

-- For code of version 1, which cannot be told that another looks.
create or replace function due_conversations(p_limit integer)
returns table (key text, recovered boolean) language plpgsql as $$
#variable_conflict use_column
begin
  return query select d.key, d.recovered from due_conversations_2(p_limit, false) d where not d.busy;
end $$;
`;
