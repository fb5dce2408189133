// Version 6 of the tables: the audit, which says who did what and when. Each function with which somebody sends, answers,
// interrupts, cancels, closes or forgets gets a wrapper that notes the deed in the same transaction. The wrapped function keeps
// its text, and is called `…_quietly`. Code of earlier versions calls the wrappers under the old names. Its deeds are noted
// without a name, except answers, whose event has the name. No table of an earlier version changes.

/** Milliseconds between two looks at transactions that are about to commit entries. */
const LOOK_AGAIN_MS = 2;

export const AUDIT_FUNCTIONS_6 = `
-- Entries are never changed, except that what is forgotten loses its key, its name and its contents. Nothing refers to a conversation, so
-- that the entries outlive it.
create table audit (
  seq bigint generated always as identity primary key,
  at timestamptz not null,
  what text not null,
  -- JSON text; null where the caller gave no name.
  who text,
  tenant text collate "C",
  -- Which conversation it was; it stays when the conversation is forgotten.
  conversation bigint,
  key text collate "C",
  turn text,
  -- The question that was answered: its id, and its JSON with the input that was asked for.
  question_id text,
  question text,
  -- The JSON of what was answered, or of what was pruned.
  facts text,
  -- About how many characters the entry has. Stored, so that a page can be cut to size without reading large inputs to count them.
  size integer not null generated always as (coalesce(length(question), 0) + coalesce(length(facts), 0)) stored
);
create index audit_of_conversation on audit (conversation, seq) where conversation is not null;
create index audit_of_key on audit (key, seq) where key is not null;
create index audit_of_tenant on audit (tenant, seq) where tenant is not null;
create index audit_at on audit (at);

-- Called while the conversation is held, or as the last of a transaction that has removed it.
create or replace function note_deed(
  p_what text, p_who text, p_conversation conversations, p_turn text, p_question_id text, p_question text, p_facts text
) returns void language plpgsql as $$
begin
  insert into audit (at, what, who, tenant, conversation, key, turn, question_id, question, facts)
  values (clock_timestamp(), p_what, p_who, p_conversation.tenant, p_conversation.number, p_conversation.key, p_turn,
    p_question_id, p_question, p_facts);
end $$;

-- The number of an entry up to which nothing can be added any more. Entries get their numbers before they are committed, so that a
-- lower number may appear after a higher one. Whoever has written one holds a lock of the table until its transaction ends. Null where
-- that takes too long.
create or replace function audit_settled(p_wait_ms double precision) returns bigint language plpgsql as $$
declare v_last bigint; v_writers text[]; v_until timestamptz := clock_timestamp() + make_interval(secs => p_wait_ms / 1000);
begin
  select coalesce(max(seq), 0) into v_last from audit;
  select array_agg(l.virtualtransaction) into v_writers from pg_locks l
  where l.locktype = 'relation' and l.relation = 'audit'::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())
    and l.pid is distinct from pg_backend_pid();
  while v_writers is not null and exists (
    select from pg_locks l
    where l.locktype = 'relation' and l.relation = 'audit'::regclass and l.mode = 'RowExclusiveLock'
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and l.virtualtransaction = any (v_writers)
  ) loop
    if clock_timestamp() >= v_until then return null; end if;
    perform pg_sleep(${LOOK_AGAIN_MS / 1000});
  end loop;
  return v_last;
end $$;

-- The JSON text of the name in the event of an answer. The event is {"type":"answer","question":…,"behavior":…,"by":…}, and quotation
-- marks inside its texts are escaped, so that the first of these words is the name's own.
create or replace function who_answered(p_event text) returns text language sql immutable as $$
  select substring(p_event from '"by":(".*")\\}$');
$$;

-- What an answer was: to a pending call its result, else what a person decided. Contents that jsonb cannot represent count as edited.
create or replace function kind_of_answer(p_id text, p_question text, p_answer text, p_event text) returns text
language plpgsql as $$
declare v_allows boolean := strpos(p_event, '"behavior":"allow"') > 0; v_edited jsonb;
begin
  if starts_with(p_id, 'pending_') and strpos(p_question, '"kind":"pending"') > 0 then
    return case when v_allows then 'completed' else 'failed' end;
  end if;
  if not v_allows then return 'denied'; end if;
  if strpos(p_answer, '"updatedInput"') = 0 then return 'allowed'; end if;
  begin
    v_edited := p_answer::jsonb #> '{result,updatedInput}';
    if v_edited is null or v_edited = p_question::jsonb -> 'input' then return 'allowed'; end if;
  exception when others then null;
  end;
  return 'edited';
end $$;

alter function enqueue(text, text, text, text, double precision, text, text, text, text, text) rename to enqueue_quietly;
alter function cancel_turn(text, text, text) rename to cancel_turn_quietly;
alter function interrupt_turn(text, text) rename to interrupt_turn_quietly;
alter function close_conversation(text, text, text) rename to close_conversation_quietly;
alter function answer_question(text, text, text) rename to answer_question_quietly;
alter function remove_conversation(text) rename to remove_conversation_quietly;
alter function forget_tenant(text) rename to forget_tenant_quietly;
`;

export const DEED_FUNCTIONS_6 = `
create or replace function enqueue_by(
  p_key text, p_id text, p_uuid text, p_content text, p_after_ms double precision, p_trace text,
  p_agent text, p_data text, p_tenant text, p_session_id text, p_who text
) returns setof turns language plpgsql as $$
declare c conversations; t turns;
begin
  select * into t from enqueue_quietly(
    p_key, p_id, p_uuid, p_content, p_after_ms, p_trace, p_agent, p_data, p_tenant, p_session_id
  );
  if not found then return; end if;
  -- A message that was sent before changes nothing.
  if t.uuid = p_uuid then
    select * into c from conversations where number = t.conversation;
    perform note_deed('sent', p_who, c, t.id, null, null, null);
  end if;
  return next t;
end $$;

create or replace function cancel_turn_by(p_key text, p_id text, p_outcome text, p_who text) returns boolean
language plpgsql as $$
declare c conversations;
begin
  if not cancel_turn_quietly(p_key, p_id, p_outcome) then return false; end if;
  select * into c from conversations where key = p_key;
  perform note_deed('cancelled', p_who, c, p_id, null, null, null);
  return true;
end $$;

create or replace function interrupt_turn_by(p_key text, p_outcome text, p_who text) returns boolean language plpgsql as $$
declare c conversations; t turns;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found then return false; end if;
  t := first_turn(c.number);
  if not interrupt_turn_quietly(p_key, p_outcome) then return false; end if;
  -- A turn that was asked to end before is not interrupted again.
  if not t.stop then perform note_deed('interrupted', p_who, c, t.id, null, null, null); end if;
  return true;
end $$;

create or replace function close_conversation_by(p_key text, p_cancelled text, p_interrupted text, p_who text) returns boolean
language plpgsql as $$
declare c conversations;
begin
  select * into c from conversations where key = p_key for no key update;
  if not found or not close_conversation_quietly(p_key, p_cancelled, p_interrupted) then return false; end if;
  if c.closed_at is null then perform note_deed('closed', p_who, c, null, null, null, null); end if;
  return true;
end $$;

create or replace function remove_conversation_by(p_key text, p_who text) returns boolean language plpgsql as $$
declare c conversations;
begin
  -- Whoever writes to it has done so, and noted it, before this lock is had.
  select * into c from conversations where key = p_key for update;
  if found then
    if not remove_conversation_quietly(p_key) then return false; end if;
    perform erase_deeds(p_key, c.tenant, false);
  else
    -- Retention has removed it, and left its entries.
    select a.conversation, a.tenant into c.number, c.tenant from audit a where a.key = p_key order by a.seq desc limit 1;
    if not found then return false; end if;
    perform erase_deeds(p_key, null, true);
  end if;
  c.key := null;
  perform note_deed('forgotten', p_who, c, null, null, null, null);
  return true;
end $$;

-- What the entries of a conversation lose that is forgotten: everything that came from it. That something was done, what kind of deed
-- it was, by whom and when stays. Those of conversations that had the key before, and were removed because of their age, lose it as
-- well, but not those of another tenant.
create or replace function erase_deeds(p_key text, p_tenant text, p_of_all boolean) returns void language plpgsql as $$
begin
  update audit set key = null, turn = null, question_id = null, question = null, facts = null
  where key = p_key and case
    when p_of_all then not exists (select from conversations c where c.number = audit.conversation)
    else tenant is not distinct from p_tenant
  end;
end $$;

-- The JSON of a question with nothing but the name of its tool; null where that cannot be read.
create or replace function tool_of_question(p_question text) returns text language plpgsql immutable as $$
begin
  return '{"toolName":' || (p_question::json -> 'toolName')::text || '}';
exception when others then return null;
end $$;

-- What the entries of a conversation lose that is removed because of its age: what was asked for and answered, which is a content of it.
-- What kind of deed it was, about which tool, turn and question, stays under its key.
create or replace function strip_deeds(p_number bigint) returns void language plpgsql as $$
begin
  update audit set question = tool_of_question(question), facts = null
  where conversation = p_number and (question is not null or facts is not null);
end $$;

-- Takes the name of a tenant from some entries of conversations that are gone, and all that came from those; gives how many.
create or replace function erase_tenant(p_tenant text, p_limit integer) returns integer language plpgsql as $$
declare v_count integer;
begin
  update audit set tenant = null, key = null, turn = null, question_id = null, question = null, facts = null where seq in (
    select a.seq from audit a
    where a.tenant = p_tenant and (a.key is null or not exists (select from conversations c where c.number = a.conversation))
    order by a.seq limit p_limit
  );
  get diagnostics v_count = row_count;
  return v_count;
end $$;

create or replace function forget_tenant_by(p_tenant text, p_who text, p_known boolean) returns void language plpgsql as $$
declare c conversations; v_known boolean;
begin
  v_known := p_known or exists (select from spending where scope = scope_of(p_tenant))
    or exists (select from pauses where scope = scope_of(p_tenant))
    or exists (select from audit where tenant = p_tenant);
  perform forget_tenant_quietly(p_tenant);
  perform erase_tenant(p_tenant, null);
  -- One that nobody knew is not forgotten.
  if v_known then perform note_deed('tenantForgotten', p_who, c, null, null, null, null); end if;
end $$;

-- The name is in the event, so that answers of all versions have it.
create or replace function answer_question(
  p_id text, p_answer text, p_event text, out taken boolean, out key text
) language plpgsql as $$
#variable_conflict use_column
declare c conversations; q questions; v_what text;
begin
  select a.taken, a.key into taken, key from answer_question_quietly(p_id, p_answer, p_event) a;
  if not taken then return; end if;
  select * into q from questions where id = p_id;
  select * into c from conversations where number = q.conversation;
  v_what := kind_of_answer(p_id, q.question, p_answer, p_event);
  -- The result of a call is a content of the conversation, and no decision.
  perform note_deed(v_what, who_answered(p_event), c, q.turn, p_id, q.question,
    case when v_what in ('completed', 'failed') then null else p_answer end);
end $$;

-- For code of versions 1 to 5, which gives no name.
create or replace function enqueue(
  p_key text, p_id text, p_uuid text, p_content text, p_after_ms double precision, p_trace text,
  p_agent text, p_data text, p_tenant text, p_session_id text
) returns setof turns language plpgsql as $$
begin
  return query select * from enqueue_by(
    p_key, p_id, p_uuid, p_content, p_after_ms, p_trace, p_agent, p_data, p_tenant, p_session_id, null
  );
end $$;

create or replace function cancel_turn(p_key text, p_id text, p_outcome text) returns boolean language plpgsql as $$
begin
  return cancel_turn_by(p_key, p_id, p_outcome, null);
end $$;

create or replace function interrupt_turn(p_key text, p_outcome text) returns boolean language plpgsql as $$
begin
  return interrupt_turn_by(p_key, p_outcome, null);
end $$;

create or replace function close_conversation(p_key text, p_cancelled text, p_interrupted text) returns boolean
language plpgsql as $$
begin
  return close_conversation_by(p_key, p_cancelled, p_interrupted, null);
end $$;

create or replace function remove_conversation(p_key text) returns boolean language plpgsql as $$
begin
  return remove_conversation_by(p_key, null);
end $$;

create or replace function forget_tenant(p_tenant text) returns void language plpgsql as $$
begin
  perform forget_tenant_by(p_tenant, null, false);
end $$;
`;
