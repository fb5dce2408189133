// Version 2 of the tables: functions that remove data.

export const REMOVAL_FUNCTIONS_2 = `
create or replace function remove_conversation(p_key text) returns boolean language plpgsql as $$
declare v_number bigint;
begin
  delete from conversations where key = p_key returning number into v_number;
  if not found then return false; end if;
  -- Whoever has it looks whether it still does, and whoever reads it sees that there is nothing more.
  perform tell_number('stop', v_number, p_key);
  perform tell_number('events', v_number, p_key);
  perform tell_number('answer', v_number, p_key);
  return true;
end $$;

-- What is kept under the name of a tenant besides its conversations. What it has spent is counted without a name from then on,
-- so that the sums over all stay as they are.
create or replace function forget_tenant(p_tenant text) returns void language plpgsql as $$
begin
  with gone as (
    delete from spending where scope = scope_of(p_tenant) returning day, slot, usd
  )
  insert into spending (day, scope, slot, usd)
  -- In one order, so that two who forget cannot wait for each other.
  select day, scope_of(null), slot, usd from gone order by day, slot
  on conflict (day, scope, slot) do update set usd = spending.usd + excluded.usd;
  delete from pauses where scope = scope_of(p_tenant);
end $$;

-- Of some turns that ended before: their events, and leases that are over; gives how many rows, and turns. Besides, pauses that are
-- over, which have names of tenants, and workers that nobody lists any more.
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
  delete from pauses where until <= p_before;
  delete from workers where seen_at <= least(p_before, clock_timestamp() - interval '1 hour');
  removed := removed + v_leases;
  turns_left := v_turns = p_limit or v_leases = p_limit;
end $$;
`;
