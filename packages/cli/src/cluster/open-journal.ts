// Finds the journal that a command reads, by the option `--journal` or else by a variable, and opens and closes it.
// Passwords in addresses are never shown.
import { ClusterError } from '@inboard/core/errors.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import { postgresJournal } from '@inboard/inboard/cluster-postgres.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { noteLine } from '../terminal/terminal.js';
import { UsageError } from '../terminal/usage-error.js';

const VARIABLES = ['INBOARD_JOURNAL', 'DATABASE_URL'] as const;
/** A command makes only a few requests at a time. */
const CONNECTIONS = 3;

/** Where a journal is, and how its address is shown to the user. */
export interface JournalPlace {
  address: string;
  schema: string;
  /** The address without its password and its query. */
  name: string;
  /** `name`, followed by the schema and by where the address was found. */
  shown: string;
}

/** Finds the journal. Throws a UsageError if no journal is named, or if the address is not one of PostgreSQL. */
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

/** Opens the journal, passes it to a function, and closes it when the function has ended. */
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
    // An error from closing would hide an earlier error.
    await journal.close().catch(() => {});
  }
}

/** Adds the address and the code of the cause to an error about an unreachable journal. Returns any other error as it is. */
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
    // The error below does not quote the address, because it may contain a password.
  }
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new UsageError(
      `The address of the journal (${from}) must look like postgres://user@host:5432/database. Only a journal in PostgreSQL can be read from another process.`,
    );
  // The query of the address is left out as well: it may contain a password.
  return `${url.protocol}//${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}`;
}
