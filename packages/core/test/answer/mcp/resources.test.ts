import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { InvalidOptionsError } from '../../../src/errors.js';
import { mcpResource } from '../../../src/answer/mcp/resources/mcp-resource.js';
import { compileUriTemplate } from '../../../src/answer/mcp/resources/uri-template.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { openSession, settle } from './session-harness.js';

describe('uri templates', () => {
  it.each([
    ['a://{x}', 'a://1', { x: '1' }],
    ['a://{x}', 'a://1/2', null],
    ['a://{x}/{y}', 'a://1/2', { x: '1', y: '2' }],
    ['a://{+x}', 'a://1/2?z', { x: '1/2?z' }],
    ['a://b{/x,y}', 'a://b/1/2', { x: '1', y: '2' }],
    ['a://{x,y}', 'a://1,2', { x: '1', y: '2' }],
    ['a://{x*}', 'a://1/2', { x: '1/2' }],
    ['a://file{.ext}', 'a://file.txt', { ext: 'txt' }],
    ['a://b{#part}', 'a://b#top', { part: 'top' }],
    ['a://find{?q,n}', 'a://find?n=2&q=a%20b&z=1', { q: 'a b', n: '2' }],
    ['a://find{?q}', 'a://find', {}],
    ['a://find?k=1{&q}', 'a://find?k=1&q=x', { q: 'x' }],
    ['a://{x}.(json)', 'a://1.(json)', { x: '1' }],
    ['a://{x}', 'a://%E4%F6', { x: '%E4%F6' }],
    ['a://{x:3}', 'a://abc', { x: 'abc' }],
  ])('%s of %s', (template, uri, values) => {
    expect(compileUriTemplate(template).match(uri)).toEqual(values);
  });

  it.each(['a://{x', 'a://x}', 'a://{}', 'a://{x y}', 'a://{;x}', 'a://{a{b}}'])('%s is none', (template) => {
    expect(() => compileUriTemplate(template)).toThrow(InvalidOptionsError);
  });
});

describe('mcpResource', () => {
  it('knows the variables of its uri', () => {
    mcpResource('n', 'a://{x}/{+y}{?q,r}', (uri, variables, extra) => {
      expectTypeOf(uri).toEqualTypeOf<URL>();
      expectTypeOf(variables.x).toEqualTypeOf<string>();
      expectTypeOf(variables.y).toEqualTypeOf<string>();
      expectTypeOf(variables.q).toEqualTypeOf<string | undefined>();
      expectTypeOf(extra.signal).toEqualTypeOf<AbortSignal>();
    });
    mcpResource({ name: 'n', uri: 'a://b', read: (_uri, { server }) => server });
    // @ts-expect-error -- there is no such variable
    mcpResource('n', 'a://{x}', (_uri, { y }) => y);
    // @ts-expect-error -- only a template stands for many
    expect(() => mcpResource('n', 'a://b', () => '', { list: () => [] })).toThrow(/not a template/);
    // @ts-expect-error -- only variables that there are can be completed
    expect(() => mcpResource('n', 'a://{x}', () => '', { complete: { y: ['1'] } })).toThrow(
      /completes "y".*\(x\)/,
    );
  });

  it('refuses at once what is wrong', () => {
    expect(() => mcpResource('', 'a://b', () => '')).toThrow(/needs a name/);
    expect(() => mcpResource('n', 'no uri', () => '')).toThrow(/"no uri".*scheme/);
    expect(() => mcpResource({ name: 'n', uri: 'a://b' } as never)).toThrow(/needs a function/);
  });
});

describe('resources of a template', () => {
  const server = createSdkMcpServer({
    name: 's',
    resources: [
      mcpResource('note', 'note://{id}', (_uri, { id }) => `note ${id}`, {
        mimeType: 'text/plain',
        list: async () => [{ uri: 'note://1' }, { uri: 'note://2', name: 'second' }],
        complete: { id: ['1', '12', '2'] },
      }),
      {
        name: 'sdk',
        uri: new ResourceTemplate('sdk://{x}', {
          list: () => ({ resources: [{ uri: 'sdk://1', name: 'one' }] }),
          complete: { x: (value) => [`${value}!`] },
        }),
        read: () => 'sdk',
      },
    ],
  });

  it('are listed, ours and those of the MCP SDK', async () => {
    const { ask } = openSession({ s: server });
    expect((await ask('resources/list')).result).toEqual({
      resources: [
        { uri: 'note://1', name: 'note', mimeType: 'text/plain' },
        { uri: 'note://2', name: 'second', mimeType: 'text/plain' },
        { uri: 'sdk://1', name: 'one' },
      ],
    });
  });

  it('have their variables completed', async () => {
    const { ask } = openSession({ s: server });
    const complete = async (uri: string, name: string) => {
      const params = { ref: { type: 'ref/resource', uri }, argument: { name, value: '1' } };
      return (await ask('completion/complete', params)).result?.['completion'];
    };
    expect(await complete('note://{id}', 'id')).toMatchObject({ values: ['1', '12'] });
    expect(await complete('sdk://{x}', 'x')).toMatchObject({ values: ['1!'] });
    expect(await complete('sdk://{x}', 'y')).toMatchObject({ values: [] });
  });
});

describe('subscriptions', () => {
  it('are told of changes to what they name, and of nothing else', async () => {
    const server = createSdkMcpServer({
      name: 's',
      resources: [
        { name: 'a', uri: 'x://a', read: () => 'a' },
        { name: 'b', uri: 'x://b', read: () => 'b' },
      ],
    });
    const [one, two] = [openSession({ s: server }), openSession({ s: server })];
    expect((await one.ask('resources/subscribe', { uri: 'x://a' })).result).toEqual({});
    expect((await one.ask('resources/subscribe', { uri: 'x://none' })).error?.code).toBe(-32002);
    server.instance.sendResourceUpdated({ uri: 'x://a' });
    server.instance.sendResourceUpdated({ uri: 'x://b' });
    await settle();
    expect(one.sent.map(({ message }) => message)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'x://a' } },
    ]);
    expect(two.sent).toEqual([]);
    expect((await one.ask('resources/unsubscribe', { uri: 'x://a' })).result).toEqual({});
    await server.instance.server.sendResourceUpdated({ uri: 'x://a' });
    await settle();
    expect(one.sent).toHaveLength(1);
  });
});
