// The cluster, as every process opens it: on PostgreSQL if there is a DATABASE_URL, otherwise in memory, for trying.
import type { QueryOptions } from 'inboard';
import { createCluster } from 'inboard/cluster';
import { postgresJournal } from 'inboard/cluster/postgres';
import { Pool } from 'pg';
import { createAgents } from './agents.ts';
import { createTroubleLog } from './log.ts';
import { readAmount, readNumber, readText } from './settings.ts';
import { memoryShop, postgresShop } from './shop.ts';

/** The caller closes it. `cli` is used only by processes that work. */
export function openApp(cli: () => QueryOptions = () => ({})) {
  // A hook that you add and that fails is a no.
  const options = (): QueryOptions => ({ hookFailure: 'refuse', ...cli() });
  const toolMs = readNumber('TOOL_MS', 0);
  const connectionString = readText('DATABASE_URL');
  if (connectionString === undefined) {
    const cluster = createCluster({ agents: createAgents(memoryShop(), options, toolMs) });
    return { cluster, close: () => cluster.close() };
  }
  const pool = new Pool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: 5000,
    statement_timeout: 10_000,
  });
  // A connection that breaks while it is idle is replaced. Without a listener, it would end the process.
  const tell = createTroubleLog('pool');
  pool.on('error', (error) => tell(error));
  const cluster = createCluster({
    agents: createAgents(postgresShop(pool), options, toolMs),
    // Only src/migrate.ts changes tables, under a role that may.
    journal: postgresJournal({
      connectionString,
      migrate: false,
      maxConnections: readNumber('DATABASE_CONNECTIONS', 10, 1),
    }),
    budgets: {
      cluster: { usd: readAmount('BUDGET_USD_A_DAY', 100), days: 1 },
      tenant: { usd: readAmount('TENANT_USD_A_DAY', 20), days: 1 },
      // What an expensive turn may cost. Without it, a turn reserves all that is left, and one runs at a time in the whole cluster.
      reserveUsd: 0.5,
    },
  });
  const close = async (): Promise<void> => {
    await cluster.close();
    await pool.end();
  };
  return { cluster, close };
}

export type App = ReturnType<typeof openApp>;
