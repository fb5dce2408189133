import { describe, expect, it } from 'vitest';
import { SessionClosedError } from '../../../src/errors.js';
import { EVERY_KIND, type Workshop } from './foreign-servers.js';
import { openSession, textOf, type Harness } from './session-harness.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'cli', version: '1' },
};

async function shakeHands({ ask, put }: Harness) {
  const initialized = await ask('initialize', INITIALIZE);
  await put({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const listed = await ask('tools/list');
  return [initialized.result?.['protocolVersion'], listed.result?.tools?.length];
}

describe.each(EVERY_KIND)('one server ($kind) for many sessions', ({ create }) => {
  it('serves 100 at the same time: every handshake, no reply crossed, all with the same ids', async () => {
    const workshop: Workshop = { held: new Map() };
    const server = create(workshop);
    const sessions = Array.from({ length: 100 }, () => openSession({ demo: server }));
    expect(await Promise.all(sessions.map(shakeHands))).toEqual(sessions.map(() => ['2025-11-25', 4]));
    const call = (session: Harness, id: unknown, name: string, nonce: string) =>
      session.put({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { nonce } } });
    const holding = sessions.map((session, n) => call(session, 2, 'hold', `nonce-${n}`));
    const echoing = sessions.map((session, n) => call(session, 3, 'echo', `nonce-${n}`));
    expect((await Promise.all(echoing)).map((reply) => [reply.id, textOf(reply)])).toEqual(
      sessions.map((_, n) => [3, `echo nonce-${n}`]),
    );
    await waitUntil(() => workshop.held.size === 100);
    for (const { release } of [...workshop.held.values()].toReversed()) release();
    expect((await Promise.all(holding)).map((reply) => [reply.id, textOf(reply)])).toEqual(
      sessions.map((_, n) => [2, `held nonce-${n}`]),
    );
    for (const { session, sent } of sessions) {
      expect(sent).toEqual([]);
      session.close(new SessionClosedError());
    }
  });

  it('serves 100 one after another', async () => {
    const server = create({ held: new Map() });
    for (let n = 0; n < 100; n += 1) {
      const harness = openSession({ demo: server });
      expect(await shakeHands(harness)).toEqual(['2025-11-25', 4]);
      expect(textOf(await harness.call('echo', { nonce: `nonce-${n}` }))).toBe(`echo nonce-${n}`);
      harness.session.close(new SessionClosedError());
    }
  });

  it('brings progress to the session it belongs to, with the token that session gave', async () => {
    const server = create({ held: new Map() });
    const sessions = Array.from({ length: 10 }, () => openSession({ demo: server }));
    const replies = await Promise.all(
      // The same id and token everywhere: only the rewriting keeps them apart.
      sessions.map(({ put }, n) =>
        put({
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'report', arguments: { nonce: `nonce-${n}` }, _meta: { progressToken: 'token' } },
        }),
      ),
    );
    expect(replies.map(textOf)).toEqual(sessions.map((_, n) => `reported nonce-${n}`));
    sessions.forEach(({ sent, events }, n) => {
      expect(sent.map(({ message }) => message.params)).toEqual([
        { progressToken: 'token', progress: 1, message: `nonce-${n}` },
        { progressToken: 'token', progress: 2, message: `nonce-${n}` },
      ]);
      expect(events.map(({ type }) => type)).toEqual(['start', 'progress', 'progress', 'end']);
    });
  });

  it('cancels in one session what another goes on with', async () => {
    const workshop: Workshop = { held: new Map() };
    const server = create(workshop);
    const [one, two] = [openSession({ demo: server }), openSession({ demo: server })];
    const call = (session: Harness, nonce: string) =>
      session.put({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'hold', arguments: { nonce } },
      });
    const replies = [call(one, 'one'), call(two, 'two')];
    await waitUntil(() => workshop.held.size === 2);
    await one.put({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2, reason: 'enough' },
    });
    const cancelled = await replies[0];
    expect(cancelled).toMatchObject({ id: 2, result: { isError: true } });
    expect(one.events.map(({ type }) => type)).toEqual(['start', 'cancelled']);
    await waitUntil(() => workshop.held.get('one')?.signal.aborted === true);
    expect(workshop.held.get('two')?.signal.aborted).toBe(false);
    workshop.held.get('two')?.release();
    expect(textOf((await replies[1]) as never)).toBe('held two');
  });

  it('aborts the handlers of a session that ends, and only those', async () => {
    const workshop: Workshop = { held: new Map() };
    const server = create(workshop);
    const [one, two] = [openSession({ demo: server }), openSession({ demo: server })];
    const replies = [one.call('hold', { nonce: 'one' }), two.call('hold', { nonce: 'two' })];
    await waitUntil(() => workshop.held.size === 2);
    one.session.close(new SessionClosedError('gone'));
    expect((await replies[0])?.result?.isError).toBe(true);
    await waitUntil(() => workshop.held.get('one')?.signal.aborted === true);
    expect(workshop.held.get('two')?.signal.aborted).toBe(false);
    workshop.held.get('two')?.release();
    expect(textOf((await replies[1]) as never)).toBe('held two');
  });

  it('puts its questions to the session that is being served', async () => {
    const server = create({ held: new Map() });
    const sessions = Array.from({ length: 5 }, () => openSession({ demo: server }));
    const replies = sessions.map(({ put }, n) =>
      put({
        jsonrpc: '2.0',
        id: 0,
        method: 'tools/call',
        params: { name: 'ask', arguments: { nonce: `nonce-${n}` } },
      }),
    );
    await waitUntil(() => sessions.every(({ sent }) => sent.length === 1));
    await Promise.all(
      sessions.map(async ({ sent, put }, n) => {
        const message: Record<string, unknown> = sent[0]?.message ?? {};
        expect(message['method']).toBe('elicitation/create');
        expect((message['params'] as { message: string }).message).toBe(`nonce-${n}`);
        // Any answer to a wrong id must not reach the handler, nor be taken for the call's own.
        await put({ jsonrpc: '2.0', id: 0, result: { action: 'wrong' } });
        await put({ jsonrpc: '2.0', id: message['id'], result: { action: `answer-${n}` } });
      }),
    );
    expect((await Promise.all(replies)).map((reply) => [reply.id, textOf(reply)])).toEqual(
      sessions.map((_, n) => [0, `nonce-${n} answer-${n}`]),
    );
  });

  it('may sit in one session under two names', async () => {
    const server = create({ held: new Map() });
    const { ask, session } = openSession({ a: server, b: server });
    const params = (nonce: string) => ({ name: 'echo', arguments: { nonce } });
    expect(textOf(await ask('tools/call', params('1'), 'a'))).toBe('echo 1');
    expect(textOf(await ask('tools/call', params('2'), 'b'))).toBe('echo 2');
    session.close(new SessionClosedError());
  });

  it('echoes ids of any kind and does not mind a missing jsonrpc', async () => {
    const { put } = openSession({ demo: create({ held: new Map() }) });
    for (const id of ['str', '', 0, -5, 1.5]) {
      const reply = await put({
        id,
        method: 'tools/call',
        params: { name: 'echo', arguments: { nonce: 'n' } },
      });
      expect([reply.id, textOf(reply)]).toEqual([id, 'echo n']);
    }
  });
});
