import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionClosedError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { EVERY_KIND } from './foreign-servers.js';
import { openSession } from './session-harness.js';

const method = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'prompts/get',
    '__proto__',
    'constructor',
  ),
  fc.string(),
  fc.jsonValue(),
);
const id = fc.oneof(
  fc.constantFrom(0, -1, 1.5, '', 'server-1', null, true),
  fc.integer(),
  fc.string(),
  fc.jsonValue(),
);
const meta = fc.oneof(
  fc.record(
    {
      progressToken: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      'claudecode/toolUseId': fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);
const params = fc.oneof(
  fc.record(
    {
      name: fc.oneof(fc.constantFrom('echo', 'nope', '__proto__', 'toString'), fc.jsonValue()),
      arguments: fc.oneof(fc.record({ nonce: fc.string() }), fc.jsonValue()),
      _meta: meta,
      cursor: fc.jsonValue(),
      uri: fc.oneof(fc.string(), fc.webUrl(), fc.jsonValue()),
      requestId: fc.jsonValue(),
      reason: fc.jsonValue(),
      protocolVersion: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);
const rpcish = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
    id,
    method,
    params,
    result: fc.jsonValue(),
    error: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const garbage = fc.oneof(
  { weight: 8, arbitrary: rpcish },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.array(rpcish, { maxLength: 3 }) },
);

// Far more turns of the event loop than any answer here needs.
async function within<T>(promise: Promise<T>): Promise<T | 'hung'> {
  const state = { isDone: false };
  const watched = promise.finally(() => {
    state.isDone = true;
  });
  watched.catch(() => {});
  for (let turn = 0; turn < 200 && !state.isDone; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  return state.isDone ? watched : 'hung';
}

describe.each(EVERY_KIND)('anything at all put to a server ($kind)', ({ create }) => {
  it('gets exactly one answer, under its own id, or one refusal', async () => {
    const { put, session } = openSession({ demo: create({ held: new Map() }) });
    // The first message loads what speaks with foreign servers, in more turns than an answer may take.
    await put({ jsonrpc: '2.0', id: 'before', method: 'ping' });
    await fc.assert(
      fc.asyncProperty(garbage, async (message) => {
        const outcome = await within(
          put(message).then(
            (reply) => ({ reply }),
            (error: Error) => ({ error }),
          ),
        );
        expect(outcome).not.toBe('hung');
        if (outcome === 'hung' || 'error' in outcome) return;
        const { reply } = outcome;
        expect(() => JSON.stringify(reply)).not.toThrow();
        expect('result' in reply !== 'error' in reply).toBe(true);
        const asked = message as { id?: unknown; method?: unknown };
        const isRequest =
          typeof message === 'object' &&
          !Array.isArray(message) &&
          (typeof asked?.id === 'string' || typeof asked?.id === 'number') &&
          typeof asked.method === 'string';
        if (isRequest) expect(reply.id).toBe(asked.id);
      }),
      { numRuns: 400 },
    );
    const after = await put({ jsonrpc: '2.0', id: 'after', method: 'ping' });
    expect(after).toMatchObject({ id: 'after', result: {} });
    session.close(new SessionClosedError());
  });
});

describe('anything at all sent by a foreign server', () => {
  it('harms no session', async () => {
    let send: (message: unknown, options?: unknown) => Promise<void> = async () => {};
    const instance = {
      async connect(transport: never) {
        send = (message, options) =>
          (transport as { send(message: unknown, options: unknown): Promise<void> }).send(message, options);
        Object.assign(transport, {
          onmessage: ({ id: asked }: { id?: unknown }) =>
            void send({ jsonrpc: '2.0', id: asked, result: {} }),
        });
      },
    };
    const { ask } = openSession({ f: { type: 'sdk', name: 'f', instance } });
    await ask('ping');
    await fc.assert(
      fc.asyncProperty(rpcish, fc.option(fc.integer({ min: 0, max: 3 })), async (message, related) => {
        await within(
          send(message, related === null ? undefined : { relatedRequestId: related }).catch(() => {}),
        );
        expect((await ask('ping')).result).toEqual({});
      }),
      { numRuns: 200 },
    );
  });
});

describe('any order of calls, releases, cancellations and the end', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('call' as const), id: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ do: fc.constant('release' as const), index: fc.nat(9) }),
    fc.record({ do: fc.constant('fail' as const), index: fc.nat(9) }),
    fc.record({ do: fc.constant('cancel' as const), id: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ do: fc.constant('withdraw' as const), index: fc.nat(9) }),
  );

  it.each([undefined, 1, 2])(
    'leaves every call answered once and every gate open (concurrency %s)',
    async (concurrency) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const running: { settle: (error?: Error) => void; signal: AbortSignal }[] = [];
          const server = createSdkMcpServer({
            name: 's',
            ...(concurrency === undefined ? {} : { concurrency }),
            tools: [
              tool(
                'hold',
                '',
                {},
                (_args, { signal }) =>
                  new Promise<string>((resolve, reject) => {
                    running.push({ signal, settle: (error) => (error ? reject(error) : resolve('done')) });
                  }),
              ),
            ],
          });
          const { put, session, events } = openSession({ s: server });
          const calls: { answers: number; controller: AbortController; reply: Promise<unknown> }[] = [];
          for (const one of steps) {
            if (one.do === 'call') {
              const controller = new AbortController();
              const call = { answers: 0, controller, reply: Promise.resolve() as Promise<unknown> };
              call.reply = put(
                { jsonrpc: '2.0', id: one.id, method: 'tools/call', params: { name: 'hold' } },
                { signal: controller.signal },
              ).then((reply) => {
                call.answers += 1;
                expect(reply.id).toBe(one.id);
              });
              calls.push(call);
            } else if (one.do === 'cancel') {
              await put({ method: 'notifications/cancelled', params: { requestId: one.id } });
            } else if (one.do === 'withdraw') {
              calls[one.index]?.controller.abort(new Error('withdrawn'));
            } else {
              running[one.index]?.settle(one.do === 'fail' ? new Error('failed') : undefined);
            }
            if (one.do !== 'call') await new Promise((resolve) => setImmediate(resolve));
          }
          session.close(new SessionClosedError());
          await Promise.all(calls.map(({ reply }) => reply));
          expect(calls.every(({ answers }) => answers === 1)).toBe(true);
          const starts = events.filter(({ type }) => type === 'start');
          const ends = events.filter(
            ({ type }) => type === 'end' || type === 'error' || type === 'cancelled',
          );
          expect([starts.length, ends.length]).toEqual([calls.length, calls.length]);
          // Whatever happened before, the gate lets the next one in.
          const next = openSession({ s: server });
          const before = running.length;
          const reply = next.call('hold');
          while (running.length === before) await Promise.resolve();
          running.at(-1)?.settle();
          expect((await reply).result?.isError).toBeUndefined();
        }),
        { numRuns: 60 },
      );
    },
  );
});
