// Ledgers in the PostgreSQL of this run, each in a schema of its own, and modules that open them in other processes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, inject } from 'vitest';
import {
  createPostgresLedger,
  type PostgresLedger,
} from '../../../packages/cluster/src/postgres/ledger/postgres-ledger.js';
import { ENTRY_POINTS } from '../support/turn-processes.js';

const folder = mkdtempSync(join(tmpdir(), 'inboard-ledgers-'));
const opened: PostgresLedger[] = [];

/** Opens a ledger, which is closed after the tests of this file. */
export function openLedger(schema: string): PostgresLedger {
  const ledger = createPostgresLedger({ connectionString: inject('postgresUrl'), schema });
  opened.push(ledger);
  return ledger;
}

/** Writes a module, and returns its URL. */
function writeProgram(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

/** The URL of a module that opens a ledger in another process. */
export function programOf(schema: string): string {
  const options = JSON.stringify({ connectionString: inject('postgresUrl'), schema });
  return writeProgram(
    schema,
    `import { createPostgresLedger } from '${ENTRY_POINTS}/durable-postgres.js';
     export const openLedger = () => createPostgresLedger(${options});`,
  );
}

afterAll(async () => {
  await Promise.all(opened.map((ledger) => ledger.close()));
  rmSync(folder, { recursive: true, force: true });
});
