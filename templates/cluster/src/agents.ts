// The agents: what each can do, and what it must ask a person for. Every process has this same file.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSdkMcpServer, tool, type QueryOptions } from 'inboard';
import { getClusterCall, type AgentConversation, type ClusterCall } from 'inboard/cluster';
import type { Shop } from './shop.ts';

/** What is known of a conversation from its first message on. */
export interface Customer {
  name: string;
}

/** `cli` returns the options of each CLI that is started: where it runs, and which model answers. `toolMs` makes each tool slow. */
export function createAgents(shop: Shop, cli: () => QueryOptions, toolMs = 0) {
  const server = createShopServer(slowDown(shop, toolMs));
  return {
    support: ({ data }: AgentConversation<Customer>): QueryOptions => ({
      systemPrompt: `You help ${data.name}, a customer of a shop. Answer in one sentence.`,
      mcpServers: { shop: server },
      // Runs without asking. A tool that is not in this list asks a person, who answers through the API.
      allowedTools: ['mcp__shop__replace'],
      tools: [], // none of the CLI's own: no shell, no files
      settingSources: [], // no settings, hooks or CLAUDE.md of this machine
      maxTurns: 20,
      ...cli(),
    }),
  };
}

function createShopServer(shop: Shop) {
  const order = { type: 'string', pattern: '^[0-9]{1,9}$', description: 'The number of the order' } as const;
  const replace = tool({
    name: 'replace',
    description: 'Sends an order again, and returns the number of the shipment',
    inputSchema: { type: 'object', properties: { order }, required: ['order'] },
    // A worker that died may have sent it. The key is the same, so it is not sent twice.
    onRepeat: 'recorded',
    run: async (input) =>
      `shipment ${await shop.act(readCall(), { kind: 'replacement', order: input.order })}`,
  });
  const refund = tool({
    name: 'refund',
    description: 'Pays money back for an order. A person decides',
    inputSchema: {
      type: 'object',
      properties: { order, cents: { type: 'integer', minimum: 1, maximum: 100_000 } },
      required: ['order', 'cents'],
    },
    onRepeat: 'recorded',
    run: async ({ order, cents }) => `refund ${await shop.act(readCall(), { kind: 'refund', order, cents })}`,
  });
  return createSdkMcpServer({ name: 'shop', tools: [replace, refund] });
}

/** With TOOL_MS, there is time to kill a worker within a call, and to see what becomes of it: the action is done, and nobody knows. */
function slowDown(shop: Shop, ms: number): Shop {
  if (ms === 0) return shop;
  return {
    async act(call, action) {
      const number = await shop.act(call, action);
      await sleep(ms);
      return number;
    },
  };
}

function readCall(): ClusterCall {
  const call = getClusterCall();
  if (call === undefined) throw new Error('This tool acts only in a conversation of a cluster.');
  return call;
}
