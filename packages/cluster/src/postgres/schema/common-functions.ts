// The database functions that the others share. They lock a conversation, tell of changes, and find out what a conversation
// waits for. A write that locks a conversation is a call of one plpgsql function. The function runs to its end even if the
// process stops. Between two statements of a transaction, a stopped process would keep its locks.

/** The code for a lost lease. */
export const LEASE_LOST = 'IB001';
/** The code for an unknown conversation. */
export const CONVERSATION_UNKNOWN = 'IB002';
/** The code for a closed conversation. */
export const CONVERSATION_CLOSED = 'IB003';
/** The code for an unknown turn. */
export const TURN_UNKNOWN = 'IB004';
/** The code for a question id that another conversation uses. */
export const QUESTION_TAKEN = 'IB005';

/** The code for a call that ends without having begun. */
export const CALL_UNKNOWN = 'IB006';

export const COMMON_FUNCTIONS = `
-- Locks a conversation for the rest of the transaction, while this lease of it counts.
create or replace function hold(p_key text, p_epoch bigint) returns conversations language plpgsql as $$
declare c conversations;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found or c.epoch is distinct from p_epoch or c.owner is null then
    raise exception using errcode = '${LEASE_LOST}', message = 'the lease is lost';
  end if;
  return c;
end $$;

-- The same for transactions of others: what they write counts only while the lease does.
create or replace function check_fence(p_key text, p_epoch bigint) returns void language plpgsql as $$
begin
  perform hold(p_key, p_epoch);
end $$;

-- What may have changed; the channel has the name of the schema.
create or replace function tell(p_kind text, p_key text) returns void language plpgsql as $$
begin
  perform pg_notify(current_schema()::text, p_kind || ' ' || p_key);
end $$;

create or replace function scope_of(p_tenant text) returns text language sql immutable as $$
  select case when p_tenant is null then 'all' else 'of:' || p_tenant end;
$$;

create or replace function count_up(p_name text, p_slot bigint) returns void language plpgsql as $$
begin
  insert into counters (name, slot, value) values (p_name, p_slot % 16, 1)
  on conflict (name, slot) do update set value = counters.value + 1;
end $$;

-- Adds events to a conversation that is held; gives the id of the last.
create or replace function add_events(p_number bigint, p_epoch bigint, p_turns text[], p_bodies text[])
returns bigint language plpgsql as $$
declare v_last bigint; v_key text; v_count integer := coalesce(cardinality(p_bodies), 0);
begin
  update conversations set last_event = last_event + v_count,
    updated_at = case when v_count = 0 then updated_at else clock_timestamp() end
  where number = p_number returning last_event, key into v_last, v_key;
  if v_count > 0 then
    insert into events (conversation, id, turn, at, epoch, body)
    select p_number, v_last - v_count + e.place, e.turn, clock_timestamp(), p_epoch, e.body
    from unnest(p_turns, p_bodies) with ordinality as e (turn, body, place);
    perform tell('events', v_key);
  end if;
  return v_last;
end $$;

-- That a turn is in another state by now.
create or replace function add_turn_event(p_number bigint, p_epoch bigint, p_turn turns) returns void language plpgsql as $$
begin
  perform add_events(p_number, p_epoch, array[p_turn.id], array[
    '{"type":"turn","state":"' || p_turn.state || '","attempt":' || p_turn.attempt
    || case when p_turn.state = 'queued' then ',"content":' || p_turn.content else '' end
    || case when p_turn.outcome is null then '' else ',"outcome":' || p_turn.outcome end || '}'
  ]);
end $$;

-- The first turn of a conversation that has not ended: all others wait for it.
create or replace function first_turn(p_number bigint) returns turns language plpgsql as $$
declare t turns;
begin
  select * into t from turns where conversation = p_number and state <> 'ended' order by place limit 1;
  return t;
end $$;

-- Writes down what a conversation waits for, after its turns have changed.
create or replace function settle(p_number bigint) returns conversations language plpgsql as $$
declare c conversations; t turns;
begin
  t := first_turn(p_number);
  update conversations set
    state = case when closed_at is not null then 'closed' else coalesce(t.state, 'idle') end,
    running = coalesce(t.state = 'running', false),
    ready_at = case when t.state in ('queued', 'running') then coalesce(t.not_before, t.sent_at) end,
    queued = (select count(*) from turns where conversation = p_number and state = 'queued'),
    updated_at = clock_timestamp()
  where number = p_number returning * into c;
  return c;
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
end $$;

create or replace function spend(p_conversation conversations, p_usd double precision) returns void language plpgsql as $$
begin
  if not coalesce(p_usd > 0, false) then return; end if;
  update conversations set cost_usd = cost_usd + p_usd where number = p_conversation.number;
  insert into spending (day, scope, slot, usd)
  values ((clock_timestamp() at time zone 'UTC')::date, scope_of(p_conversation.tenant), p_conversation.number % 16, p_usd)
  on conflict (day, scope, slot) do update set usd = spending.usd + excluded.usd;
end $$;

-- The pause that keeps new turns of a tenant from beginning: the one that lasts longest.
create or replace function pause_of(p_tenant text) returns pauses language plpgsql as $$
declare p pauses;
begin
  select * into p from pauses where scope in ('all', scope_of(p_tenant)) and until > clock_timestamp()
  order by until desc limit 1;
  return p;
end $$;

-- Whether nobody would be given a conversation now for reasons other than that somebody has it.
create or replace function must_wait(p_conversation conversations) returns boolean language plpgsql as $$
begin
  return p_conversation.ready_at is null or p_conversation.ready_at > clock_timestamp()
    or (not p_conversation.running and (pause_of(p_conversation.tenant)).scope is not null);
end $$;
`;
