// The world outside: what the tools change. An action has a key, and happens once for each key, however often it is asked for.
// Replace it with your own systems; those that take an idempotency key, as payment services do, get the same key.
import { holdFence } from 'inboard/cluster/postgres';
import type { ClusterCall } from 'inboard/cluster';
import type { Pool } from 'pg';

export interface Action {
  kind: 'replacement' | 'refund';
  order: string;
  cents?: number | undefined;
}

export interface Shop {
  /** Returns the number of the action: the same one for the same call. */
  act(call: ClusterCall, action: Action): Promise<number>;
}

/** The tables of the shop, in a schema of their own. `src/migrate.ts` creates them. */
export const SHOP_SQL = `create schema if not exists shop;
create table if not exists shop.actions (
  number bigint generated always as identity,
  call_key text primary key,
  kind text not null,
  order_name text not null,
  cents integer
);`;

/** What the role of workers may do there. `role` is quoted for SQL. */
export const grantShop = (role: string): string =>
  `grant usage on schema shop to ${role}; grant select, insert on shop.actions to ${role};`;

export function postgresShop(pool: Pool): Shop {
  return {
    async act(call, { kind, order, cents }) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        // Refused if another worker has taken the conversation over meanwhile. The key stops a second action.
        await holdFence(client, call.fence);
        await client.query(
          `insert into shop.actions (call_key, kind, order_name, cents) values ($1, $2, $3, $4)
           on conflict (call_key) do nothing`,
          [call.callKey, kind, order, cents],
        );
        const { rows } = await client.query('select number from shop.actions where call_key = $1', [
          call.callKey,
        ]);
        await client.query('commit');
        return Number(rows[0].number);
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

/** For trying, in one process. */
export function memoryShop(): Shop & { readonly actions: Map<string, Action> } {
  const actions = new Map<string, Action>();
  return {
    actions,
    async act({ callKey }, action) {
      if (!actions.has(callKey)) actions.set(callKey, action);
      return [...actions.keys()].indexOf(callKey) + 1;
    },
  };
}
