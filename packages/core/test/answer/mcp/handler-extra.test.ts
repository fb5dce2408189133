import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { HandlerExtra } from '../../../src/answer/mcp/tool/handler-extra.js';
import type { ToolEvent } from '../../../src/answer/mcp/tool/tool-events.js';
import { openSession, settle, textOf, type Harness } from './session-harness.js';

const META = { 'claudecode/toolUseId': 'toolu_1', progressToken: 42 };

/** A server with one tool that hands its context out. */
function spying(handle: (extra: HandlerExtra) => unknown, context?: unknown) {
  return createSdkMcpServer({
    name: 'inner',
    context,
    tools: [tool('spy', '', {}, (_args, extra) => handle(extra))],
  });
}

describe("a handler's second argument", () => {
  it('says which call it serves', async () => {
    let extra: HandlerExtra | undefined;
    const server = spying((given) => {
      extra = given;
    });
    const { put } = openSession({ demo: server }, { agentIdOf: (id) => `agent of ${id}` });
    await put({ id: 9, method: 'tools/call', params: { name: 'spy', _meta: META } });
    expect(extra).toMatchObject({
      requestId: 9,
      toolUseId: 'toolu_1',
      sessionId: 'session-1',
      agentId: 'agent of toolu_1',
      server: 'demo',
      tool: 'spy',
      _meta: META,
      authInfo: undefined,
      requestInfo: undefined,
    });
    expect(extra?.signal).toBeInstanceOf(AbortSignal);
    expect(extra?.signal.aborted).toBe(false);
    expect(extra?.signal).toBe(extra?.signal);
  });

  it('survives being taken apart and being spread', async () => {
    const server = spying(async (extra) => {
      const { progress, sendNotification, signal } = extra;
      const copy = { ...extra };
      progress(1);
      await sendNotification({ method: 'notifications/x' });
      copy.progress(2);
      return [copy.signal === signal, copy.requestId, Object.keys(copy).includes('signal')];
    });
    const { put, sent } = openSession({ demo: server });
    const reply = await put({ id: 3, method: 'tools/call', params: { name: 'spy', _meta: META } });
    expect(textOf(reply)).toBe('[true,3,true]');
    expect(sent.map(({ message }) => message.method)).toEqual([
      'notifications/progress',
      'notifications/x',
      'notifications/progress',
    ]);
  });

  it('lacks what the request does not say', async () => {
    let extra: HandlerExtra | undefined;
    const server = spying((given) => {
      extra = given;
    });
    const { ask } = openSession({ demo: server }, { sessionId: () => undefined });
    await ask('tools/call', { name: 'spy', _meta: 5 });
    expect(extra).toMatchObject({
      toolUseId: undefined,
      agentId: undefined,
      sessionId: undefined,
      _meta: undefined,
    });
  });

  it.each([
    [undefined, undefined, undefined],
    [{ a: 1 }, undefined, { a: 1 }],
    [undefined, { b: 2 }, { b: 2 }],
    [{ a: 1, b: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, 'query', 'query'],
  ])('has the context of server %o and query %o as %o', async (ofServer, ofQuery, merged) => {
    let seen: unknown;
    const server = spying((extra) => {
      seen = extra.context;
    }, ofServer);
    const { call } = openSession({ demo: server }, { context: ofQuery });
    await call('spy');
    expect(seen).toEqual(merged);
  });

  it('has the very object of the query when only the query has one', async () => {
    const context = { live: true };
    let seen: unknown;
    const server = spying((extra) => {
      seen = extra.context;
    });
    await openSession({ demo: server }, { context }).call('spy');
    expect(seen).toBe(context);
  });
});

describe('the asynchronous context', () => {
  it('inside a handler is that of the code that started the query, not of the code that reads the pipe', async () => {
    const storage = new AsyncLocalStorage<string>();
    const server = spying(async () => {
      const before = storage.getStore();
      await Promise.resolve();
      return `${before} ${storage.getStore()}`;
    });
    const sessions = ['one', 'two'].map((name) => storage.run(name, () => openSession({ demo: server })));
    const replies = await storage.run('pipe', () => Promise.all(sessions.map(({ call }) => call('spy'))));
    expect(replies.map(textOf)).toEqual(['one one', 'two two']);
    expect(storage.getStore()).toBeUndefined();
  });
});

describe('progress and log', () => {
  it('reach the host as events, progress the CLI too', async () => {
    const server = spying(({ progress, log }) => {
      progress(1);
      progress({ progress: 2, total: 3, message: 'm' });
      progress('third');
      log('plain');
      log('warning', { code: 5 });
      return 'ok';
    });
    const { call, events, sent } = openSession({ demo: server });
    await call('spy', {}, META);
    expect(events.map(({ type }) => type)).toEqual([
      'start',
      'progress',
      'progress',
      'progress',
      'log',
      'log',
      'end',
    ]);
    expect(events[2]).toEqual({
      server: 'demo',
      tool: 'spy',
      toolName: 'mcp__demo__spy',
      requestId: 101,
      toolUseId: 'toolu_1',
      type: 'progress',
      progress: 2,
      total: 3,
      message: 'm',
    });
    expect(events[3]).toMatchObject({ progress: 3, message: 'third' });
    expect(events[4]).toMatchObject({ level: 'info', data: 'plain' });
    expect(events[5]).toMatchObject({ level: 'warning', data: { code: 5 } });
    expect(sent.map(({ server: name, message }) => [name, message])).toEqual([
      [
        'demo',
        { method: 'notifications/progress', params: { progressToken: 42, progress: 1 }, jsonrpc: '2.0' },
      ],
      [
        'demo',
        {
          method: 'notifications/progress',
          params: { progressToken: 42, progress: 2, total: 3, message: 'm' },
          jsonrpc: '2.0',
        },
      ],
      [
        'demo',
        {
          method: 'notifications/progress',
          params: { progressToken: 42, progress: 3, message: 'third' },
          jsonrpc: '2.0',
        },
      ],
    ]);
  });

  it('without a token stays with the host, and after the end nobody hears of it', async () => {
    let extra: HandlerExtra | undefined;
    const server = spying((given) => {
      extra = given;
      given.progress(1);
    });
    const { call, events, sent } = openSession({ demo: server });
    await call('spy');
    extra?.progress(2);
    expect(sent).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['start', 'progress', 'end']);
  });

  it('cannot be hurt by a pipe that refuses, nor by a listener that throws', async () => {
    const server = spying(({ progress }) => {
      progress(1);
      return 'fine';
    });
    const { call, warnings } = openSession(
      { demo: server },
      {
        notify: () => Promise.reject(new Error('pipe')),
        onToolEvent: () => {
          throw new Error('listener');
        },
      },
    );
    expect(textOf(await call('spy', {}, META))).toBe('fine');
    await settle();
    expect(warnings.map(({ code }) => code)).toEqual(['LISTENER_FAILED']);
  });
});

describe('generators', () => {
  const run = async (make: () => unknown) => {
    const server = createSdkMcpServer({ name: 's', tools: [tool('steps', '', {}, make)] });
    const harness = openSession({ s: server });
    const reply = await harness.call('steps');
    const progress = harness.events.filter((event) => event.type === 'progress');
    return { reply, progress: progress.map(({ progress: n, message }) => message ?? n) };
  };

  it('yield progress and return the result', async () => {
    const { reply, progress } = await run(async function* () {
      yield 'one';
      yield { progress: 2, total: 3 };
      await Promise.resolve();
      yield 3;
      return { done: true };
    });
    expect(progress).toEqual(['one', 2, 3]);
    expect(textOf(reply)).toBe('{"done":true}');
  });

  it('that return nothing have the last thing they yielded as result, unless it is progress', async () => {
    const last = await run(async function* () {
      yield 'working';
      yield { answer: 42 };
    });
    expect(textOf(last.reply)).toBe('{"answer":42}');
    const nothing = await run(async function* () {
      yield { progress: 1, total: 1 };
    });
    expect(textOf(nothing.reply)).toBe('The tool completed with no output.');
  });

  it('may be synchronous, or come out of a promise, or be any async iterable', async () => {
    const sync = await run(function* () {
      yield 'a';
      return 'b';
    });
    expect([sync.progress, textOf(sync.reply)]).toEqual([['a'], 'b']);
    const late = await run(async () => ({
      [Symbol.asyncIterator]: () => {
        const values = ['x', 'y'];
        return { next: async () => ({ done: values.length === 0, value: values.shift() }) };
      },
    }));
    expect([late.progress, textOf(late.reply)]).toEqual([['x', 'y'], 'y']);
  });

  it('that throw fail the call', async () => {
    const { reply, progress } = await run(async function* () {
      yield 'so far';
      throw new Error('no further');
    });
    expect(progress).toEqual(['so far']);
    expect(reply.result).toEqual({ content: [{ type: 'text', text: 'no further' }], isError: true });
  });

  it('are stopped, with their finally, when the call is cancelled', async () => {
    let stopped = false;
    let resume: () => void = () => {};
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool('steps', '', {}, async function* () {
          try {
            for (;;) {
              await new Promise<void>((resolve) => {
                resume = resolve;
              });
              yield 'step';
            }
          } finally {
            stopped = true;
          }
        }),
      ],
    });
    const { put } = openSession({ s: server });
    const call = put({ id: 1, method: 'tools/call', params: { name: 'steps' } });
    await settle();
    resume();
    await settle();
    await put({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await call).result?.isError).toBe(true);
    resume();
    await settle();
    expect(stopped).toBe(true);
  });
});

describe('requests to the CLI', () => {
  const asking = () =>
    spying(async ({ sendRequest }) => {
      const answer = await sendRequest({ method: 'elicitation/create', params: { message: 'm' } });
      return answer;
    });

  it('have ids of their own and are never taken for answers to calls', async () => {
    const { put, sent } = openSession({ demo: asking() });
    const first = put({ id: 1, method: 'tools/call', params: { name: 'spy' } });
    await settle();
    expect(sent[0]?.message).toEqual({
      method: 'elicitation/create',
      params: { message: 'm' },
      jsonrpc: '2.0',
      id: expect.stringMatching(/^server-\d+$/),
    });
    // A call under the very id of the question that waits.
    const id = sent[0]?.message.id;
    const second = put({ id, method: 'tools/call', params: { name: 'spy' } });
    await settle();
    const ack = { jsonrpc: '2.0', result: {}, id: 0 };
    expect(await put({ jsonrpc: '2.0', id, result: { action: 'accept' } })).toEqual(ack);
    expect(textOf(await first)).toBe('{"action":"accept"}');
    expect(await put({ jsonrpc: '2.0', id: sent[1]?.message.id, result: { action: 'decline' } })).toEqual(
      ack,
    );
    expect(await second).toMatchObject({ id, result: { content: [{ text: '{"action":"decline"}' }] } });
  });

  it('that are refused reject in the handler', async () => {
    const { put, sent, call } = openSession({ demo: asking() });
    const reply = call('spy');
    await settle();
    await put({
      jsonrpc: '2.0',
      id: sent[0]?.message.id,
      error: { code: -32601, message: 'Method not found' },
    });
    expect(textOf(await reply)).toContain('Method not found (-32601)');
  });

  it('that cannot be written reject in the handler', async () => {
    const { call } = openSession(
      { demo: asking() },
      { notify: () => Promise.reject(new Error('pipe is gone')) },
    );
    expect(textOf(await call('spy'))).toBe('pipe is gone');
  });

  it('can be given up, which the CLI is told', async () => {
    const controller = new AbortController();
    const server = spying(({ sendRequest }) =>
      sendRequest({ method: 'roots/list' }, undefined, { signal: controller.signal }),
    );
    const { call, sent } = openSession({ demo: server });
    const reply = call('spy');
    await settle();
    controller.abort();
    expect((await reply).result?.isError).toBe(true);
    expect(sent[1]?.message).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: sent[0]?.message.id },
    });
  });

  it.each<[string, (harness: Harness, id: unknown, controller: AbortController) => unknown]>([
    ['answered', ({ put }, id) => put({ jsonrpc: '2.0', id, result: {} })],
    ['refused', ({ put }, id) => put({ jsonrpc: '2.0', id, error: { code: 1, message: 'No.' } })],
    ['given up', (_, __, controller) => controller.abort()],
    ['overtaken by the end of the session', ({ session }) => session.close(new Error('over'))],
  ])('leave no listener on their signal when they are %s', async (_, end) => {
    const controller = new AbortController();
    const { signal } = controller;
    const server = spying(({ sendRequest }) => sendRequest({ method: 'ping' }, undefined, { signal }));
    const harness = openSession({ demo: server });
    const replied = harness.call('spy');
    await settle();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await end(harness, harness.sent[0]?.message.id, controller);
    await replied;
    await settle();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leave no listener on their signal when they cannot be written', async () => {
    const { signal } = new AbortController();
    const server = spying(({ sendRequest }) => sendRequest({ method: 'ping' }, undefined, { signal }));
    const { call } = openSession({ demo: server }, { notify: () => Promise.reject(new Error('gone')) });
    expect(textOf(await call('spy'))).toBe('gone');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('check the answer with the schema they were given', async () => {
    const parser = { parse: (value: unknown) => `parsed ${JSON.stringify(value)}` };
    const server = spying(({ sendRequest }) => sendRequest({ method: 'ping' }, parser));
    const { call, put, sent } = openSession({ demo: server });
    const reply = call('spy');
    await settle();
    await put({ jsonrpc: '2.0', id: sent[0]?.message.id, result: {} });
    expect(textOf(await reply)).toBe('parsed {}');
  });
});

describe('tool events', () => {
  it('are one start and one ending per call, whatever happens', async () => {
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool('ok', '', { n: 'number' }, ({ n }) => n),
        tool('throws', '', {}, () => {
          throw new TypeError('boom');
        }),
        tool('failed', '', {}, () => ({ content: [{ type: 'text', text: 'reported' }], isError: true })),
      ],
    });
    const events: ToolEvent[] = [];
    const { call } = openSession({ s: server }, { onToolEvent: (event) => events.push(event) });
    await call('ok', { n: 1 }, META);
    await call('ok', { n: 'x' });
    await call('throws');
    await call('failed');
    expect(events.map(({ type }) => type)).toEqual([
      'start',
      'end',
      'start',
      'error',
      'start',
      'error',
      'start',
      'error',
    ]);
    expect(events[0]).toMatchObject({
      type: 'start',
      input: { n: 1 },
      toolUseId: 'toolu_1',
      toolName: 'mcp__s__ok',
    });
    expect(events[1]).toMatchObject({ type: 'end', result: { content: [{ text: '1' }] } });
    expect((events[1] as { durationMs: number }).durationMs).toBeGreaterThanOrEqual(0);
    expect(events[5]).toMatchObject({ error: expect.any(TypeError) });
    expect(events[7]).toMatchObject({ error: { message: 'reported' } });
  });
});

describe('output schemas', () => {
  const server = createSdkMcpServer({
    name: 's',
    tools: [tool('plain', '', { value: 'any' }, ({ value }) => value, { outputSchema: { n: 'number' } })],
  });
  const returning = (value: unknown) => openSession({ s: server }).call('plain', { value });

  it('validate the value and send it as structuredContent beside its JSON', async () => {
    expect((await returning({ n: 1 })).result).toEqual({
      content: [{ type: 'text', text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
  });

  it.each([[{ n: 'x' }], [{}], ['text'], [[1]], [null]])(
    'fail the call for %o, naming tool and field',
    async (value) => {
      const reply = await returning(value);
      expect(reply.result?.isError).toBe(true);
      expect(reply.result?.['structuredContent']).toBeUndefined();
      expect(textOf(reply)).toMatch(/"plain".*outputSchema/);
    },
  );

  it('check the structuredContent of a full result, and want one', async () => {
    const whole = { content: [{ type: 'text', text: 'see' }], structuredContent: { n: 2 } };
    expect((await returning(whole)).result).toEqual(whole);
    expect((await returning({ ...whole, structuredContent: { n: 'x' } })).result?.isError).toBe(true);
    expect(textOf(await returning({ content: [{ type: 'text', text: 'only text' }] }))).toContain(
      'without structuredContent',
    );
    const failed = { content: [{ type: 'text', text: 'no' }], isError: true };
    expect((await returning(failed)).result).toEqual(failed);
  });

  it('warn once that the CLI hides the text', async () => {
    const { call, warnings } = openSession({ s: server });
    const value = { content: [{ type: 'text', text: 'hidden' }], structuredContent: { n: 2 } };
    await call('plain', { value });
    await call('plain', { value });
    expect(warnings.map(({ code }) => code)).toEqual(['TOOL_TEXT_HIDDEN']);
  });
});
