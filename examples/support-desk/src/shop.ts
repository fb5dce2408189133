// The agent's tools: two that look, and one that pays money back. A refund is written under the key of its call, so that a
// call which is made again after a worker died pays once.
import { setTimeout as pause } from 'node:timers/promises';
import { createSdkMcpServer, tool } from 'inboard';
import { z } from 'zod';
import type { Ledger } from './ledger.ts';

const ORDERS: Readonly<Record<string, { article: string; usd: number; state: string }>> = {
  'A-100': { article: 'a red kettle', usd: 39, state: 'delivered on Monday' },
  'A-101': { article: 'two mugs', usd: 18, state: 'on its way' },
  'A-102': { article: 'a lamp', usd: 74, state: 'lost by the carrier' },
};
const SHELVES = ['north hall', 'south hall', 'returns', 'carrier', 'customs', 'workshop'];
const order = z.string().describe('The number of an order, as in A-100');

export function createShop(ledger: Ledger, shelfMs: number) {
  const find = (id: string) => {
    const found = ORDERS[id.toUpperCase()];
    if (!found) throw new Error(`There is no order ${id}. Known are ${Object.keys(ORDERS).join(', ')}.`);
    return found;
  };
  return createSdkMcpServer({
    name: 'shop',
    tools: [
      tool({
        name: 'look_up_order',
        description: 'What was ordered, for how much, and where it is',
        inputSchema: { order },
        onRepeat: 'run',
        run: ({ order: id }) => {
          const { article, usd, state } = find(id);
          return `${id.toUpperCase()} is ${article} for $${usd}, ${state}.`;
        },
      }),
      tool({
        name: 'search_warehouse',
        description: 'Looks for a parcel, hall by hall. Takes a while.',
        inputSchema: { order },
        // It changes nothing: whoever takes over searches again.
        onRepeat: 'run',
        run: async ({ order: id }, { signal, progress }) => {
          find(id);
          for (const [index, shelf] of SHELVES.entries()) {
            await progress({ progress: index + 1, total: SHELVES.length, message: shelf });
            await pause(shelfMs, undefined, { signal });
          }
          return `${id.toUpperCase()} is in none of the halls.`;
        },
      }),
      tool({
        name: 'refund',
        description: 'Pays an order back. A person has to agree.',
        inputSchema: { order },
        // Had it ended, its result is kept; had it not, it runs again under the same key.
        onRepeat: 'recorded',
        run: async ({ order: id }, { callKey }) => {
          const { usd } = find(id);
          await ledger.pay({ key: callKey, order: id.toUpperCase(), usd });
          return `Paid back $${usd} for ${id.toUpperCase()}.`;
        },
      }),
    ],
  });
}
