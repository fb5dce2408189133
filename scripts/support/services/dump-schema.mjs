// One schema of a database as SQL that makes it again, under any name of a server: what a version of the tables leaves behind.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The SQL of a schema with its rows. Comments and settings of the program that wrote it are left out. */
export async function dumpSchema(postgres, schema) {
  const file = join(postgres.folder, `${schema}.sql`);
  const form = ['--inserts', '--no-owner', '--no-privileges', '--no-comments'];
  await postgres.run('pg_dump', ['--schema', schema, ...form, '--file', file, postgres.url]);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  const statements = text
    .split('\n')
    .filter((line) => !/^(?:--|SET |SELECT pg_catalog\.set_config|\\)/.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
  // Functions name tables that a search path finds later.
  return `SET check_function_bodies = false;\n${statements}`;
}
