// The agent of a support desk, which the examples of all engines share: it looks orders up, and pays them back if a person agrees.
import { createSdkMcpServer, tool, type Options } from 'inboard';

const ORDERS: Readonly<Record<string, { article: string; usd: number; state: string }>> = {
  'A-100': { article: 'a red kettle', usd: 39, state: 'delivered on Monday' },
  'A-102': { article: 'a lamp', usd: 74, state: 'lost by the carrier' },
};

function find(id: string) {
  const found = ORDERS[id.toUpperCase()];
  if (!found) throw new Error(`There is no order ${id}. Known are ${Object.keys(ORDERS).join(', ')}.`);
  return found;
}

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool({
      name: 'look_up_order',
      description: 'What was ordered, for how much, and where it is',
      inputSchema: { order: 'string' },
      // It changes nothing: the attempt after a crash looks again.
      onRepeat: 'run',
      run: ({ order }) => {
        const { article, usd, state } = find(order);
        return `${order.toUpperCase()} is ${article} for $${usd}, ${state}.`;
      },
    }),
    // Without `onRepeat`: if a worker dies in the middle, the model is told that nobody knows whether it was paid.
    tool({
      name: 'refund',
      description: 'Pays an order back. A person has to agree.',
      inputSchema: { order: 'string' },
      run: ({ order }) => `Paid back $${find(order).usd} for ${order.toUpperCase()}.`,
    }),
  ],
});

/** The options of the agent. `offline` stands for the model where there is no key. */
export function createSupport(offline?: Pick<Options, 'env' | 'cwd'>): Options {
  return {
    ...offline,
    systemPrompt:
      'You are at the support desk of a shop. Look orders up before you speak of them. Offer a refund where one is due.',
    tools: [],
    settingSources: [],
    strictMcpConfig: true,
    mcpServers: { shop },
    // Every other call is a question to a person.
    allowedTools: ['mcp__shop__look_up_order'],
  };
}
