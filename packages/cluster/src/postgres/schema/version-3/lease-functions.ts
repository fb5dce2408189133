// Version 3 of the tables: a worker that asks for a lease, renews a single one or gives one back waits a limited time for the
// row of the conversation, but without a limit for the table. A migration locks the table for a second or two. With a limit, a
// worker would give up before the table is free, and would lose all its leases.

/** Milliseconds to wait for a transaction that has locked a conversation. */
const ROW_WAIT_MS = 250;

// Each function begins without a limit. PostgreSQL restores the session's own limit when the function returns. An exception
// undoes settings that were made after the `begin` of its block.
export const LEASE_FUNCTIONS_3 = `
create or replace function take_lease(
  p_key text, p_owner text, p_ms double precision,
  out answer text, out epoch bigint, out holder text, out ms double precision, out reason text
) language plpgsql set lock_timeout to 0 as $$
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
    -- For the table as long as it takes: the limit is for the row alone.
    lock table conversations in row exclusive mode;
    begin
      perform set_config('lock_timeout', '${ROW_WAIT_MS}', true);
      select * into c from conversations where key = p_key for no key update;
      perform set_config('lock_timeout', '0', true);
    exception when lock_not_available then
      -- Who would wait for it longer keeps a connection, and a place of its worker. Whose transaction it is cannot be seen:
      -- most often that of the last owner, under its fence.
      ms := ${ROW_WAIT_MS};
      if c.owner is null then answer := 'idle'; else answer := 'held'; holder := c.owner; end if;
      return;
    end;
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

-- One row for each lease that was asked for: 'renewed', 'locked' (it is held, and stays as it is), or why it is lost.
create or replace function renew_unlocked_leases(p_keys text[], p_epochs bigint[], p_ms double precision)
returns table (key text, epoch bigint, state text, has_work boolean, stop text)
language plpgsql set lock_timeout to 0 as $$
#variable_conflict use_column
declare v_numbers bigint[];
begin
  select array_agg(l.number) into v_numbers from (
    select c.number from conversations c
    where (c.key, c.epoch) in (select * from unnest(p_keys, p_epochs)) and c.owner is not null
    for no key update skip locked
  ) l;
  if v_numbers is null and cardinality(p_keys) = 1 then
    -- One alone keeps no other waiting. In line for the lock it has better luck than with a look now and then, where many short
    -- transactions of a busy conversation follow each other.
    begin
      -- The statement before has the table already.
      perform set_config('lock_timeout', '${ROW_WAIT_MS}', true);
      select array[c.number] into v_numbers from conversations c
      where c.key = p_keys[1] and c.epoch = p_epochs[1] and c.owner is not null for no key update;
      perform set_config('lock_timeout', '0', true);
    exception when lock_not_available then null;
    end;
  end if;
  with renewed as (
    -- One that has run out is not brought back: its worker has given it up.
    update conversations c set lease_until = clock_timestamp() + make_interval(secs => p_ms / 1000)
    where c.number = any (v_numbers) and c.lease_until > clock_timestamp() returning c.number
  )
  select array_agg(number) into v_numbers from renewed;
  return query
    select asked.key, asked.epoch, seen.state, coalesce(seen.state in ('renewed', 'locked') and has_more_work(c, t), false),
      case when seen.state in ('renewed', 'locked') and t.state = 'running' and t.stop then t.id end
    from unnest(p_keys, p_epochs) as asked (key, epoch)
    left join conversations c on c.key = asked.key
    cross join lateral (
      select case
        when c.number = any (v_numbers) and c.epoch = asked.epoch then 'renewed'
        when c.epoch is distinct from asked.epoch or c.owner is null then why_lost(c, asked.epoch)
        when c.lease_until <= clock_timestamp() then 'late'
        else 'locked'
      end
    ) as seen (state)
    left join lateral first_turn(c.number) t on seen.state in ('renewed', 'locked');
end $$;

create or replace function give_back_lease(
  p_key text, p_epoch bigint, p_turn text, p_cost double precision, p_failed boolean, p_cut_off boolean,
  p_after_ms double precision
) returns boolean language plpgsql set lock_timeout to 0 as $$
declare c conversations; v_now timestamptz; v_handed_over boolean := false;
begin
  -- For the table as long as it takes: the limit is for the row alone.
  lock table conversations in row exclusive mode;
  perform set_config('lock_timeout', '${ROW_WAIT_MS}', true);
  select * into c from conversations where key = p_key for no key update;
  perform set_config('lock_timeout', '0', true);
  if c.number is null or c.epoch is distinct from p_epoch or c.owner is null then return false; end if;
  v_now := clock_timestamp();
  if p_turn is not null then
    update turns set cost_usd = cost_usd + greatest(p_cost, 0),
      tries = case when p_failed then tries else tries - 1 end,
      -- Whoever wants it to end does not wait.
      not_before = case when p_after_ms > 0 and not stop then v_now + make_interval(secs => p_after_ms / 1000) else not_before end
    where conversation = c.number and id = p_turn and state = 'running';
    v_handed_over := found and (p_cut_off or not p_failed);
    if found then perform spend(c, p_cost); end if;
  end if;
  update leases set until = least(v_now, c.lease_until), released = true where conversation = c.number and epoch = p_epoch;
  update conversations set owner = null, lease_until = null, handed_over = v_handed_over where number = c.number;
  c := settle(c.number);
  if not must_wait(c) then perform tell('inbox', p_key); end if;
  return true;
end $$;
`;
