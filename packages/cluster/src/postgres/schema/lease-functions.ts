// The database functions for leases. They go by the database's clock alone. Later versions replace some of them.

export const LEASE_FUNCTIONS = `
create or replace function take_lease(
  p_key text, p_owner text, p_ms double precision,
  out answer text, out epoch bigint, out holder text, out ms double precision, out reason text
) language plpgsql as $$
#variable_conflict use_column
declare c conversations; t turns; p pauses; v_now timestamptz; v_locked boolean := false;
begin
  -- First without a lock: most who come in vain need none.
  select * into c from conversations where key = p_key;
  loop
    v_now := clock_timestamp();
    if c.number is null then answer := 'unknown'; return; end if;
    if c.owner is not null and c.lease_until > v_now then
      answer := 'held'; holder := c.owner; ms := extract(epoch from c.lease_until - v_now) * 1000;
      return;
    end if;
    if c.ready_at is null then answer := 'idle'; return; end if;
    if c.ready_at > v_now then
      answer := 'idle'; ms := extract(epoch from c.ready_at - v_now) * 1000;
      return;
    end if;
    if not c.running then
      p := pause_of(c.tenant);
      if p.scope is not null then
        answer := 'paused'; ms := extract(epoch from p.until - v_now) * 1000; reason := p.reason;
        return;
      end if;
    end if;
    exit when v_locked;
    v_locked := true;
    select * into c from conversations where key = p_key for no key update;
  end loop;

  answer := 'granted';
  take_lease.epoch := nextval('epochs');
  if c.owner is not null then
    ms := extract(epoch from v_now - c.lease_until) * 1000;
    update leases set until = c.lease_until where conversation = c.number and leases.epoch = c.epoch;
    perform count_up('takeovers', c.number);
  end if;
  update conversations set epoch = take_lease.epoch, owner = p_owner,
    lease_until = v_now + make_interval(secs => p_ms / 1000), handed_over = false, updated_at = v_now
  where number = c.number;
  insert into leases (conversation, epoch, owner, granted_at) values (c.number, take_lease.epoch, p_owner, v_now);
end $$;

-- One row for each lease that is still held.
create or replace function renew_leases(p_keys text[], p_epochs bigint[], p_ms double precision)
returns table (key text, epoch bigint, has_work boolean, stop text) language plpgsql as $$
#variable_conflict use_column
declare v_numbers bigint[];
begin
  -- In one order, so that two who renew the same cannot wait for each other.
  select array_agg(l.number) into v_numbers from (
    select c.number from conversations c
    where (c.key, c.epoch) in (select * from unnest(p_keys, p_epochs)) and c.owner is not null
    order by c.number for no key update
  ) l;
  return query
    with renewed as (
      update conversations c set lease_until = clock_timestamp() + make_interval(secs => p_ms / 1000)
      where c.number = any (v_numbers) returning c as r
    )
    select (x.r).key, (x.r).epoch,
      case
        when t.state is null or t.state = 'parked' then false
        when t.epoch <> (x.r).epoch then not must_wait(x.r)
        else coalesce((
          select n.not_before is null or n.not_before <= clock_timestamp() from turns n
          where n.conversation = (x.r).number and n.state = 'queued' order by n.place limit 1
        ), false) and (pause_of((x.r).tenant)).scope is null
      end,
      case when t.state = 'running' and t.stop then t.id end
    from renewed x left join lateral first_turn((x.r).number) t on true;
end $$;

create or replace function release_lease(
  p_key text, p_epoch bigint, p_turn text, p_cost double precision, p_failed boolean, p_after_ms double precision
) returns boolean language plpgsql as $$
declare c conversations; v_now timestamptz := clock_timestamp(); v_handed_over boolean := false;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found or c.epoch is distinct from p_epoch or c.owner is null then return false; end if;
  if p_turn is not null then
    update turns set cost_usd = cost_usd + greatest(p_cost, 0),
      tries = case when p_failed then tries else tries - 1 end,
      -- Whoever wants it to end does not wait.
      not_before = case when p_after_ms > 0 and not stop then v_now + make_interval(secs => p_after_ms / 1000) else not_before end
    where conversation = c.number and id = p_turn and state = 'running';
    v_handed_over := found and not p_failed;
    if found then perform spend(c, p_cost); end if;
  end if;
  update leases set until = least(v_now, c.lease_until), released = true where conversation = c.number and epoch = p_epoch;
  update conversations set owner = null, lease_until = null, handed_over = v_handed_over where number = c.number;
  c := settle(c.number);
  if not must_wait(c) then perform tell('inbox', p_key); end if;
  return true;
end $$;

-- Of several who ask at a time, one gets an answer. Leases that ran out come first, then turns that were handed over; there are never
-- more of those than workers have places, so that all of them are looked at.
create or replace function due_conversations(p_limit integer)
returns table (key text, recovered boolean) language plpgsql as $$
#variable_conflict use_column
declare v_all_paused boolean; v_now timestamptz := clock_timestamp(); v_ran_out integer; v_handed_over integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('inboard due'), hashtext(current_schema()::text)) then return; end if;
  v_all_paused := exists (select from pauses where scope = 'all' and until > v_now);
  return query
    select c.key, true from conversations c
    where c.owner is not null and c.lease_until <= v_now and c.ready_at <= v_now
      and (c.running or not (v_all_paused
        or exists (select from pauses p where p.scope = scope_of(c.tenant) and p.until > v_now)))
    order by c.lease_until limit p_limit;
  get diagnostics v_ran_out = row_count;
  return query
    select c.key, true from conversations c
    where c.handed_over and c.owner is null and c.ready_at <= v_now and c.running
    order by c.ready_at limit p_limit - v_ran_out;
  get diagnostics v_handed_over = row_count;
  return query
    select c.key, false from conversations c
    where c.owner is null and c.ready_at <= v_now and not (c.handed_over and c.running)
      and (c.running or not (v_all_paused
        or exists (select from pauses p where p.scope = scope_of(c.tenant) and p.until > v_now)))
    order by c.ready_at limit p_limit - v_ran_out - v_handed_over;
end $$;
`;
