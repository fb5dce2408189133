// The tools of the shop, which the CLI calls inside this process. One of them needs an approval, and one is slow.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { formatCents, toCents, type Shop, type ShopOrder } from './shop.js';

/** The names of the tools, as the model calls them. */
export const SHOP_TOOLS = {
  search: 'mcp__shop__search_articles',
  stock: 'mcp__shop__check_stock',
  status: 'mcp__shop__order_status',
  orders: 'mcp__shop__list_orders',
  buy: 'mcp__shop__place_order',
  refund: 'mcp__shop__refund_order',
  export: 'mcp__shop__export_orders',
} as const;

/** The tools that run without a question. */
export const TOOLS_WITHOUT_APPROVAL: readonly string[] = Object.values(SHOP_TOOLS).filter(
  (name) => name !== SHOP_TOOLS.refund,
);

/** What the tools need besides the shop. */
export interface ShopTools {
  shop: Shop;
  /** Kills the CLI once it has saved the call that runs. */
  crash: () => Promise<void>;
  /** Milliseconds that the slow tool takes for each order. */
  exportMs: number;
}

/** Makes the server `shop`. */
export function createShopServer({ shop, crash, exportMs }: ShopTools) {
  /** The lines that each export has written, so that a call that was cut off goes on where it was. */
  const exports = new Map<string, string[]>();
  return createSdkMcpServer({
    name: 'shop',
    alwaysLoad: true,
    tools: [
      tool('search_articles', 'Lists the articles, with prices and stock', {}, () => ({
        articles: shop.articles,
      })),
      tool('check_stock', 'Price and stock of an article', { article: 'string' }, ({ article }) =>
        shop.article(article),
      ),
      tool('order_status', 'What is in an order, and where it is', { order: 'integer' }, ({ order }) =>
        describe(shop.order(order)),
      ),
      tool('list_orders', 'Lists the orders', {}, () => ({ orders: shop.orders.map(describe) })),
      tool(
        'place_order',
        'Orders some of an article',
        { article: 'string', count: 'integer' },
        ({ article, count }) => describe(shop.buy(article, count)),
      ),
      tool(
        'refund_order',
        'Pays an order back, or a part of it; amount in EUR. A person has to allow it.',
        { order: 'integer', amount: 'number' },
        ({ order, amount }) => ({ ...describe(shop.refund(order, toCents(amount))), paid: amount }),
      ),
      tool({
        name: 'export_orders',
        description: 'Writes all orders as CSV, slowly. With "crash", it kills the CLI half-way.',
        inputSchema: { crash: 'boolean?' },
        // A call that a crash cut off runs again, under the same call key, when the session is resumed.
        onRepeat: 'run',
        run: async (input, { callKey, attempt, progress, signal }) => {
          const lines = exports.get(callKey) ?? [];
          exports.set(callKey, lines);
          const firstLine = lines.length;
          const half = Math.ceil(shop.orders.length / 2);
          for (const order of shop.orders.slice(firstLine)) {
            await sleep(exportMs, undefined, { signal });
            lines.push(`${order.number},${order.customer},${formatCents(order.cents)}`);
            progress({ progress: lines.length, total: shop.orders.length, message: `order ${order.number}` });
            if (input.crash === true && attempt === 1 && lines.length === half) await crash();
          }
          return { lines: lines.length, wentOnAtLine: firstLine + 1, csv: lines.join('\n') };
        },
      }),
    ],
  });
}

function describe({ cents, refundedCents, number, ...rest }: ShopOrder) {
  return { order: number, ...rest, total: cents / 100, refunded: refundedCents / 100 };
}
