// Version 5 of the tables: what a turn has reserved is given back when it ends, is parked, or is given back itself. A turn that
// was cut off keeps it until its next attempt, which finds out what it has cost.

/** Milliseconds to wait for a transaction that has locked a conversation, as in version 3. */
const ROW_WAIT_MS = 250;

export const SETTLING_FUNCTIONS_5 = `
-- Counts what a turn has cost. What is no amount of money would stay in all sums for good.
create or replace function spend(p_conversation conversations, p_usd double precision) returns void language plpgsql as $$
begin
  if not coalesce(p_usd > 0 and p_usd < 'Infinity', false) then return; end if;
  update conversations set cost_usd = cost_usd + p_usd where number = p_conversation.number;
  insert into spending (day, scope, slot, usd)
  values ((clock_timestamp() at time zone 'UTC')::date, scope_of(p_conversation.tenant), p_conversation.number % 16, p_usd)
  on conflict (day, scope, slot) do update set usd = spending.usd + excluded.usd;
end $$;

-- Ends a turn of a conversation that is held, with what it cost beyond what is counted already, and the failure that the
-- conversation shows from now on. Epoch 0: not by its owner.
create or replace function end_turn(
  p_conversation conversations, p_epoch bigint, p_turn turns, p_outcome text, p_cost double precision, p_failure text
) returns void language plpgsql as $$
declare t turns; v_more double precision := greatest(p_cost - p_turn.cost_usd, 0);
begin
  update turns set state = 'ended', ended_at = clock_timestamp(), outcome = p_outcome, cost_usd = cost_usd + v_more
  where conversation = p_turn.conversation and place = p_turn.place returning * into t;
  delete from questions where conversation = t.conversation and turn = t.id and answer is null;
  if found then perform tell('answer', p_conversation.key); end if;
  perform spend(p_conversation, v_more);
  update conversations set failure = p_failure
  where number = t.conversation and failure is distinct from p_failure;
  perform settle(t.conversation);
  perform add_turn_event(t.conversation, p_epoch, t);
  perform tell('ended', p_conversation.key);
  -- Last, because it may lock budgets.
  delete from reservations where conversation = t.conversation and turn = t.id;
end $$;

create or replace function park_turn(
  p_key text, p_epoch bigint, p_turn text, p_questions text[], p_cost double precision
) returns boolean language plpgsql as $$
declare c conversations; t turns;
begin
  c := hold(p_key, p_epoch);
  t := known_turn(c.number, p_turn);
  -- Asked again, after an answer that was lost.
  if t.state = 'parked' and t.epoch = p_epoch then return true; end if;
  if t.state <> 'running' or t.stop or coalesce(cardinality(p_questions), 0) = 0 then return false; end if;
  if exists (
    select from unnest(p_questions) as wanted (id)
    where not exists (select from questions q where q.id = wanted.id and q.conversation = c.number
      and q.turn = t.id and q.answer is null)
  ) then return false; end if;
  update turns set state = 'parked', tries = tries - 1, cost_usd = cost_usd + p_cost
  where conversation = t.conversation and place = t.place returning * into t;
  perform spend(c, p_cost);
  perform settle(c.number);
  perform add_turn_event(c.number, p_epoch, t);
  delete from reservations where conversation = c.number;
  return true;
end $$;

create or replace function give_back_lease(
  p_key text, p_epoch bigint, p_turn text, p_cost double precision, p_failed boolean, p_cut_off boolean,
  p_after_ms double precision
) returns boolean language plpgsql set lock_timeout to 0 as $$
declare c conversations; r reservations; v_now timestamptz; v_handed_over boolean := false; v_waits boolean;
begin
  -- For the table as long as it takes: the limit is for the row alone.
  lock table conversations in row exclusive mode;
  perform set_config('lock_timeout', '${ROW_WAIT_MS}', true);
  select * into c from conversations where key = p_key for no key update;
  perform set_config('lock_timeout', '0', true);
  if c.number is null or c.epoch is distinct from p_epoch or c.owner is null then return false; end if;
  v_now := clock_timestamp();
  if p_turn is not null then
    -- Locked, so that it is not woken between this look and the end.
    select * into r from reservations where conversation = c.number for update;
    v_waits := coalesce(r.blocked is not null and r.epoch = p_epoch, false);
    update turns set cost_usd = cost_usd + greatest(p_cost, 0),
      tries = case when p_failed then tries else tries - 1 end,
      -- Whoever wants it to end does not wait, and neither does one that was woken in the meantime.
      not_before = case when p_after_ms > 0 and not stop and not (v_waits and r.woken_at is not null)
        then v_now + make_interval(secs => p_after_ms / 1000) else not_before end
    where conversation = c.number and id = p_turn and state = 'running';
    v_handed_over := found and not v_waits and (p_cut_off or not p_failed);
    if found then perform spend(c, p_cost); end if;
  end if;
  update leases set until = least(v_now, c.lease_until), released = true where conversation = c.number and epoch = p_epoch;
  update conversations set owner = null, lease_until = null, handed_over = v_handed_over where number = c.number;
  c := settle(c.number);
  if not must_wait(c) then perform tell('inbox', p_key); end if;
  if p_turn is not null and not v_waits and not p_cut_off then
    delete from reservations where conversation = c.number;
  end if;
  return true;
end $$;
`;
