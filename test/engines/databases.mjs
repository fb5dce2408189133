// A database for each engine, so that none sees another's tables.
import { Client, Pool } from 'pg';

export async function createDatabase(server, engine) {
  const name = engine.toLowerCase().replaceAll(/\W/g, '_');
  const admin = new Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, pool: new Pool({ connectionString: url.href }) };
}
