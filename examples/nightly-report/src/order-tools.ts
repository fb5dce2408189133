// The tools of a run: the orders of one tenant. Which tenant is injected, so that no prompt can ask for another's.
import type { Client } from '@libsql/client';
import { createSdkMcpServer, tool, type HandlerExtra } from 'inboard';

type Call = HandlerExtra<{ store: Client; tenant: string }>;
const SUMS = 'count(*) AS orders, sum(cents) / 100.0 AS revenue FROM orders WHERE tenant = ?';
const BY_DAY = `SELECT day, ${SUMS} AND day > date('now', '-' || ? || ' days') GROUP BY day`;
const BY_PRODUCT = `SELECT product, ${SUMS} GROUP BY product ORDER BY revenue DESC LIMIT ?`;

const lookUp = (name: string, description: string, sql: string) =>
  tool.readOnly(name, description, { count: 'integer' }, async ({ count }, { context }: Call) => {
    return (await context.store.execute(sql, [context.tenant, count])).rows;
  });

export const orders = createSdkMcpServer({
  name: 'orders',
  alwaysLoad: true,
  tools: [
    lookUp('last_days', 'Orders and revenue of each of the last days', BY_DAY),
    lookUp('top_products', 'Orders and revenue of the products that sell best', BY_PRODUCT),
  ],
});
