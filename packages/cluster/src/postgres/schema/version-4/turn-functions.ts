// Version 4 of the tables: a new kind of notification tells that a turn has its outcome, and one statement ends a turn and
// begins the next. Only functions change. Code of versions 1 to 3 ends turns with the same `end_turn`, so the end of its turns
// is told as well. The notifications that such code listens to stay the same.

export const TURN_FUNCTIONS_4 = `
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
end $$;

-- As \`next_turn\`, in the statement that ends the turn before, whose answer is \`p_done\`. Where the lease has run out, there is none: an
-- exception would undo that end.
create or replace function next_turn_after(p_key text, p_epoch bigint, p_done boolean) returns setof turns language plpgsql as $$
declare c conversations;
begin
  c := hold(p_key, p_epoch);
  if c.lease_until <= clock_timestamp() then return; end if;
  return query select * from next_turn(p_key, p_epoch);
end $$;
`;
