// The database functions for questions to people, tool calls, and events of the CLI.
import { CALL_UNKNOWN, QUESTION_TAKEN } from './common-functions.js';

export const QUESTION_FUNCTIONS = `
-- The answer it has already.
create or replace function ask(
  p_key text, p_epoch bigint, p_turn text, p_id text, p_question text, p_attempt integer, p_event text,
  out answer text, out answered_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare c conversations; t turns; q questions;
begin
  c := hold(p_key, p_epoch);
  t := turn_under_way(c.number, p_turn);
  select * into q from questions where id = p_id;
  answer := q.answer;
  answered_at := q.answered_at;
  insert into questions (id, conversation, turn, question, attempt, epoch, asked_at)
  values (p_id, c.number, t.id, p_question, p_attempt, p_epoch, clock_timestamp())
  on conflict (id) do update set question = excluded.question, turn = excluded.turn, attempt = excluded.attempt,
    epoch = excluded.epoch, asked_at = excluded.asked_at
  -- Also where the other one asked after it was looked for here: its words must not be changed under its name.
  where questions.conversation = excluded.conversation;
  if not found then
    raise exception using errcode = '${QUESTION_TAKEN}', message = 'another conversation has that question';
  end if;
  if answer is not null then return; end if;
  -- Asked again, after an answer that was lost, it is the same question.
  if q.id is null or q.attempt <> p_attempt or q.epoch <> p_epoch then
    perform add_events(c.number, p_epoch, array[t.id], array[p_event]);
    perform tell('question', p_key);
  end if;
end $$;

create or replace function answer_question(
  p_id text, p_answer text, p_event text, out taken boolean, out key text
) language plpgsql as $$
#variable_conflict use_column
declare c conversations; t turns; v_number bigint; v_turn text;
begin
  taken := false;
  select conversation into v_number from questions where id = p_id;
  if not found then return; end if;
  select * into c from conversations where number = v_number for no key update;
  if not found then return; end if;
  key := c.key;
  update questions set answer = p_answer, answered_at = clock_timestamp() where id = p_id and conversation = c.number and answer is null
  returning turn into v_turn;
  if not found then return; end if;
  taken := true;
  perform add_events(c.number, 0, array[v_turn], array[p_event]);
  perform tell('answer', c.key);
  update turns set state = 'running'
  where conversation = c.number and id = v_turn and state = 'parked' returning * into t;
  if found then
    perform settle(c.number);
    perform add_turn_event(c.number, 0, t);
    perform tell('inbox', c.key);
  end if;
end $$;

create or replace function withdraw(p_key text, p_epoch bigint, p_id text) returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  delete from questions where id = p_id and conversation = c.number;
  if found then perform tell('answer', p_key); end if;
end $$;

create or replace function begin_call(
  p_key text, p_epoch bigint, p_call text, p_turn text, p_tool text, p_input text,
  out begun integer, out result text
) language plpgsql as $$
#variable_conflict use_column
declare c conversations; t turns; k calls;
begin
  c := hold(p_key, p_epoch);
  t := turn_under_way(c.number, p_turn);
  select * into k from calls where conversation = c.number and call_key = p_call;
  begun := coalesce(k.begun, 0);
  result := k.result;
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

create or replace function end_call(p_key text, p_epoch bigint, p_call text, p_result text) returns void language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  update calls set result = p_result, epoch = p_epoch, ended_epoch = p_epoch,
    ended = ended + case when ended_epoch is distinct from p_epoch then 1 else 0 end
  where conversation = c.number and call_key = p_call;
  if not found then raise exception using errcode = '${CALL_UNKNOWN}', message = 'no such call'; end if;
end $$;

create or replace function publish(
  p_key text, p_epoch bigint, p_turns text[], p_bodies text[], p_batch text
) returns bigint language plpgsql as $$
declare c conversations; v_last bigint;
begin
  c := hold(p_key, p_epoch);
  if c.last_batch = p_batch then return c.last_batch_event; end if;
  v_last := add_events(c.number, p_epoch, p_turns, p_bodies);
  if p_batch is not null then
    update conversations set last_batch = p_batch, last_batch_event = v_last where number = c.number;
  end if;
  return v_last;
end $$;
`;
