// The tables of a ledger in PostgreSQL, as numbered versions. A version that has landed is never changed: databases that have it
// would not get the change. A fence is checked by the function that writes, in the same statement. So a process that is stopped
// just before its write cannot write after a newer attempt has taken the conversation.
import { LEASE_LOST } from '../schema/common-functions.js';

/** A version of the tables. */
export interface LedgerMigration {
  readonly version: number;
  /** The oldest version of the code that works with these tables. */
  readonly oldest: number;
  /** Statements for the schema that is first in the search path. */
  readonly sql: string;
}

const VERSION_1 = `
create table ledger_migrations (
  version integer primary key,
  oldest integer not null,
  at timestamptz not null default clock_timestamp()
);
-- An epoch is never used twice, even if a conversation is removed and begins again.
create sequence epochs;
create table conversations (
  number bigint generated always as identity primary key,
  key text not null unique,
  session_id text not null unique,
  epoch bigint not null,
  owner text not null,
  taken_at timestamptz not null default clock_timestamp()
);
create table entries (
  place bigint generated always as identity primary key,
  conversation bigint not null references conversations on delete cascade,
  project_key text not null,
  session_id text not null,
  subpath text not null,
  uuid text,
  epoch bigint not null,
  entry text not null
);
create unique index entries_once on entries (conversation, project_key, session_id, subpath, uuid) where uuid is not null;
create index entries_in_order on entries (conversation, project_key, session_id, subpath, place);
-- A fact that was added without a fence has epoch 0.
create table facts (
  place bigint generated always as identity primary key,
  conversation bigint not null references conversations on delete cascade,
  project_key text not null,
  session_id text not null,
  epoch bigint not null,
  fact text not null
);
create index facts_in_order on facts (conversation, project_key, session_id, place);

-- Takes a conversation for an attempt. The newest attempt wins.
create function take(p_key text, p_owner text, p_session_id text) returns table (epoch bigint, session_id text)
language sql set search_path from current as $$
  insert into conversations as c (key, session_id, epoch, owner) values (p_key, p_session_id, nextval('epochs'), p_owner)
  on conflict (key) do update
    set epoch = greatest(c.epoch + 1, excluded.epoch), owner = excluded.owner, taken_at = clock_timestamp()
  returning c.epoch, c.session_id;
$$;

-- Keeps others from taking the conversation until the end of the statement, while this fence counts.
create function hold(p_key text, p_epoch bigint) returns bigint language plpgsql set search_path from current as $$
declare v_number bigint;
begin
  select c.number into v_number from conversations c where c.key = p_key and c.epoch = p_epoch for share;
  if found then return v_number; end if;
  perform from conversations c where c.key = p_key;
  raise exception using errcode = '${LEASE_LOST}', message = 'the fence is lost',
    detail = case when found then 'taken' else 'removed' end;
end $$;

create function append_entries(
  p_key text, p_epoch bigint, p_project_key text, p_session_id text, p_subpath text, p_uuids text[], p_entries text[]
) returns void language plpgsql set search_path from current as $$
declare v_number bigint := hold(p_key, p_epoch);
begin
  insert into entries (conversation, project_key, session_id, subpath, uuid, epoch, entry)
  select v_number, p_project_key, p_session_id, p_subpath, e.uuid, p_epoch, e.entry
  from unnest(p_uuids, p_entries) with ordinality as e (uuid, entry, at) order by e.at
  on conflict do nothing;
end $$;

create function delete_entries(p_key text, p_epoch bigint, p_project_key text, p_session_id text, p_subpath text)
returns void language plpgsql set search_path from current as $$
declare v_number bigint := hold(p_key, p_epoch);
begin
  delete from entries e where e.conversation = v_number and e.project_key = p_project_key
    and e.session_id = p_session_id and (p_subpath is null or e.subpath = p_subpath);
  if p_subpath is null then
    delete from facts f where f.conversation = v_number and f.project_key = p_project_key and f.session_id = p_session_id;
  end if;
end $$;

create function add_fact(p_key text, p_epoch bigint, p_project_key text, p_session_id text, p_fact text)
returns void language plpgsql set search_path from current as $$
declare v_number bigint := hold(p_key, p_epoch);
begin
  insert into facts (conversation, project_key, session_id, epoch, fact)
  values (v_number, p_project_key, p_session_id, p_epoch, p_fact);
end $$;

create function drop_facts(p_key text, p_epoch bigint) returns void language plpgsql set search_path from current as $$
declare v_number bigint := hold(p_key, p_epoch);
begin
  delete from facts f where f.conversation = v_number;
end $$;

-- The end of a pending call, which may come from a process without a fence. False if there is no such session.
create function complete_call(p_project_key text, p_session_id text, p_fact text)
returns boolean language plpgsql set search_path from current as $$
begin
  insert into facts (conversation, project_key, session_id, epoch, fact)
  select c.number, p_project_key, p_session_id, 0, p_fact from conversations c where c.session_id = p_session_id;
  return found;
end $$;
`;

/** All versions, oldest first. */
export const LEDGER_MIGRATIONS: readonly LedgerMigration[] = [{ version: 1, oldest: 1, sql: VERSION_1 }];

/** The newest version. */
export const LEDGER_VERSION = 1;
