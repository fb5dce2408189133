// A handler that returns `pending()`: where its call can stay open, and where that is refused.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, it } from 'vitest';
import { bindServers, type BoundServersInput } from '../../../src/answer/mcp/answer-mcp-message.js';
import { pending, isPendingResult } from '../../../src/answer/mcp/result/pending.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { PendedCall } from '../../../src/answer/mcp/binding/cli-link.js';
import type { CallToolResult } from '../../../src/answer/mcp/result/tool-content.js';
import type { ToolWarning } from '../../../src/answer/mcp/tool/tool-events.js';
import { createDeferred } from '../../../src/util/deferred.js';

const order = tool('order', 'Orders', { article: 'string' }, ({ article }) => pending({ note: article }));

function bind(instance: unknown, more: Partial<BoundServersInput> = {}) {
  const warnings: ToolWarning[] = [];
  const servers = bindServers({
    servers: { shop: { type: 'sdk', name: 'shop', instance: instance as never } },
    notify: () => {},
    sessionId: () => 'session',
    onWarning: (warning) => void warnings.push(warning),
    ...more,
  });
  let lastId = 0;
  const send = async (method: string, params: object): Promise<CallToolResult> => {
    lastId += 1;
    const message = { jsonrpc: '2.0', id: lastId, method, params };
    const context = { requestId: `request_${lastId}`, signal: new AbortController().signal };
    const { mcp_response: reply } = await servers.answer({ server_name: 'shop', message }, context);
    return (reply as { result: CallToolResult }).result;
  };
  const call = (name: string, args: object) => send('tools/call', { name, arguments: args });
  return { call, send, warnings };
}

const textOf = ({ content }: CallToolResult): string => JSON.stringify(content);

it('is refused where nothing waits for the result: the model and the program are told', async () => {
  const { call, warnings } = bind(createSdkMcpServer({ name: 'shop', tools: [order] }).instance);
  const result = await call('order', { article: 'apples' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('The tool \\"order\\" returned pending(), but the result cannot come later');
  expect(warnings).toMatchObject([{ code: 'PENDING_REFUSED', tool: 'order', server: 'shop' }]);
});

it('is refused with the reason of the conversation', async () => {
  const { call, warnings } = bind(createSdkMcpServer({ name: 'shop', tools: [order] }).instance, {
    pend: async () => ({ refused: 'the session is not saved' }),
  });
  expect(textOf(await call('order', { article: 'apples' }))).toContain('the session is not saved');
  expect(warnings[0]?.message).toContain('the session is not saved');
});

it('is refused in a server of another library', async () => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('order', { description: 'Orders' }, () => pending({ note: 'apples' }) as never);
  const { call, send, warnings } = bind(server);
  await send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  const result = await call('order', {});
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('The tool \\"order\\" returned pending()');
  expect(textOf(result)).toContain('createSdkMcpServer()');
  expect(warnings).toMatchObject([{ code: 'PENDING_REFUSED', tool: 'order' }]);
});

it('gives the schema of the result to those who wait, and frees what its handler held', async () => {
  const pended: PendedCall[] = [];
  const result = createDeferred<CallToolResult>();
  const weigh = tool({
    name: 'weigh',
    description: 'Weighs',
    outputSchema: { grams: 'number' },
    concurrency: 'serial',
    timeoutMs: 1,
    run: () => pending(),
  });
  const { call } = bind(createSdkMcpServer({ name: 'shop', tools: [weigh] }).instance, {
    pend: async (_requestId, given) => {
      pended.push(given);
      return await result.promise;
    },
  });
  // The second one is let in although the first has no result, and neither runs into the limit of its handler.
  const both = [call('weigh', {}), call('weigh', {})];
  await expect.poll(() => pended.length).toBe(2);
  expect(pended[0]?.output).toMatchObject({
    server: 'shop',
    tool: 'weigh',
    schema: { properties: { grams: { type: 'number' } } },
  });
  result.resolve({ content: [{ type: 'text', text: 'done' }] });
  expect((await Promise.all(both)).map(textOf)).toEqual(Array(2).fill('[{"type":"text","text":"done"}]'));
});

it('refuses a note that is no text', () => {
  expect(() => pending({ note: 7 } as never)).toThrow('note is a text');
  expect(() => pending('later' as never)).toThrow('pending() takes { note }');
  expect(isPendingResult(pending())).toBe(true);
  expect(isPendingResult({ ...pending(), content: [] })).toBe(true);
  expect(isPendingResult(JSON.parse(JSON.stringify(pending())))).toBe(false);
});
