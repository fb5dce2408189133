import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import { SessionClosedError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { ServerBinding } from '../../../src/answer/mcp/server/server-binding.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { CallToolResult } from '../../../src/answer/mcp/result/tool-content.js';
import { catalogOf } from '../../../src/answer/mcp/server/tool-server.js';
import { settle } from './session-harness.js';

function bind(): Pick<ServerBinding, 'link' | 'isIdle' | 'close'> & { answer(message: unknown): unknown } {
  const { instance } = createSdkMcpServer({
    name: 's',
    tools: [
      tool('sync', '', {}, () => 'x'),
      tool('async', '', {}, async () => 'x'),
      tool('throws', '', {}, () => {
        throw new Error('x');
      }),
      tool('hangs', '', {}, () => new Promise(() => {})),
      tool('limited', '', {}, async () => 'x', { concurrency: 1, timeoutMs: 1000 }),
    ],
    resources: [{ name: 'r', uri: 'x://r', read: () => 'x' }],
  });
  return new ServerBinding(catalogOf(instance), {
    name: 's',
    port: { scope: new AsyncResource('test'), context: undefined, sessionId: () => undefined },
    send: () => {},
  });
}

describe('a server in a session', () => {
  it('keeps nothing of a call once it is answered, however it ended', async () => {
    const binding = bind();
    const names = ['sync', 'async', 'throws', 'limited'];
    await Promise.all(
      names.map((name, id) => binding.answer({ id, method: 'tools/call', params: { name } })),
    );
    await binding.answer({ id: 5, method: 'resources/read', params: { uri: 'x://r' } });
    expect(binding.link.calls.size).toBe(0);
    const hanging = binding.answer({ id: 6, method: 'tools/call', params: { name: 'hangs' } });
    await settle();
    expect([binding.link.calls.size, binding.isIdle]).toEqual([1, false]);
    binding.answer({ method: 'notifications/cancelled', params: { requestId: 6 } });
    await hanging;
    expect([binding.link.calls.size, binding.isIdle]).toEqual([0, true]);
  });

  it('answers at once where nothing is asynchronous', () => {
    const binding = bind();
    expect(binding.answer({ id: 1, method: 'tools/call', params: { name: 'sync' } })).toEqual({
      result: { content: [{ type: 'text', text: 'x' }] },
      jsonrpc: '2.0',
      id: 1,
    });
  });

  const MEGABYTES = 'x'.repeat(2_000_000);
  it.each<[string, CallToolResult | string, boolean]>([
    ['a short text', 'x', false],
    ['a long text', MEGABYTES, true],
    ['a long error', { isError: true, content: [{ type: 'text', text: MEGABYTES }] }, true],
    ['long structured content', { content: [], structuredContent: { rows: [MEGABYTES] } }, true],
    ['short structured content', { content: [], structuredContent: { rows: [1] } }, false],
    [
      'a long resource',
      { content: [{ type: 'resource', resource: { uri: 'x://r', text: MEGABYTES } }] },
      true,
    ],
  ])('says of %s whether the answer will be long: %#', async (_name, result, isLong) => {
    const { instance } = createSdkMcpServer({ name: 's', tools: [tool('list', '', {}, () => result)] });
    const binding = new ServerBinding(catalogOf(instance), {
      name: 's',
      port: { scope: new AsyncResource('test'), context: undefined, sessionId: () => undefined },
      send: () => {},
    });
    const expectLong = vi.fn();
    const carrier = { requestId: 'r', signal: new AbortController().signal, watch: () => {}, expectLong };
    await binding.answer({ id: 1, method: 'tools/call', params: { name: 'list' } }, carrier);
    expect(expectLong).toHaveBeenCalledTimes(isLong ? 1 : 0);
  });

  it('refuses everything once it is closed', () => {
    const binding = bind();
    const reason = new SessionClosedError('done');
    binding.close(reason);
    expect(() => binding.answer({ id: 1, method: 'ping' })).toThrow(reason);
  });
});
