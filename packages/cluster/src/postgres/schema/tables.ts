// Version 1 of the tables of a journal. The folders `version-N` have later changes. `migrations.ts` has all versions in order.
// Texts of people and models are stored as JSON text, because `jsonb` takes no NUL and no lone surrogates, and reorders fields.
// Times are by the database's clock. All rows of a conversation refer to its `number`. So long keys are stored once, and a
// conversation that is created again under a key shares nothing with the removed one.

export const TABLES = `
create sequence epochs as bigint;

create table conversations (
  number bigint generated always as identity primary key,
  key text collate "C" not null unique,
  agent text not null,
  data text not null,
  tenant text collate "C",
  session_id text not null,
  state text not null default 'idle' check (state in ('idle', 'queued', 'running', 'parked', 'closed')),
  -- Whether a turn runs, or was cut off: it is not new, and waits for no pause.
  running boolean not null default false,
  -- From when on its first turn that has not ended could run; null when there is none, or it waits for a person.
  ready_at timestamptz,
  epoch bigint not null default 0,
  -- Null once a lease is given back. One that ran out stays until the next.
  owner text,
  lease_until timestamptz,
  -- Whether a turn under way was handed over with the newest lease: somebody should go on with it first.
  handed_over boolean not null default false,
  turns integer not null default 0,
  queued integer not null default 0,
  cost_usd double precision not null default 0,
  -- The turn that failed last, until another is answered.
  failure text,
  last_event bigint not null default 0,
  -- The newest batch of events, and the id of its last, for one that is published again.
  last_batch text,
  last_batch_event bigint,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz
) with (fillfactor = 70);
-- A renewal changes no column that these have or ask for, so that it stays within its page.
create index conversations_waiting on conversations (ready_at) where ready_at is not null and owner is null;
create index conversations_handed_over on conversations (ready_at) where handed_over and owner is null;
create index conversations_owned on conversations (number) where owner is not null;
create index conversations_of_tenant on conversations (tenant, key) where tenant is not null;

create table leases (
  conversation bigint not null references conversations on delete cascade,
  epoch bigint not null,
  owner text not null,
  granted_at timestamptz not null,
  -- Null for the newest lease while nobody gave it back: the conversation has its time.
  until timestamptz,
  released boolean not null default false,
  primary key (conversation, epoch)
);
create index leases_ended on leases (until) where until is not null;

create table turns (
  conversation bigint not null references conversations on delete cascade,
  place integer not null,
  id text collate "C" not null,
  uuid text not null,
  content text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'parked', 'ended')),
  attempt integer not null default 0,
  tries integer not null default 0,
  cost_usd double precision not null default 0,
  epoch bigint not null default 0,
  not_before timestamptz,
  stop boolean not null default false,
  trace text,
  sent_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  outcome text,
  -- Its events are removed.
  pruned boolean not null default false,
  primary key (conversation, place),
  unique (conversation, id)
) with (fillfactor = 80);
create index turns_open on turns (conversation, place) where state <> 'ended';
create index turns_to_prune on turns (ended_at) where state = 'ended' and not pruned;

create table events (
  conversation bigint not null references conversations on delete cascade,
  id bigint not null,
  turn text not null,
  at timestamptz not null,
  epoch bigint not null,
  body text not null,
  primary key (conversation, id)
);

create table questions (
  id text collate "C" primary key,
  conversation bigint not null references conversations on delete cascade,
  turn text not null,
  question text not null,
  attempt integer not null,
  epoch bigint not null,
  asked_at timestamptz not null,
  answer text,
  answered_at timestamptz
);
create index questions_of_conversation on questions (conversation);
create index questions_open on questions (asked_at) where answer is null;

create table calls (
  number bigint generated always as identity,
  conversation bigint not null references conversations on delete cascade,
  call_key text collate "C" not null,
  turn text not null,
  tool_name text not null,
  input text not null,
  epoch bigint not null,
  begun integer not null,
  ended integer not null default 0,
  ended_epoch bigint,
  result text,
  primary key (conversation, call_key)
);

create table transcripts (
  number bigint generated always as identity primary key,
  conversation bigint not null references conversations on delete cascade,
  project_key text collate "C" not null,
  session_id text collate "C" not null,
  -- Empty for the session's own.
  subpath text collate "C" not null default '',
  last_seq bigint not null default 0,
  changed_at timestamptz not null,
  unique (conversation, project_key, session_id, subpath)
);
create index transcripts_by_name on transcripts (project_key, session_id, subpath);

create table entries (
  transcript bigint not null references transcripts on delete cascade,
  seq bigint not null,
  uuid text collate "C",
  epoch bigint not null,
  entry text not null,
  primary key (transcript, seq)
);
create unique index entries_once on entries (transcript, uuid) where uuid is not null;

-- Sums by day, in several rows each, so that turns which end at a time do not wait for each other.
create table spending (
  day date not null,
  -- 'all' without a tenant, else 'of:' and its name.
  scope text collate "C" not null,
  slot smallint not null,
  usd double precision not null,
  primary key (day, scope, slot)
);

create table counters (
  name text not null,
  slot smallint not null,
  value bigint not null,
  primary key (name, slot)
);

create table pauses (
  scope text collate "C" primary key,
  tenant text,
  until timestamptz not null,
  reason text not null
);

create table workers (
  name text collate "C" primary key,
  report text not null,
  seen_at timestamptz not null
);
`;
