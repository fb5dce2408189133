import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AbortError, SessionClosedError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { HandlerExtra } from '../../../src/answer/mcp/tool/handler-extra.js';
import { OpenRequest } from '../../../src/wire/channel/inbound-requests.js';
import { openSession, settle, textOf, type Reply } from './session-harness.js';

const ACK = { jsonrpc: '2.0', result: {}, id: 0 };

/** A server whose handlers never end by themselves, and what they were given. */
function stubborn() {
  const contexts: HandlerExtra[] = [];
  const server = createSdkMcpServer({
    name: 's',
    tools: [
      tool('listens', '', {}, (_args, extra) => {
        contexts.push(extra);
        return new Promise((_resolve, reject) => {
          extra.signal.addEventListener('abort', () => reject(extra.signal.reason as Error));
        });
      }),
      tool('ignores', '', {}, (_args, extra) => {
        contexts.push(extra);
        return new Promise(() => {});
      }),
    ],
    resources: [{ name: 'slow', uri: 'x://slow', read: () => new Promise(() => {}) }],
  });
  return { server, contexts };
}

const callOf = (id: unknown, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: { 'claudecode/toolUseId': 'toolu_1' } },
});
const cancelOf = (requestId: unknown, reason?: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, ...(reason === undefined ? {} : { reason }) },
});

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('notifications/cancelled', () => {
  it.each(['listens', 'ignores'])(
    'ends a handler that %s: its signal fires, its call is answered once, now',
    async (name) => {
      const { server, contexts } = stubborn();
      const { put, events } = openSession({ s: server });
      const answered = vi.fn<(reply: unknown) => void>();
      const call = put(callOf(2, name)).then((reply) => {
        answered(reply);
        return reply;
      });
      await settle();
      expect(answered).not.toHaveBeenCalled();
      expect(await put(cancelOf(2, 'AbortError: remote-cancel'))).toEqual(ACK);
      const reply = await call;
      expect(reply).toMatchObject({ id: 2, result: { isError: true } });
      expect(textOf(reply)).toContain('remote-cancel');
      expect(contexts[0]?.signal.aborted).toBe(true);
      expect(contexts[0]?.signal.reason).toBeInstanceOf(AbortError);
      await settle();
      expect(answered).toHaveBeenCalledTimes(1);
      expect(events.map(({ type }) => type)).toEqual(['start', 'cancelled']);
    },
  );

  it('reaches only the call with that id, and of the same type', async () => {
    const { server } = stubborn();
    const { put, session } = openSession({ s: server });
    const done: unknown[] = [];
    const calls = [1, '1', 2].map((id) =>
      put(callOf(id, 'ignores')).then(({ id: answered }) => done.push(answered)),
    );
    await settle();
    await put(cancelOf('1'));
    await settle();
    expect(done).toEqual(['1']);
    await put(cancelOf(99));
    await put(cancelOf(undefined));
    await put({ jsonrpc: '2.0', method: 'notifications/cancelled' });
    await settle();
    expect(done).toEqual(['1']);
    session.close(new SessionClosedError());
    await Promise.all(calls);
    expect(done).toEqual(['1', 1, 2]);
  });

  it('ends two calls with the same id, each answered on its own', async () => {
    const { server } = stubborn();
    const { put } = openSession({ s: server });
    const calls = [put(callOf(7, 'ignores')), put(callOf(7, 'listens'))];
    await settle();
    await put(cancelOf(7));
    expect((await Promise.all(calls)).map(({ id }) => id)).toEqual([7, 7]);
  });

  it('stays in its own session', async () => {
    const { server } = stubborn();
    const one = openSession({ s: server });
    const two = openSession({ s: server });
    const done: string[] = [];
    const calls = [
      one.put(callOf(2, 'ignores')).then(() => done.push('one')),
      two.put(callOf(2, 'ignores')).then(() => done.push('two')),
    ];
    await settle();
    await two.put(cancelOf(2));
    await settle();
    expect(done).toEqual(['two']);
    one.session.close(new SessionClosedError());
    await Promise.all(calls);
  });

  it('comes too late for what is done', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [tool('quick', '', {}, () => 'done')] });
    const { put, events } = openSession({ s: server });
    expect(textOf(await put(callOf(2, 'quick')))).toBe('done');
    expect(await put(cancelOf(2))).toEqual(ACK);
    expect(events.map(({ type }) => type)).toEqual(['start', 'end']);
  });

  it('ends the reading of a resource', async () => {
    const { server } = stubborn();
    const { put } = openSession({ s: server });
    const reading = put({ jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'x://slow' } });
    await settle();
    await put(cancelOf(3));
    expect((await reading).error?.message).toContain('cancelled');
  });
});

describe("the carrying request's signal", () => {
  it.each(['listens', 'ignores'])('ends a handler that %s', async (name) => {
    const { server, contexts } = stubborn();
    const { put } = openSession({ s: server });
    const controller = new AbortController();
    const call = put(callOf(2, name), { signal: controller.signal });
    await settle();
    controller.abort(new AbortError('The CLI withdrew the request'));
    const reply = await call;
    expect(reply.result?.isError).toBe(true);
    expect(textOf(reply)).toContain('withdrew');
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('that has fired before the handler looks is seen by it', async () => {
    const controller = new AbortController();
    controller.abort(new AbortError('too late'));
    let seen: unknown;
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool('looks', '', {}, async (_args, { signal }) => {
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve());
          });
          seen = signal.reason;
        }),
      ],
    });
    const { put } = openSession({ s: server });
    expect((await put(callOf(1, 'looks'), { signal: controller.signal })).result?.isError).toBe(true);
    await settle();
    expect((seen as Error).message).toBe('too late');
  });

  it('is left without listeners', async () => {
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool('waits', '', {}, async (_args, { signal }) => {
          await settle();
          return signal.aborted;
        }),
      ],
    });
    const { put } = openSession({ s: server });
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    expect(textOf(await put(callOf(1, 'waits'), { signal }))).toBe('false');
    expect(add.mock.calls.length).toBeGreaterThan(0);
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });

  it.each([
    ['is quick', () => Promise.resolve('x')],
    ['takes its time', () => settle().then(() => 'x')],
  ])('is not even looked at for a handler that %s and does not ask', async (_what, handler) => {
    const server = createSdkMcpServer({ name: 's', tools: [tool('t', '', {}, handler)] });
    const { session } = openSession({ s: server });
    const look = vi.spyOn(OpenRequest.prototype, 'signal', 'get');
    await session.answer({ server_name: 's', message: callOf(1, 't') }, new OpenRequest('r', false));
    expect(look).not.toHaveBeenCalled();
    look.mockRestore();
  });

  it.each(['listens', 'ignores'])('need not exist to end a handler that %s', async (name) => {
    const { server, contexts } = stubborn();
    const { session } = openSession({ s: server });
    const request = new OpenRequest('r', false);
    const answer = session.answer({ server_name: 's', message: callOf(2, name) }, request);
    await settle();
    const reason = new AbortError('The CLI withdrew the request');
    request.cancel(reason);
    expect(textOf((await answer).mcp_response as Reply)).toContain('withdrew');
    expect(contexts[0]?.signal.reason).toBe(reason);
  });

  it('answers after everything else of the tick: who leaves at a result in the same chunk comes before it', async () => {
    const { server } = stubborn();
    const { session } = openSession({ s: server });
    const request = new OpenRequest('r', false);
    const order: string[] = [];
    const answer = Promise.resolve(
      session.answer({ server_name: 's', message: callOf(2, 'ignores') }, request),
    ).then(() => order.push('answered'));
    await settle();
    request.cancel(new AbortError('The CLI withdrew the request'));
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    order.push('left');
    await answer;
    expect(order).toEqual(['left', 'answered']);
  });

  it('answers a call that is withdrawn before its handler first waits', async () => {
    const request = new OpenRequest('r', false);
    const hasty = tool('hasty', '', {}, async () => {
      request.cancel(new AbortError('The CLI withdrew the request'));
      await new Promise(() => {});
    });
    const { session, events } = openSession({ s: createSdkMcpServer({ name: 's', tools: [hasty] }) });
    const answer = await session.answer({ server_name: 's', message: callOf(2, 'hasty') }, request);
    expect(textOf(answer.mcp_response as Reply)).toContain('withdrew');
    expect(events.map(({ type }) => type)).toEqual(['start', 'cancelled']);
  });

  it('answers a call whose handler ends the session', async () => {
    const closing = tool('closing', '', {}, async () => {
      session.close(new SessionClosedError('The host closed it'));
      await new Promise(() => {});
    });
    const { session } = openSession({ s: createSdkMcpServer({ name: 's', tools: [closing] }) });
    const request = new OpenRequest('r', false);
    const answer = await session.answer({ server_name: 's', message: callOf(2, 'closing') }, request);
    expect(textOf(answer.mcp_response as Reply)).toContain('The host closed it');
  });
});

describe('the end of the session', () => {
  it('aborts every handler with the reason and answers every call', async () => {
    const { server, contexts } = stubborn();
    const { put, session, sent } = openSession({ s: server });
    const calls = ['listens', 'ignores', 'listens'].map((name, id) => put(callOf(id, name)));
    await settle();
    const reason = new SessionClosedError('The CLI died');
    session.close(reason);
    session.close(new Error('a second time'));
    const replies = await Promise.all(calls);
    for (const reply of replies) expect(textOf(reply)).toContain('The CLI died');
    for (const { signal } of contexts) expect(signal.reason).toBe(reason);
    await expect(put({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toBe(reason);
    await expect(contexts[0]?.sendNotification({ method: 'notifications/x' })).rejects.toThrow(
      SessionClosedError,
    );
    await expect(contexts[0]?.sendRequest({ method: 'ping' })).rejects.toThrow(SessionClosedError);
    contexts[0]?.progress(1);
    expect(sent).toEqual([]);
  });

  it('fails the questions that were out', async () => {
    const server = createSdkMcpServer({
      name: 's',
      tools: [tool('asks', '', {}, (_args, { sendRequest }) => sendRequest({ method: 'roots/list' }))],
    });
    const { put, session, sent } = openSession({ s: server });
    const call = put(callOf(1, 'asks'));
    await settle();
    expect(sent).toHaveLength(1);
    session.close(new SessionClosedError());
    expect((await call).result?.isError).toBe(true);
  });
});
