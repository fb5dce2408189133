// `inboard cluster migrate`: creates the tables of a journal or brings them up to date, or prints the SQL for that.
import { migrationSql } from '@inboard/inboard/cluster-postgres.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { printDocument, printJson, printLine } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { withJournal } from './open-journal.js';
import { readCount } from './read-count.js';

/** Runs the migrations, or prints them. Running them twice does no harm. */
export async function runClusterMigrate(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const schema = readText(input, 'schema') ?? 'inboard';
  if (readSwitch(input, 'print')) {
    printDocument(terminal, migrationSql({ schema, from: readCount(input, 'from', 0, 0) }));
    return EXIT_CODES.ok;
  }
  if (input.values['from'] !== undefined) throw new UsageError('--from needs --print.');
  return await withJournal(
    input,
    async () => {
      if (readSwitch(input, 'json')) printJson(terminal, { schema, upToDate: true });
      else printLine(terminal, `The tables in the schema "${schema}" are up to date.`);
      return EXIT_CODES.ok;
    },
    { migrate: true },
  );
}
