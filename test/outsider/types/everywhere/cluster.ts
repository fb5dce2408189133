// A cluster as its users write it: the data of each agent is checked, and nothing of PostgreSQL or Redis is needed for the types.
import { allow, createSdkMcpServer, tool } from 'inboard';
import { getClusterCall, createCluster, memoryJournal, type AgentConversation } from 'inboard/cluster';

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool({
      name: 'refund',
      inputSchema: { order: 'string' },
      onRepeat: 'recorded',
      run: ({ order }) => `paid back ${order} as ${getClusterCall()?.callKey}`,
    }),
  ],
});

export const cluster = createCluster({
  agents: {
    support: ({ data }) => ({ systemPrompt: `You help ${data.name}.`, mcpServers: { shop } }),
    sales: ({ data }: AgentConversation<{ region: string }>) => ({ systemPrompt: data.region }),
  },
  journal: memoryJournal(),
  budgets: { tenant: (tenant) => (tenant === 'big' ? undefined : { usd: 5, days: 1 }) },
});

export async function use(lastEventId: string | undefined): Promise<string> {
  const chat = cluster.conversation('1', { agent: 'support', data: { name: 'Bo' }, tenant: undefined });
  const turn = await chat.send('Hello', { id: undefined, notBefore: new Date() });
  for await (const event of chat.events({ after: lastEventId })) {
    if (event.type === 'turn' && event.state === 'ended') break;
  }
  for (const { id } of await cluster.approvals.list()) await cluster.approvals.answer(id, allow(), 'ann');
  cluster.conversation('2', { agent: 'sales', data: { region: 'north' } });
  // @ts-expect-error -- the data of another agent
  cluster.conversation('2', { agent: 'sales', data: { name: 'Bo' } });
  // @ts-expect-error -- no such agent
  cluster.conversation('2', { agent: 'suport' });
  return (await turn.outcome()).text;
}
