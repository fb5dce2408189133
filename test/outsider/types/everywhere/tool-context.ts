// The context that tools declare is asked for where their servers are used: in options, in groups, in clusters, in editors.
import {
  createSdkMcpServer,
  createSessionGroup,
  createWarmPool,
  openSession,
  query,
  run,
  startup,
  tool,
  type McpServerConfig,
  type Options,
  type QueryOptions,
  type SdkMcpServer,
  type HandlerExtra,
} from 'inboard';
import { serveAcp } from 'inboard/acp';
import { createCluster } from 'inboard/cluster';
import { createToolHarness } from 'inboard/testing';
import { createUiChat } from 'inboard/ui';

interface User {
  user: string;
  locale?: string;
}

type Stock = Map<string, number>;

const who = tool('who', 'd', (_args, { context }: HandlerExtra<User>) => context.user);
const count = tool({
  name: 'count',
  inputSchema: { article: 'string' },
  run: ({ article }, { context }: HandlerExtra<{ stock: Stock }>) => context.stock.get(article) ?? 0,
});
const plain = tool('plain', 'd', { city: 'string' }, ({ city }) => city.length);

const desk = createSdkMcpServer({ name: 'desk', tools: [who, plain] });
const shop = createSdkMcpServer({ name: 'shop', tools: [who, count, plain] });
const stocked = createSdkMcpServer({
  name: 'stocked',
  tools: [who, count],
  context: { stock: new Map<string, number>() },
});
const misstocked = createSdkMcpServer({ name: 'misstocked', tools: [count], context: { stock: 3 } });
const town = createSdkMcpServer({ name: 'town', tools: [plain] });
const toolContext: User = { user: 'ann' };
const prompt = 'x';

export function useQueries(): void {
  query({ prompt, options: { mcpServers: { desk }, allowedTools: [desk, who], toolContext } });
  query({ prompt, options: { mcpServers: { desk }, toolContext: { user: 'ann', locale: 'de' } } });
  // @ts-expect-error There is no context.
  query({ prompt, options: { mcpServers: { desk }, allowedTools: [desk] } });
  // @ts-expect-error The user is a text.
  query({ prompt, options: { mcpServers: { desk }, toolContext: { user: 3 } } });
  // @ts-expect-error The user is misspelt.
  query({ prompt, options: { mcpServers: { desk }, toolContext: { usr: 'ann' } } });
  // @ts-expect-error The language is misspelt, which could be left out.
  query({ prompt, options: { mcpServers: { desk }, toolContext: { user: 'ann', local: 'de' } } });
  const options = { mcpServers: { desk }, allowedTools: [desk] };
  // @ts-expect-error There is no context in the variable either.
  query({ prompt, options });
  query({ prompt, options: { ...options, toolContext } });
}

export function useSeveralServers(): void {
  const stock: Stock = new Map();
  query({ prompt, options: { mcpServers: { shop, town }, toolContext: { user: 'ann', stock } } });
  // @ts-expect-error One of its tools needs the stock.
  query({ prompt, options: { mcpServers: { shop }, toolContext: { user: 'ann' } } });
  query({ prompt, options: { mcpServers: { stocked }, toolContext } });
  query({ prompt, options: { mcpServers: { stocked }, toolContext: { user: 'ann', stock } } });
  // @ts-expect-error The server has the stock, and not the user.
  query({ prompt, options: { mcpServers: { stocked } } });
  // @ts-expect-error What the server has is no stock.
  query({ prompt, options: { mcpServers: { misstocked } } });
  query({ prompt, options: { mcpServers: { town } } });
  query({ prompt, options: { mcpServers: { town }, toolContext: 'anything' } });
  const outside: Record<string, McpServerConfig> = { out: { command: 'x' } };
  query({ prompt, options: { mcpServers: { ...outside, out: { type: 'http', url: 'http://x' } } } });
  query({ prompt, options: { mcpServers: { desk, out: { command: 'x', args: ['y'] } }, toolContext } });
  // @ts-expect-error The server may be there.
  query({ prompt, options: { mcpServers: { ...(Math.random() < 0.5 ? { desk } : {}) } } });
}

export function useOptionalContexts(): void {
  const maybe = tool('maybe', 'd', (_args, { context }: HandlerExtra<User | undefined>) => context?.user);
  const lax = tool('lax', 'd', (_args, { context }: HandlerExtra<{ locale?: string }>) => context.locale);
  const server = createSdkMcpServer({ name: 'maybe', tools: [maybe] });
  query({ prompt, options: { mcpServers: { server } } });
  // @ts-expect-error If there is one, it must be right.
  query({ prompt, options: { mcpServers: { server }, toolContext: { user: 3 } } });
  query({ prompt, options: { mcpServers: { lax: createSdkMcpServer({ name: 'lax', tools: [lax] }) } } });
}

// What the types do not know is left to the session, which warns.
export function useWithoutKnowing(): void {
  const erased: McpServerConfig = desk;
  const server: SdkMcpServer = desk;
  const options: Options = { mcpServers: { desk } };
  const more: QueryOptions = { mcpServers: { desk }, allowedTools: [desk] };
  query({ prompt, options });
  query({ prompt, options: more });
  query({ prompt, options: { mcpServers: { erased, server } } });
  query({ prompt, options: { mcpServers: { erased, desk }, toolContext: { user: 'ann', other: 1 } } });
  const wrapped = {
    ...who,
    handler: async (args: never, extra: HandlerExtra) =>
      who.handler(args, { ...extra, context: toolContext }),
  };
  query({
    prompt,
    options: { mcpServers: { wrapped: createSdkMcpServer({ name: 'w', tools: [wrapped] }) } },
  });
  const input: Parameters<typeof query>[0] = { prompt, options: { mcpServers: { desk } } };
  query(input);
}

export async function useOtherVerbs(): Promise<void> {
  await run({ prompt, options: { mcpServers: { desk }, toolContext } });
  // @ts-expect-error There is no context.
  await run({ prompt, options: { mcpServers: { desk } } });
  openSession({ options: { mcpServers: { desk }, toolContext } });
  // @ts-expect-error There is no context.
  openSession({ options: { mcpServers: { desk } } });
  // @ts-expect-error There is no context.
  createWarmPool({ options: { mcpServers: { desk } } });
  // @ts-expect-error There is no context.
  await startup({ options: { mcpServers: { desk } } });
  createToolHarness(desk, { context: toolContext });
  // @ts-expect-error The user is a text.
  createToolHarness(desk, { context: { user: 3 } });
  createUiChat({
    session: ({ canUseTool }) => openSession({ options: { canUseTool, mcpServers: { desk }, toolContext } }),
  });
}

export function useGroups(): void {
  const group = createSessionGroup({ maxRunning: 1, options: { mcpServers: { desk } } });
  group.open({ key: 'ann', options: { toolContext } });
  // @ts-expect-error Each session needs a context.
  group.open();
  // @ts-expect-error Each session needs a context.
  group.open({ key: 'ann' });
  // @ts-expect-error The user is a text.
  group.open({ options: { toolContext: { user: 3 } } });
  createSessionGroup({ maxRunning: 1, options: { mcpServers: { desk }, toolContext } }).open();
  // @ts-expect-error The user is a text.
  createSessionGroup({ maxRunning: 1, options: { mcpServers: { desk }, toolContext: { user: 3 } } });
  const bare = createSessionGroup({ maxRunning: 1 });
  bare.open();
  bare.open({ options: { mcpServers: { desk }, toolContext } });
  // @ts-expect-error There is no context.
  bare.open({ options: { mcpServers: { desk } } });
}

export const cluster = createCluster({
  agents: {
    known: ({ data }) => ({
      systemPrompt: data.name,
      mcpServers: { desk },
      toolContext: { user: data.name },
    }),
    later: async () => ({ mcpServers: { desk }, toolContext }),
    none: () => ({ systemPrompt: 'x' }),
  },
});
// @ts-expect-error There is no context.
createCluster({ agents: { bad: () => ({ mcpServers: { desk } }) } });
// @ts-expect-error The user is a text.
createCluster({ agents: { bad: async () => ({ mcpServers: { desk }, toolContext: { user: 3 } }) } });

export async function useEditors(): Promise<void> {
  await serveAcp({ servers: { desk }, options: { toolContext } });
  await serveAcp({ tools: [who], options: { toolContext } });
  await serveAcp({ tools: [plain] });
  // @ts-expect-error There is no context.
  await serveAcp({ servers: { desk } });
  // @ts-expect-error There is no context.
  await serveAcp({ tools: [who] });
}
