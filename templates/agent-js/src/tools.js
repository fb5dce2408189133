// The tools: functions in this process that the model can call. Input is checked against the schema before a function
// runs, and an error that it throws is read by the model, which can then try something else.
import { createSdkMcpServer, tool } from 'inboard';
import { Stock } from './stock.js';

export function createShop(stock) {
  const count = tool(
    'count',
    'How many of an article are left',
    { article: 'string' },
    ({ article }) => stock.count(article),
    { annotations: { readOnlyHint: true } },
  );
  const reserve = tool({
    name: 'reserve',
    description: 'Sets articles aside for a customer and returns how many are left',
    inputSchema: {
      type: 'object',
      properties: {
        article: { type: 'string' },
        count: { type: 'integer', minimum: 1 },
        customer: { type: 'string', minLength: 1 },
      },
      required: ['article', 'count', 'customer'],
    },
    run: (reservation) => ({ left: stock.reserve(reservation) }),
  });
  return createSdkMcpServer({ name: 'shop', tools: [count, reserve] });
}

/** The server that `inboard tools`, `inboard call` and `inboard inspect --tools` find in this file. */
export const shop = createShop(new Stock({ apples: 7, pears: 2 }));
