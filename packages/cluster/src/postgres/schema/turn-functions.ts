// The database functions for messages and turns: store, cancel, interrupt, begin and end.
import { CONVERSATION_CLOSED, CONVERSATION_UNKNOWN, TURN_UNKNOWN } from './common-functions.js';

export const TURN_FUNCTIONS = `
-- The turn of that name; one that is new has the uuid that was given.
create or replace function enqueue(
  p_key text, p_id text, p_uuid text, p_content text, p_after_ms double precision, p_trace text,
  p_agent text, p_data text, p_tenant text, p_session_id text
) returns setof turns language plpgsql as $$
declare c conversations; t turns; v_now timestamptz;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found then
    if p_agent is null then
      raise exception using errcode = '${CONVERSATION_UNKNOWN}', message = 'no such conversation';
    end if;
    insert into conversations (key, agent, data, tenant, session_id)
    values (p_key, p_agent, p_data, p_tenant, p_session_id) on conflict (key) do nothing;
    select * into c from conversations where key = p_key for no key update;
    -- Made by another, and removed by a third.
    if not found then raise exception using errcode = 'serialization_failure'; end if;
  end if;
  select * into t from turns where conversation = c.number and id = p_id;
  if found then
    return next t;
    return;
  end if;
  if c.closed_at is not null then
    raise exception using errcode = '${CONVERSATION_CLOSED}', message = 'the conversation is closed';
  end if;
  v_now := clock_timestamp();
  insert into turns (conversation, place, id, uuid, content, trace, sent_at, not_before)
  values (c.number, c.turns + 1, p_id, p_uuid, p_content, p_trace, v_now,
    case when p_after_ms > 0 then v_now + make_interval(secs => p_after_ms / 1000) end)
  returning * into t;
  update conversations set turns = turns + 1 where number = c.number;
  perform settle(c.number);
  perform add_turn_event(c.number, 0, t);
  perform tell('inbox', p_key);
  return next t;
end $$;

-- An outcome whose text was left open for what it cost.
create or replace function close_outcome(p_outcome text, p_cost double precision) returns text language sql immutable as $$
  select p_outcome || ',"costUsd":' || p_cost || '}';
$$;

create or replace function cancel_turn(p_key text, p_id text, p_outcome text) returns boolean language plpgsql as $$
declare c conversations; t turns;
begin
  select * into c from conversations where key = p_key for no key update;
  select * into t from turns where conversation = c.number and id = p_id and state = 'queued';
  if not found then return false; end if;
  perform end_turn(c, 0, t, close_outcome(p_outcome, 0), 0, c.failure);
  perform tell('inbox', p_key);
  return true;
end $$;

-- For a conversation that is held: a parked turn ends, a running one is asked to.
create or replace function stop_turn(p_conversation conversations, p_outcome text) returns boolean language plpgsql as $$
declare t turns;
begin
  t := first_turn(p_conversation.number);
  if t.state = 'parked' then
    perform end_turn(p_conversation, 0, t, close_outcome(p_outcome, t.cost_usd), t.cost_usd, null);
    perform tell('inbox', p_conversation.key);
    return true;
  end if;
  if t.state is distinct from 'running' then return false; end if;
  -- One that waits to be tried again has nobody who reads it.
  update turns set stop = true, not_before = null where conversation = t.conversation and place = t.place;
  perform settle(t.conversation);
  perform tell('stop', p_conversation.key);
  perform tell('inbox', p_conversation.key);
  return true;
end $$;

create or replace function interrupt_turn(p_key text, p_outcome text) returns boolean language plpgsql as $$
declare c conversations;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found then return false; end if;
  return stop_turn(c, p_outcome);
end $$;

create or replace function close_conversation(p_key text, p_cancelled text, p_interrupted text) returns boolean language plpgsql as $$
declare c conversations; t turns;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found then return false; end if;
  if c.closed_at is not null then return true; end if;
  update conversations set closed_at = clock_timestamp() where number = c.number returning * into c;
  for t in select * from turns where conversation = c.number and state = 'queued' order by place loop
    perform end_turn(c, 0, t, close_outcome(p_cancelled, 0), 0, c.failure);
  end loop;
  perform stop_turn(c, p_interrupted);
  perform settle(c.number);
  return true;
end $$;

create or replace function next_turn(p_key text, p_epoch bigint) returns setof turns language plpgsql as $$
declare c conversations; t turns;
begin
  c := hold(p_key, p_epoch);
  t := first_turn(c.number);
  if t.state is null or t.state = 'parked' then return; end if;
  if t.state = 'queued' then
    if t.not_before > clock_timestamp() or (pause_of(c.tenant)).scope is not null then return; end if;
  elsif t.epoch = p_epoch then
    return next t;
    return;
  end if;
  update turns set state = 'running', attempt = attempt + 1, tries = tries + 1, epoch = p_epoch,
    started_at = coalesce(started_at, clock_timestamp())
  where conversation = t.conversation and place = t.place returning * into t;
  perform settle(c.number);
  perform add_turn_event(c.number, p_epoch, t);
  return next t;
end $$;

-- A turn of a conversation that is held.
create or replace function known_turn(p_number bigint, p_id text) returns turns language plpgsql as $$
declare t turns;
begin
  select * into t from turns where conversation = p_number and id = p_id;
  if not found then raise exception using errcode = '${TURN_UNKNOWN}', message = 'no such turn'; end if;
  return t;
end $$;

-- One that is under way, or has ended.
create or replace function begun_turn(p_number bigint, p_id text) returns turns language plpgsql as $$
declare t turns := known_turn(p_number, p_id);
begin
  if t.state = 'queued' then raise exception using errcode = '${TURN_UNKNOWN}', message = 'the turn has not begun'; end if;
  return t;
end $$;

-- The turn under way.
create or replace function turn_under_way(p_number bigint, p_id text) returns turns language plpgsql as $$
declare t turns := begun_turn(p_number, p_id);
begin
  if t.state = 'ended' then raise exception using errcode = '${TURN_UNKNOWN}', message = 'the turn has ended'; end if;
  return t;
end $$;

create or replace function finish_turn(
  p_key text, p_epoch bigint, p_turn text, p_outcome text, p_cost double precision, p_failure text, p_turns text[],
  p_bodies text[]
) returns boolean language plpgsql as $$
declare c conversations; t turns;
begin
  c := hold(p_key, p_epoch);
  t := begun_turn(c.number, p_turn);
  if t.state = 'ended' then return false; end if;
  perform add_events(c.number, p_epoch, p_turns, p_bodies);
  perform end_turn(c, p_epoch, t, p_outcome, p_cost, p_failure);
  return true;
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
  return true;
end $$;
`;
