// The tools: functions in this process that the model can call. Input is checked against the schema before a function runs,
// also an input that a person has changed.
import { createSdkMcpServer, tool } from 'inboard';
import { Orders } from './orders.ts';

export function createShop(orders: Orders) {
  const order = { type: 'string', pattern: '^[0-9]{1,9}$', description: 'The number of the order' } as const;
  const find = tool.readOnly(
    'find_order',
    'Who ordered, for how much, and what was paid back',
    { type: 'object', properties: { order }, required: ['order'] },
    async (input) => ({ ...(await orders.find(input.order)) }),
  );
  const refund = tool(
    'refund',
    'Pays money back for an order. A person decides',
    {
      type: 'object',
      properties: { order, cents: { type: 'integer', minimum: 1, description: 'How much, in cents' } },
      required: ['order', 'cents'],
    },
    async (input) => {
      await orders.payBack(input.order, input.cents);
      return `Paid back ${input.cents} cents of order ${input.order}.`;
    },
  );
  return createSdkMcpServer({ name: 'shop', tools: [find, refund] });
}

export function createOrders(): Orders {
  return new Orders([
    { order: '1001', customer: 'Ines Moser', cents: 8400 },
    { order: '1002', customer: 'Bo Lind', cents: 1250 },
  ]);
}

/** The server that `inboard tools` and `inboard doctor` find in this file. */
export const shop = createShop(createOrders());
