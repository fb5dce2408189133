// How soon an answer is written after the function that gives it has settled: every promise between the two costs a turn of the
// microtask queue in each call.
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { bindServers } from '../../src/answer/mcp/answer-mcp-message.js';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../src/answer/mcp/tool/tool.js';
import { PermissionQuestions } from '../../src/answer/permissions/permission-questions.js';
import { createDeferred } from '../../src/util/deferred.js';
import { Channel } from '../../src/wire/channel/channel.js';
import type { Answerer } from '../../src/wire/protocol/answer.js';
import type { CanUseTool, PermissionResult } from '../../src/wire/protocol/control/permission-question.js';

function openChannel(answerers: Record<string, Answerer>) {
  const written: string[] = [];
  const channel = new Channel({
    write: (line) => void written.push(line),
    answerers,
    onMessage: () => {},
    onWarning: () => {},
  });
  const ask = (request: object): void =>
    channel.receiveLine(JSON.stringify({ type: 'control_request', request_id: 'r1', request }));
  return { written, ask };
}

function openTools(run: (input: unknown) => unknown, extras: object = {}) {
  const servers = bindServers({
    servers: {
      s: createSdkMcpServer({ name: 's', tools: [tool('t', '', { a: 'number' }, run as never, extras)] }),
    },
    notify: () => {},
    sessionId: () => undefined,
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: { a: 1 } } };
  const { written, ask } = openChannel({
    mcp_message: (request, context) => servers.answer(request as never, context),
  });
  return { written, call: () => ask({ subtype: 'mcp_message', server_name: 's', message }) };
}

describe('an answer is written in the step in which it is there', () => {
  it('where a handler gives it at once', () => {
    const { written, call } = openTools(() => 'found');
    call();
    expect(written).toHaveLength(1);
  });

  it('where a handler promises it', async () => {
    const result = createDeferred<string>();
    const { written, call } = openTools(() => result.promise);
    call();
    await Promise.resolve();
    expect(written).toEqual([]);
    result.resolve('found');
    await Promise.resolve();
    expect(written).toHaveLength(1);
    expect(written[0]).toContain('found');
  });

  it('where a handler fails later', async () => {
    const result = createDeferred<string>();
    const { written, call } = openTools(() => result.promise);
    call();
    result.reject(new Error('no such item'));
    await Promise.resolve();
    expect(written).toHaveLength(1);
    expect(written[0]).toContain('no such item');
  });

  it('where a permission callback promises it', async () => {
    const decision = createDeferred<PermissionResult>();
    const canUseTool: CanUseTool = () => decision.promise;
    const questions = new PermissionQuestions({
      canUseTool,
      identify: () => ({ callKey: 'call_1', attempt: 1 }),
      onFailure: () => {},
      write: () => true,
    });
    const { written, ask } = openChannel({ can_use_tool: questions.answer });
    ask({ subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't1' });
    decision.resolve({ behavior: 'allow' });
    await Promise.resolve();
    expect(written).toHaveLength(1);
    expect(questions.pending).toEqual([]);
  });
});

it('answers once where a handler that promised its result is cancelled', async () => {
  const result = createDeferred<string>();
  const withdrawn = new AbortController();
  const servers = bindServers({
    servers: { s: createSdkMcpServer({ name: 's', tools: [tool('t', '', {}, () => result.promise)] }) },
    notify: () => {},
    sessionId: () => undefined,
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } };
  const reply = servers.answer({ server_name: 's', message }, { requestId: 'r1', signal: withdrawn.signal });
  withdrawn.abort(new Error('gone'));
  result.resolve('too late');
  expect(JSON.stringify(await reply)).toContain('cancelled: gone');
});

it('checks what a handler promised in the context that opened the session', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { call } = storage.run('mine', () =>
    openTools(() =>
      Promise.resolve({
        get content() {
          seen.push(storage.getStore());
          return [{ type: 'text', text: 'found' }];
        },
      }),
    ),
  );
  storage.run('another', call);
  await new Promise(setImmediate);
  expect(new Set(seen)).toEqual(new Set(['mine']));
});
