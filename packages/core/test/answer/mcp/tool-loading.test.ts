import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MAX_CHARS_AT_ONCE, MAX_TOOLS_AT_ONCE } from '../../../src/answer/mcp/load-budget.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { PlainTool } from '../../../src/answer/mcp/tool/tool-definition.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { openSession } from './session-harness.js';

const run = () => '';
const jsonSchema = { type: 'object', properties: { a: { type: 'string' } } } as const;

/** The tools that a CLI is told to load at once, by `tools/list`; the handshake must say the same. */
async function listLoaded(servers: Record<string, readonly PlainTool[]>): Promise<string[]> {
  const made = Object.fromEntries(
    Object.entries(servers).map(([name, tools]) => [
      name,
      createSdkMcpServer({ name, tools: tools as [], toolsMayChange: true }),
    ]),
  );
  const { session, ask } = openSession(made);
  const manifests = session.manifests('2.1.325') as unknown as Record<
    string,
    { toolsListResult: { tools: Listing[] } }
  >;
  const loaded: string[] = [];
  for (const name of Object.keys(made)) {
    const listed = (await ask('tools/list', {}, name)).result?.tools as unknown as Listing[];
    const announced = manifests[name]?.toolsListResult.tools;
    expect(announced?.filter(loads).map(nameOf)).toEqual(listed.filter(loads).map(nameOf));
    loaded.push(...listed.filter(loads).map((tool) => `${name}.${tool.name}`));
  }
  const defined = session.definedTools().filter(({ alwaysLoad }) => alwaysLoad);
  expect(defined.map(({ server, tool }) => `${server}.${tool}`)).toEqual(loaded);
  return loaded;
}

interface Listing {
  name: string;
  _meta?: Record<string, unknown>;
}
const loads = ({ _meta }: Listing): boolean => _meta?.['anthropic/alwaysLoad'] === true;
const nameOf = ({ name }: Listing): string => name;
const many = (count: number, prefix = 't') =>
  Array.from({ length: count }, (_, index) => tool({ name: `${prefix}${index}`, run }));

describe('which tools load at once', () => {
  it.each([
    ['the object form', tool({ name: 'a', inputSchema: { a: z.string() }, run })],
    ['the object form, copied by a wrapper', { ...tool({ name: 'a', run }), handler: run }],
    ['the object form with handler', tool({ name: 'a', handler: run })],
    ['a plain object with run', { name: 'a', run }],
    ['words in the positional form', tool('a', '', { a: 'string' }, run)],
    ['words beside zod', tool('a', '', { a: 'string', b: z.string() }, run)],
    ['words in a plain object', { name: 'a', inputSchema: { a: 'string' } as const, handler: run }],
    ['a JSON Schema in the positional form', tool('a', '', jsonSchema, run)],
    ['tool.readOnly', tool.readOnly({ name: 'a', run })],
  ])('%s does', async (_, own) => {
    expect(await listLoaded({ s: [own as PlainTool] })).toEqual(['s.a']);
  });

  it.each([
    ['the official form', tool('a', '', { a: z.string() }, run)],
    ['the official form without fields', tool('a', '', {}, run)],
    ['a zod object', tool('a', '', z.object({ a: z.string() }), run)],
    ['a plain object of the official form', { name: 'a', inputSchema: { a: z.string() }, handler: run }],
    ['alwaysLoad: false', tool({ name: 'a', alwaysLoad: false, run })],
    ['alwaysLoad: false in its meta', tool({ name: 'a', _meta: { 'anthropic/alwaysLoad': false }, run })],
  ])('%s does not', async (_, other) => {
    expect(await listLoaded({ s: [other as PlainTool] })).toEqual([]);
  });

  it.each([
    [true, ['official', 'empty']],
    [undefined, []],
    [false, []],
  ])(
    'alwaysLoad: %s of a server is on the wire for each tool of the official form',
    async (alwaysLoad, loaded) => {
      const tools = [tool('official', '', { a: z.string() }, run), tool('empty', '', {}, run)];
      const { session, ask } = openSession({ s: createSdkMcpServer({ name: 's', alwaysLoad, tools }) });
      const listed = (await ask('tools/list', {}, 's')).result?.tools as unknown as Listing[];
      expect(listed.filter(loads).map(nameOf)).toEqual(loaded);
      const announced = session.manifests('2.1.325') as unknown as Record<
        string,
        { toolsListResult: { tools: Listing[] } }
      >;
      expect(announced['s']?.toolsListResult.tools.filter(loads).map(nameOf)).toEqual(loaded);
    },
  );

  it('is decided per tool, and the server speaks for those that say nothing', async () => {
    const tools = [tool('zod', '', { a: z.string() }, run), tool({ name: 'own', run })];
    expect(await listLoaded({ s: tools })).toEqual(['s.own']);
    const all = createSdkMcpServer({ name: 's', alwaysLoad: true, tools: tools as [] });
    const none = createSdkMcpServer({ name: 's', alwaysLoad: false, tools: tools as [] });
    const isLoaded = (server: typeof all) =>
      openSession({ s: server })
        .session.definedTools()
        .map(({ alwaysLoad, loading }) => [alwaysLoad, loading]);
    expect(isLoaded(all)).toEqual([
      [true, 'author'],
      [true, 'author'],
    ]);
    expect(isLoaded(none)).toEqual([
      [false, 'author'],
      [false, 'author'],
    ]);
  });

  it('stops at the limit of tools, over all servers, in their order', async () => {
    const servers = { a: many(MAX_TOOLS_AT_ONCE - 1), b: many(3) };
    const loaded = await listLoaded(servers);
    expect(loaded).toHaveLength(MAX_TOOLS_AT_ONCE);
    expect(loaded.filter((name) => name.startsWith('b.'))).toEqual(['b.t0']);
  });

  it('passes over a tool whose definition is too large, and counts what was set by hand for nothing', async () => {
    const large = tool({ name: 'large', description: 'x'.repeat(MAX_CHARS_AT_ONCE), run });
    const set = tool({ name: 'set', description: 'x'.repeat(MAX_CHARS_AT_ONCE), alwaysLoad: true, run });
    expect(await listLoaded({ s: [large, set, tool({ name: 'small', run })] })).toEqual(['s.set', 's.small']);
  });

  it('keeps what a running session was told, and gives room that becomes free to others', async () => {
    const first = createSdkMcpServer({ name: 'first', toolsMayChange: true });
    const second = createSdkMcpServer({ name: 'second', tools: many(MAX_TOOLS_AT_ONCE + 1) as [] });
    const { session, ask } = openSession({ first, second });
    void session.manifests('2.1.325');
    first.instance.registerTool('late', { inputSchema: { a: 'string' } }, run);
    const read = async (server: string): Promise<string[]> => {
      const { result } = await ask('tools/list', {}, server);
      const listed = (result?.tools ?? []) as unknown as Listing[];
      return listed.filter(loads).map(nameOf);
    };
    expect(await read('first')).toEqual([]);
    expect(await read('second')).toHaveLength(MAX_TOOLS_AT_ONCE);
    second.instance.removeTool('t0');
    expect(await read('first')).toEqual(['late']);
  });

  it('is a matter of sessions: another client sees the tools as they were written', async () => {
    const { instance } = createSdkMcpServer({ name: 's', tools: [tool({ name: 'a', run })] });
    const sent: { result?: { tools: Listing[] } }[] = [];
    const transport = {
      start: async () => {},
      close: async () => {},
      send: async (message: object) => void sent.push(message),
    } as { onmessage?: (message: unknown) => void } & Parameters<typeof instance.connect>[0];
    await instance.connect(transport);
    transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/list' } as never);
    await expect.poll(() => sent[0]?.result?.tools.map(loads)).toEqual([false]);
  });
});
