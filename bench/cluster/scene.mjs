// A cluster in this process on a pair of services, with an agent on the fake CLI of the chaos runs: what is measured is the
// cluster, not a model. Also counts what it asks of PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { openPair } from '../../scripts/support/cluster-chaos/pair.mjs';
import { root } from '../plan/sdks.mjs';

export const entryPoints = pathToFileURL(join(root, 'dist', 'entry')).href;
const FAKE_CLI = fileURLToPath(
  new URL('../../scripts/support/cluster-chaos/programs/fake-cli.cjs', import.meta.url),
);

/** What a message asks for: so many calls of a tool, the model answering at once. */
export const ask = (facts) =>
  `chaos ${JSON.stringify({ k: 'bench', n: 1, calls: 1, ask: false, ms: 0, ...facts })}`;

/** Makes an agent whose tool does nothing. `onRun` is called when it runs, and may give the result. */
export async function createAgent({ home, onRun = () => {} }) {
  const { createSdkMcpServer, tool } = await import(`${entryPoints}/index.js`);
  const create = (name) =>
    tool({
      name,
      description: 'Does nothing',
      inputSchema: { k: 'string', n: 'number', call: 'number' },
      onRepeat: 'recorded',
      run: (input) => {
        return onRun(input) ?? 'done';
      },
    });
  const shop = () =>
    createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: ['work', 'pay'].map(create) });
  return () => ({
    pathToClaudeCodeExecutable: FAKE_CLI,
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH, CHAOS_BEAT_MS: '1' },
    allowedTools: ['mcp__shop__work'],
    mcpServers: { shop: shop() },
  });
}

/** A temporary home of CLIs. */
export function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'cluster-bench-'));
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}

/** Opens a cluster in this process. The caller closes it. */
export async function openScene({ pair, services, onRun }) {
  const { createCluster } = await import(`${entryPoints}/cluster.js`);
  const { home, remove } = makeHome();
  const parts = await openPair({ pair, entryPoints, ...services });
  const agent = await createAgent({ home, onRun });
  const cluster = createCluster({ agents: { desk: agent }, ...parts });
  return {
    cluster,
    agent,
    ...parts,
    start: (key) => cluster.conversation(key, { agent: 'desk', data: null }),
    async close() {
      await cluster[Symbol.asyncDispose]();
      remove();
    },
  };
}

/** Counts statements and rows of a database. */
export async function openCounter(address) {
  const client = new Client({ connectionString: address });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  const one = async (text) => Number((await client.query(text)).rows[0].n ?? 0);
  return {
    /** Statements of clients since the start; its own are not counted. */
    statements: () =>
      one(
        `select sum(calls) n from pg_stat_statements where query not like '%pg_stat_%' and query not like 'create extension%'`,
      ),
    /** Rows in all tables of users, as they stand. */
    async rows() {
      const { rows } = await client.query(
        `select schemaname || '.' || relname as name, n_tup_ins - n_tup_del as n from pg_stat_user_tables`,
      );
      return rows.reduce((sum, { n }) => sum + Number(n), 0);
    },
    size: () => one('select pg_database_size(current_database()) n'),
    query: (text, values) => client.query(text, values),
    close: () => client.end(),
  };
}
