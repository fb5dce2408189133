// Creates the tables and brings them up to date, once before each release: `npm run migrate`. It needs a role that may.
import { grantSql, postgresJournal } from 'inboard/cluster/postgres';
import { Client } from 'pg';
import { logDone, logFatal } from './log.ts';
import { readText, requireText } from './settings.ts';
import { grantShop, SHOP_SQL } from './shop.ts';

try {
  const why = 'It is the address of the database, with a role that may create tables.';
  const connectionString = requireText('MIGRATE_DATABASE_URL', why);
  const journal = postgresJournal({ connectionString, migrate: true });
  try {
    await journal.open();
  } finally {
    await journal.close();
  }
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    await client.query(SHOP_SQL);
    // Both may write, but not change tables. Only workers act in the shop. Without an API_ROLE, the API has the role of the workers.
    const [role, apiRole] = [readText('DATABASE_ROLE'), readText('API_ROLE')];
    for (const each of [role, apiRole]) if (each !== undefined) await client.query(grantSql({ role: each }));
    if (role !== undefined) await client.query(grantShop(client.escapeIdentifier(role)));
  } finally {
    await client.end();
  }
  logDone('migrated');
} catch (error) {
  logFatal(nameRights(error));
}

/** A right that is missing is one that `deploy/roles.sql` gives. A restore loses those on the database. */
function nameRights(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause)
    if ((each as { code?: unknown }).code === '42501')
      return new Error(
        `The role of MIGRATE_DATABASE_URL lacks a right, such as CREATE on the database: ${each.message} (SQLSTATE 42501). ` +
          'Run deploy/roles.sql in this database as an administrator, and the migration again.',
      );
  return error;
}
