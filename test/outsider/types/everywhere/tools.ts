// What the compiler knows of tools: their arguments, their names, the context they ask for, the tool of a hook.
import {
  createSdkMcpServer,
  query,
  tool,
  toolHook,
  toolName,
  type Options,
  type SdkMcpToolDefinition,
  type HandlerExtra,
} from 'inboard';
import { callTool, createToolHarness } from 'inboard/testing';

type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false;
const hasType = <T, U>(_value: T, _wanted: U, _verdict: Same<T, U>): string => '';
const any = <T>(): T => undefined as T;

const words = tool('words', 'd', { city: 'string', days: "1 | 2 | 'a:b' ?: how long" }, (args) =>
  hasType(args, any<{ city: string; days?: 1 | 2 | 'a:b' }>(), true),
);
const now = tool('now', 'd', (args) => hasType(args, any<Record<string, never>>(), true));
const schema = {
  type: 'object',
  properties: { id: { type: 'string' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
  required: ['id'],
} as const;
const json = tool({
  name: 'json',
  inputSchema: schema,
  run: (args) => hasType(args, any<{ id: string; tags?: ('a' | 'b')[] }>(), true),
});
const who = tool('who', 'd', (_args, { context }: HandlerExtra<{ user: string }>) => context.user);

// @ts-expect-error There is no such type.
tool('a', 'd', { city: 'strng' }, () => '');
// @ts-expect-error There is no such type.
tool({ name: 'a', inputSchema: { city: 'string | strng' }, run: () => '' });
// @ts-expect-error There is no such key.
tool({ name: 'a', timeout: 5, run: () => '' });

const server = createSdkMcpServer({ name: 's', tools: [words, now, json, who] });
export const names: string[] = [toolName(server, 'words'), toolName(server, now), toolName('s', 'anything')];
// @ts-expect-error There is no such tool.
toolName(server, 'wrods');
const list: SdkMcpToolDefinition[] = [words];
toolName(createSdkMcpServer({ name: 's', tools: [...list, now] }), 'anything');

export async function test(): Promise<void> {
  const harness = createToolHarness(server);
  await harness.call('json', { id: 3 });
  // @ts-expect-error There is no such tool.
  await harness.call('jsn');
  await callTool(who, {}, { context: { user: 'Ann' } });
  // @ts-expect-error The user is a text.
  await callTool(who, {}, { context: { user: 3 } });
}

export const hooks: Options['hooks'] = {
  PreToolUse: [
    toolHook('Bash', async ({ tool_input }) => {
      // @ts-expect-error There is no such field.
      console.log(tool_input.comand);
      return tool_input.command.includes('sudo') ? { decision: 'block' } : {};
    }),
    { matcher: 'Bash', hooks: [async (input) => ({ reason: input.tool_name })] },
  ],
};
query({
  prompt: 'x',
  options: { hooks, mcpServers: { s: server }, allowedTools: [server, words], toolContext: { user: 'Ann' } },
});
