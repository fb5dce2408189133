// What the compiler knows of a cluster: the data of each agent, and which agents there are.
import { expectTypeOf, it } from 'vitest';
import type { AgentConversation } from '../src/work/host/agents.js';
import type { AgentData, Cluster, ConversationStart } from '../src/cluster.js';
import { createCluster } from '../src/create-cluster.js';
import type { Json } from '../src/journal/records.js';

const agents = {
  support: ({ data }: AgentConversation<{ name: string; vip?: boolean }>) => ({ systemPrompt: data.name }),
  search: async ({ data }: { data: string[] }) => ({ systemPrompt: data.join(' ') }),
  free: () => ({}),
  loose: ({ key }: AgentConversation) => ({ systemPrompt: key }),
};

it('checks the data of a conversation against its agent', async () => {
  const cluster = createCluster({ agents });
  expectTypeOf(cluster).toEqualTypeOf<Cluster<typeof agents>>();
  cluster.conversation('a', { agent: 'support', data: { name: 'Bo' } });
  cluster.conversation('a', { agent: 'support', data: { name: 'Bo', vip: true }, tenant: 't' });
  cluster.conversation('a', { agent: 'search', data: ['x'] });
  cluster.conversation('a', { agent: 'free' });
  cluster.conversation('a', { agent: 'free', data: { any: ['json', 1, null] } });
  cluster.conversation('a', { agent: 'loose', data: 7 });
  cluster.conversation('a');
  // @ts-expect-error -- it needs a name
  cluster.conversation('a', { agent: 'support' });
  // @ts-expect-error -- the name is no number
  cluster.conversation('a', { agent: 'support', data: { name: 7 } });
  // @ts-expect-error -- the data of another agent
  cluster.conversation('a', { agent: 'search', data: { name: 'Bo' } });
  // @ts-expect-error -- no JSON
  expectTypeOf<{ agent: 'free'; data: () => void }>().toMatchTypeOf<ConversationStart<typeof agents>>();
  // @ts-expect-error -- no such agent
  const unknownAgent = (): unknown => cluster.conversation('a', { agent: 'sales' });
  expectTypeOf(unknownAgent).returns.toBeUnknown();
  await cluster.close();
});

it('infers agents that are written in place', async () => {
  const cluster = createCluster({
    agents: { support: ({ data }) => ({ systemPrompt: `You help ${(data as { name: string }).name}.` }) },
  });
  cluster.conversation('a', { agent: 'support', data: { name: 'Bo' } });
  // @ts-expect-error -- no such agent
  expectTypeOf<{ agent: 'sales' }>().toMatchTypeOf<Parameters<typeof cluster.conversation>[1]>();
  await cluster.close();
});

it('reads the data of an agent', () => {
  expectTypeOf<AgentData<(typeof agents)['support']>>().toEqualTypeOf<{ name: string; vip?: boolean }>();
  expectTypeOf<AgentData<(typeof agents)['free']>>().toEqualTypeOf<Json | undefined>();
  // oxlint-disable-next-line no-explicit-any -- as where the parameter has no type
  expectTypeOf<AgentData<(conversation: AgentConversation<any>) => object>>().toEqualTypeOf<
    Json | undefined
  >();
});
