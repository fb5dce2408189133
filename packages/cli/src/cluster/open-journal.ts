// The journal that a command is to read: by its option, else by a variable. Passwords in addresses are never shown.
import { ClusterError } from '@inboard/core/errors.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import { postgresJournal } from '@inboard/inboard/cluster-postgres.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { noteLine } from '../terminal/terminal.js';
import { UsageError } from '../terminal/usage-error.js';

const VARIABLES = ['INBOARD_JOURNAL', 'DATABASE_URL'] as const;
/** A command asks one thing after the other. */
const CONNECTIONS = 3;

/** Where a journal is, and how that is known. */
export interface JournalPlace {
  address: string;
  schema: string;
  /** The address without its password. */
  name: string;
  /** The same, with the schema and where it was found. */
  shown: string;
}

/** Finds the journal; throws a UsageError where none is named, or where its address is none. */
function findJournal(input: CommandInput): JournalPlace {
  const given = readText(input, 'journal');
  const variable = VARIABLES.find((name) => Boolean(input.terminal.env[name]));
  const address = given ?? (variable && input.terminal.env[variable]);
  if (!address)
    throw new UsageError(
      'Give the address of the journal with --journal postgres://user@host/database, or set INBOARD_JOURNAL or DATABASE_URL.',
    );
  const schema = readText(input, 'schema') ?? 'inboard';
  const from = given === undefined ? `from ${variable}` : 'from --journal';
  const name = hidePassword(address, from);
  return { address, schema, name, shown: `${name} (schema ${schema}, ${from})` };
}

/** Uses a journal, and closes it. */
export async function withJournal<T>(
  input: CommandInput,
  use: (journal: Journal, place: JournalPlace) => Promise<T>,
  { migrate = false }: { migrate?: boolean } = {},
): Promise<T> {
  const place = findJournal(input);
  const { address: connectionString, schema, shown } = place;
  const journal = postgresJournal({
    connectionString,
    schema,
    migrate,
    applicationName: 'inboard cluster',
    maxConnections: CONNECTIONS,
  });
  if (!readSwitch(input, 'json')) noteLine(input.terminal, `Journal: ${shown}`);
  try {
    await journal.open();
    return await use(journal, place);
  } catch (error) {
    throw explain(error, place);
  } finally {
    // What went wrong before is what is told.
    await journal.close().catch(() => {});
  }
}

/** Without the address one does not know which database is meant; with its reason, not why. */
export function explain(error: unknown, { shown }: JournalPlace): unknown {
  if (!(error instanceof ClusterError) || error.code !== 'JOURNAL_UNAVAILABLE') return error;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  const why = typeof code === 'string' ? ` (${code})` : '';
  return new ClusterError(error.code, `${error.message} Address: ${shown}${why}.`, { cause: error.cause });
}

function hidePassword(address: string, from: string): string {
  let url;
  try {
    url = new URL(address);
  } catch {
    // Not quoted: there may be a password in it.
  }
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new UsageError(
      `The address of the journal (${from}) must look like postgres://user@host:5432/database. Only a journal in PostgreSQL can be read from another process.`,
    );
  // What follows a question mark may be a password, too.
  return `${url.protocol}//${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}`;
}
