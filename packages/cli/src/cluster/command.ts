// How `inboard cluster` is called: its arguments, options and help.
import { JSON_OPTION, type Command, type CommandOption } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

/** The options that name a journal and one of its tenants, for every command that reads a journal. */
export const JOURNAL_OPTIONS: Readonly<Record<'journal' | 'schema' | 'tenant', CommandOption>> = {
  journal: {
    type: 'string',
    value: '<address>',
    help: 'postgres://…; default: INBOARD_JOURNAL, else DATABASE_URL',
  },
  schema: { type: 'string', value: '<name>', help: 'where the tables are; default inboard' },
  tenant: { type: 'string', value: '<name>', help: 'only what belongs to this tenant' },
};

export const CLUSTER_COMMAND: Command = {
  summary: 'inspect a cluster through its journal: workers, conversations, questions, pending calls',
  usage: '<subcommand>',
  args: { least: 1, most: 4 },
  options: {
    ...JOURNAL_OPTIONS,
    state: { type: 'string', value: '<state>', help: 'ls: idle, failed, queued, running, parked or closed' },
    waits: {
      type: 'string',
      value: '<for what>',
      help: 'ls: what turns wait for: place, budget, answer, time, pause or lease',
    },
    limit: {
      type: 'string',
      value: '<n>',
      help: 'ls, approvals, calls, audit: maximum rows, default 50; show: maximum events, default 20',
    },
    after: {
      type: 'string',
      value: '<key>',
      help: 'ls: continue after this key; audit: after the entry with this number',
    },
    key: { type: 'string', value: '<key>', help: 'audit: only entries of this conversation' },
    what: { type: 'string', value: '<deed>', help: 'audit: only this kind of deed, such as edited' },
    since: {
      type: 'string',
      value: '<time>',
      help: 'audit: from this time on, such as 2026-11-16, 2026-11-16T10:00Z or 7d',
    },
    until: { type: 'string', value: '<time>', help: 'audit: only before this time' },
    watch: { type: 'boolean', help: 'status: repeat every two seconds' },
    allow: { type: 'boolean', help: 'approvals answer: let the tool run' },
    deny: { type: 'string', value: '<why>', help: 'approvals answer: deny the call; the model reads why' },
    by: {
      type: 'string',
      value: '<who>',
      help: 'approvals answer, calls, forget: who does it, default your user name; audit: only what this one did',
    },
    yes: {
      type: 'boolean',
      short: 'y',
      help: 'forget: do not ask for confirmation; prune: remove instead of counting',
    },
    conversations: {
      type: 'string',
      value: '<age>',
      help: 'prune: idle and closed ones, unchanged for 365d',
    },
    transcripts: {
      type: 'string',
      value: '<age>',
      help: 'prune: those of closed conversations, unchanged for 90d',
    },
    calls: { type: 'string', value: '<age>', help: 'prune: calls of turns that ended 30d ago' },
    events: { type: 'string', value: '<age>', help: 'prune: events of turns that ended 30d ago' },
    audit: { type: 'string', value: '<age>', help: 'prune: entries of the audit that are older than 400d' },
    print: { type: 'boolean', help: 'migrate: print the SQL instead of running it' },
    from: {
      type: 'string',
      value: '<version>',
      help: 'migrate --print: only what is newer than this version',
    },
    json: JSON_OPTION,
  },
  details: [
    'status: workers, waiting turns and how long they wait, leases, questions, cost.',
    'ls: conversations, sorted by key. --state failed: those whose last turn failed, and',
    'those whose turn is tried again after a failure, whatever they do now.',
    'show <key>: turns, leases, open questions and latest events of one.',
    'approvals: what is waiting for a person; approvals answer <id> answers it.',
    'calls: the pending calls; calls complete <call key> <json> gives one its result,',
    'calls fail <call key> <text> an error; "-" reads it from standard input.',
    'audit: who sent, answered, edited, interrupted, closed and forgot what; with --json',
    'all of it, one entry on each line, for exports of any size.',
    'forget <key>: removes everything the journal stores about a conversation (or,',
    'with --tenant, about a tenant), and what the CLI stores about it on this machine.',
    'prune: counts what is older than the given ages, and with --yes removes it; what belongs',
    'to open work stays.',
    'migrate: creates the tables, or brings them up to date.',
    '',
    'Only a journal in PostgreSQL can be read from another process, which needs',
    'the package pg. Passwords in addresses are not printed. Only "migrate"',
    'changes tables.',
    '',
    'Exit code 1: the conversation, question or call does not exist, has already been',
    'answered or completed, or the database cannot be reached.',
    'To see this in a browser: inboard inspect --journal <address>.',
  ],
  examples: [
    'inboard cluster status --watch',
    'inboard cluster ls --state failed --tenant acme',
    'inboard cluster ls --waits budget',
    'inboard cluster show ann/1',
    'inboard cluster approvals answer call_2f1c… --deny "No receipt" --by ann',
    `inboard cluster calls complete call_5f0c_1 '{"parcel":7}' --by warehouse`,
    'inboard cluster audit --tenant acme --since 30d --json > acme.jsonl',
    'inboard cluster prune --events 30d --conversations 365d --yes',
    'inboard cluster migrate --print',
  ],
  load: async () => (await loadPart(() => import('./run-cluster.js'))).runCluster,
};
