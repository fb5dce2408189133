// How `inboard cluster` is called: its arguments, options and help.
import { JSON_OPTION, type Command, type CommandOption } from '../command.js';

/** The options that name a journal, for every command that reads one. */
export const JOURNAL_OPTIONS: Readonly<Record<'journal' | 'schema' | 'tenant', CommandOption>> = {
  journal: {
    type: 'string',
    value: '<address>',
    help: 'postgres://…; default: INBOARD_JOURNAL, else DATABASE_URL',
  },
  schema: { type: 'string', value: '<name>', help: 'where the tables are; default inboard' },
  tenant: { type: 'string', value: '<name>', help: 'only what is on its behalf' },
};

/** The command `cluster`. */
export const CLUSTER_COMMAND: Command = {
  summary: 'look at a cluster by its journal: workers, conversations, questions to answer',
  usage: '(status|ls|show|approvals|forget|migrate) …',
  args: { least: 1, most: 3 },
  options: {
    ...JOURNAL_OPTIONS,
    state: { type: 'string', value: '<state>', help: 'ls: idle, queued, running, parked or closed' },
    limit: {
      type: 'string',
      value: '<n>',
      help: 'ls, approvals: rows at most; default 50. show: events; default 20',
    },
    after: { type: 'string', value: '<key>', help: 'ls: go on behind this key' },
    watch: { type: 'boolean', help: 'status: again every two seconds' },
    allow: { type: 'boolean', help: 'approvals answer: let the tool run' },
    deny: { type: 'string', value: '<why>', help: 'approvals answer: do not; the model reads why' },
    by: { type: 'string', value: '<who>', help: 'approvals answer: who answers; default: the user' },
    yes: { type: 'boolean', short: 'y', help: 'forget: do not ask' },
    print: { type: 'boolean', help: 'migrate: print the SQL instead of running it' },
    from: { type: 'string', value: '<version>', help: 'migrate --print: only what came after this version' },
    json: JSON_OPTION,
  },
  details: [
    'status: workers, what waits and for how long, leases, questions, cost.',
    'ls: conversations in the order of their keys.',
    'show <key>: turns, leases, open questions and the last events of one.',
    'approvals: what waits for a person; approvals answer <id> answers it.',
    'forget <key>: removes all that the journal has of a conversation, or of a tenant',
    'with --tenant, and what the CLI has of it on this machine.',
    'migrate: makes the tables, and brings them up to date.',
    '',
    'Only a journal in PostgreSQL can be looked at from another process; it needs',
    'the package pg. Passwords of addresses are not printed. Nothing but "migrate"',
    'changes tables.',
    '',
    'Exit codes: 1 when there is no such conversation or question, somebody answered',
    'before, or the database is away.',
    'The page of the same: inboard inspect --journal <address>.',
  ],
  examples: [
    'inboard cluster status --watch',
    'inboard cluster ls --state parked --tenant acme',
    'inboard cluster show ann/1',
    'inboard cluster approvals answer call_2f1c… --deny "No receipt" --by ann',
    'inboard cluster migrate --print > journal.sql',
  ],
  load: async () => (await import('./run-cluster.js')).runCluster,
};
