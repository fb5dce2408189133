// The agent of a chaos run: two tools whose runs are written down, each with an effect in a table of the run's own, written
// in one transaction with a look at the fence, as a user's tool would.
import { setTimeout as sleep } from 'node:timers/promises';

/** The effects of tools, in PostgreSQL. */
export const EFFECTS = `create table if not exists chaos_effects (
  call_key text primary key, conversation text not null, turn int not null, call int not null,
  attempt int not null, epoch bigint not null, at timestamptz not null default now())`;

/** Makes the agents by name. `version` is in their prompt: a rolling deploy changes it. */
export async function createChaosAgents({
  entryPoints,
  options,
  version,
  note,
  points,
  writeEffect,
  toolMs,
  hasRow,
  onRepeat = 'recorded',
}) {
  const { createSdkMcpServer, tool } = await import(`${entryPoints}/index.js`);
  const { getClusterCall, clusterCall } = await import(`${entryPoints}/cluster.js`);
  // Packages that an upgrade begins with have it under its first name.
  const readCall = getClusterCall ?? clusterCall;
  const run = async ({ k, n, call }) => {
    const { callKey, attempt, fence } = readCall();
    note('run', { k, n, call, callKey, attempt, epoch: fence.epoch, hadRow: hasRow(callKey) });
    points.reach('in tool, before its effect');
    await writeEffect?.({ k, n, call, callKey, attempt, fence });
    points.reach('in tool, after its effect');
    await sleep(toolMs);
    points.reach('in tool, at its end');
    note('ran', { k, n, call, callKey, attempt });
    return `did ${k} ${n} ${call}`;
  };
  const describe = (name) =>
    tool({
      name,
      description: `Does the ${name} of a message`,
      inputSchema: { k: 'string', n: 'number', call: 'number' },
      onRepeat,
      run,
    });
  return {
    desk: () => ({
      ...options,
      systemPrompt: `You work at the desk, version ${version}.`,
      allowedTools: ['mcp__shop__work'],
      mcpServers: {
        shop: createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: ['work', 'pay'].map(describe) }),
      },
    }),
  };
}

/** Writes effects under the fence of a PostgreSQL journal; one that is lost has none. */
export async function createEffects({ entryPoints, postgres }) {
  const { holdFence } = await import(`${entryPoints}/cluster-postgres.js`);
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: postgres, max: 4 });
  // A server that is restarted ends idle connections; the pool makes new ones.
  pool.on('error', () => {});
  return {
    async write({ k, n, call, callKey, attempt, fence }) {
      const client = await pool.connect();
      const onError = () => {};
      client.on('error', onError);
      try {
        await client.query('begin');
        await holdFence(client, fence);
        await client.query(
          `insert into chaos_effects (call_key, conversation, turn, call, attempt, epoch)
           values ($1, $2, $3, $4, $5, $6) on conflict (call_key) do nothing`,
          [callKey, k, n, call, attempt, fence.epoch],
        );
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      } finally {
        client.off('error', onError);
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
