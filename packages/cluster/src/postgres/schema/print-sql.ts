// Prints the SQL of the tables as a script, for users who run it without this package.
import { requireShape, shape } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import { checkSchema, quoteName } from '../journal-options.js';
import { writeMigrations } from './migrations.js';

const DEFAULT_SCHEMA = 'inboard';

/**
 * The SQL that creates the tables of a journal, or brings tables of version `from` up to date, as a script for psql. Run it as
 * the role that owns the tables.
 */
export function migrationSql(
  options: { schema?: string | undefined; from?: number | undefined } = {},
): string {
  checkOptionsObject(options, [], {
    of: 'migrationSql()',
    example: 'migrationSql({ schema: "…" })',
    known: ['schema', 'from'],
  });
  const { schema = DEFAULT_SCHEMA, from = 0 } = options;
  checkSchema(schema);
  const { locks, changes } = writeMigrations(schema, from);
  if (changes.length === 0) return '-- The tables are up to date.\n';
  return [
    'begin',
    ...(from === 0 ? [`create schema if not exists ${quoteName(schema)}`] : []),
    ...locks,
    ...changes,
    'commit',
  ]
    .map((statement) => `${statement.replace(/;$/, '')};\n`)
    .join('\n');
}

/**
 * The SQL that lets a role work with a journal, but not change the definitions of its tables. Run it after each migration, as
 * the role that owns the tables.
 */
export function grantSql(options: { role: string; schema?: string | undefined }): string {
  checkOptionsObject(options, [], {
    of: 'grantSql()',
    example: 'grantSql({ role: "…", schema: "…" })',
    known: ['role', 'schema'],
  });
  const { role, schema = DEFAULT_SCHEMA } = options;
  checkSchema(schema);
  requireShape('role', role, ROLE);
  const [name, to] = [quoteName(schema), quoteName(role)];
  return `grant usage on schema ${name} to ${to};
grant select, insert, update, delete on all tables in schema ${name} to ${to};
revoke insert, update, delete on ${name}.migrations from ${to};
grant usage on all sequences in schema ${name} to ${to};
grant execute on all functions in schema ${name} to ${to};
`;
}

const ROLE = shape(
  'the name of the role that is to work with the journal',
  (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
);
