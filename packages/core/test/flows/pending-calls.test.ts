// A conversation whose calls are pending: completed while its CLI waits, after it is gone, by the next host; withdrawn when the
// turn is stopped; refused where there are no records.
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createCalls,
  createSdkMcpServer,
  createSessionGroup,
  InMemorySessionStore,
  openSession,
  pending,
  tool,
  type InboardWarning,
  type Options,
  type PendingCall,
  type Session,
  type SessionToolEvent,
} from '@inboard/inboard/index.js';
import { createFakeCli, text, toolUse, type FakeScriptItem } from '@inboard/inboard/testing.js';
import { findProjectKey } from '../../src/record/history/store/stored-entries.js';
import type { CallFact } from '../../src/wire/protocol/config/call-records.js';
import { BEGUN, COVERED, createCutStore, SESSION } from './completed/cut-session.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const PAY = 'mcp__shop__pay';
const SCRIPT = [toolUse(PAY, { order: '7' }), text('Done.')];

function createShop(ran: string[] = []): NonNullable<Options['mcpServers']> {
  const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
    ran.push(order);
    return pending({ note: `order ${order}` });
  });
  return { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) };
}

function open(options: Options & { sessionStore?: InMemorySessionStore }, script: readonly FakeScriptItem[] = SCRIPT) {
  const fake = createFakeCli(script, { allowEarlyEnd: true });
  const events: SessionToolEvent[] = [];
  const warnings: InboardWarning[] = [];
  const session = openSession({
    options: {
      transport: fake.transport,
      allowedTools: [PAY],
      onToolEvent: (event) => void events.push(event),
      onWarning: (warning) => void warnings.push(warning),
      mcpServers: createShop(),
      ...options,
    },
    ...(options.resume !== undefined && { interrupted: 'continue' as const }),
  });
  onTestFinished(async () => {
    await session.close();
    await fake.close({ verify: false });
  });
  return { session, fake, events, warnings };
}

async function untilPending(store: InMemorySessionStore, session: Session): Promise<PendingCall> {
  let found: PendingCall | undefined;
  await waitUntil(async () => {
    const { sessionId } = session;
    if (sessionId === undefined) return false;
    [found] = await createCalls({ sessionStore: store, sessionId }).list();
    return found !== undefined;
  });
  return found as PendingCall;
}

const resultsOf = (entries: unknown): string => JSON.stringify(entries);

describe('a call that is pending while its CLI waits', () => {
  it('gets the value it is completed with, once, and is shown meanwhile', async () => {
    const sessionStore = new InMemorySessionStore();
    const { session, fake, events } = open({ sessionStore });
    const turn = session.send('Pay.');
    const call = await untilPending(sessionStore, session);
    expect(call).toMatchObject({ toolName: PAY, input: { order: '7' }, note: 'order 7' });
    expect(events.at(-1)).toMatchObject({ type: 'pending', callKey: call.callKey, note: 'order 7' });
    const calls = createCalls({ sessionStore, sessionId: call.sessionId });
    await calls.complete(call.callKey, { paid: true }, { by: 'bank' });
    expect(await turn.text()).toBe('Done.');
    expect(resultsOf(fake.log)).toContain('paid');
    const facts = await sessionStore
      .calls({ projectKey: await findProjectKey(process.cwd()), sessionId: call.sessionId })
      .load();
    expect(facts.filter(({ type }) => type === 'ended')).toMatchObject([{ by: 'bank' }]);
  });

  it('gets an error it is failed with', async () => {
    const sessionStore = new InMemorySessionStore();
    const { session, events } = open({ sessionStore });
    const turn = session.send('Pay.');
    const { callKey, sessionId } = await untilPending(sessionStore, session);
    await createCalls({ sessionStore, sessionId }).fail(callKey, new Error('No money'));
    expect(await turn.text()).toBe('Done.');
    expect(events.at(-1)).toMatchObject({ type: 'error', error: new Error('No money') });
  });

  it.each(['interrupt', 'close'] as const)('is withdrawn by %s()', async (end) => {
    const sessionStore = new InMemorySessionStore();
    const { session } = open({ sessionStore });
    const turn = session.send('Pay.');
    const { callKey, sessionId } = await untilPending(sessionStore, session);
    const calls = createCalls({ sessionStore, sessionId });
    turn.outcome().catch(() => {});
    await session[end]();
    await waitUntil(async () => (await calls.list()).length === 0);
    await expect(calls.complete(callKey, 'late')).rejects.toMatchObject({ code: 'CALL_ENDED' });
  });

  it('stays pending after abandon()', async () => {
    const sessionStore = new InMemorySessionStore();
    const { session } = open({ sessionStore });
    session.send('Pay.').outcome().catch(() => {});
    const { callKey, sessionId } = await untilPending(sessionStore, session);
    await session.abandon();
    const calls = createCalls({ sessionStore, sessionId });
    expect((await calls.list()).map((call) => call.callKey)).toEqual([callKey]);
    await calls.complete(callKey, 'paid');
  });

  it('lets other conversations of its group run', async () => {
    const sessionStore = new InMemorySessionStore();
    const fake = createFakeCli(
      async ({ firstPrompt }) => ((await firstPrompt) === 'Pay.' ? SCRIPT : [text('Quick.')]),
      { allowEarlyEnd: true },
    );
    const group = createSessionGroup({
      maxRunning: 1,
      options: { transport: fake.transport, sessionStore, mcpServers: createShop(), allowedTools: [PAY] },
    });
    onTestFinished(async () => {
      await group.closeAll();
      await fake.close({ verify: false });
    });
    const payer = group.open({ key: 'payer' });
    const paying = payer.send('Pay.');
    const { callKey, sessionId } = await untilPending(sessionStore, payer);
    expect(await group.open({ key: 'other' }).send('Quick?').text()).toBe('Quick.');
    await createCalls({ sessionStore, sessionId }).complete(callKey, 'paid');
    expect(await paying.text()).toBe('Done.');
  });
});

const KEY = BEGUN.type === 'begun' ? BEGUN.callKey : '';
const PENDING: CallFact = {
  type: 'pending',
  callKey: KEY,
  note: 'order 7',
  output: { server: 'shop', tool: 'pay' },
  at: 4,
};

describe('a call whose host died while it was pending', () => {
  it('is waited for by the next host, and its handler does not run again', async () => {
    const { store: sessionStore, key } = await createCutStore([COVERED, BEGUN, PENDING]);
    const ran: string[] = [];
    const { session, fake } = open({ sessionStore, resume: SESSION, mcpServers: createShop(ran) }, [text('Done.')]);
    const turn = await session.continued;
    expect(turn).toBeDefined();
    expect(fake.sessions).toHaveLength(0);
    await createCalls({ sessionStore, sessionId: SESSION }).complete(KEY, 'paid');
    const outcome = await turn?.outcome();
    expect(outcome?.completedCalls).toMatchObject([{ how: 'recorded', delivered: true }]);
    expect([ran, resultsOf(await sessionStore.load(key))]).toEqual([[], expect.stringContaining('paid')]);
  });

  it('delivers what it was completed with before', async () => {
    const { store: sessionStore, key } = await createCutStore([COVERED, BEGUN, PENDING]);
    await createCalls({ sessionStore, sessionId: SESSION }).complete(KEY, 'paid by night');
    const { session } = open({ sessionStore, resume: SESSION }, [text('Done.')]);
    expect(await (await session.continued)?.text()).toBe('Done.');
    expect(resultsOf(await sessionStore.load(key))).toContain('paid by night');
  });

  it('is withdrawn when the turn that waits without a CLI is interrupted', async () => {
    const { store: sessionStore, key } = await createCutStore([COVERED, BEGUN, PENDING]);
    const records = sessionStore.calls(key);
    let isWatched = false;
    sessionStore.calls = () => ({
      ...records,
      watch: (onChange) => {
        isWatched = true;
        return records.watch?.(onChange) ?? (() => {});
      },
    });
    const { session } = open({ sessionStore, resume: SESSION }, [text('Done.')]);
    const turn = await session.continued;
    await waitUntil(() => isWatched);
    await session.interrupt();
    expect((await turn?.outcome())?.ok).toBe(false);
    expect(resultsOf(await sessionStore.load(key))).toContain('The turn was stopped before it came');
    const calls = createCalls({ sessionStore, sessionId: SESSION });
    await expect(calls.complete(KEY, 'late')).rejects.toMatchObject({ code: 'CALL_ENDED' });
  });

  it('is withdrawn when the turn is interrupted before it waits', async () => {
    const { store: sessionStore } = await createCutStore([COVERED, BEGUN, PENDING]);
    const { session } = open({ sessionStore, resume: SESSION }, [text('Done.')]);
    const turn = await session.continued;
    await session.interrupt();
    expect((await turn?.outcome())?.ok).toBe(false);
    const calls = createCalls({ sessionStore, sessionId: SESSION });
    await waitUntil(async () => (await calls.list()).length === 0);
  });

  it('is withdrawn when the conversation goes on without it', async () => {
    const { store: sessionStore } = await createCutStore([COVERED, BEGUN, PENDING]);
    const fake = createFakeCli([text('Hello.')], { allowEarlyEnd: true });
    await using session = openSession({
      options: { transport: fake.transport, sessionStore, resume: SESSION, mcpServers: createShop() },
    });
    expect(await session.send('Something else.').text()).toBe('Hello.');
    const calls = createCalls({ sessionStore, sessionId: SESSION });
    expect(await calls.list()).toEqual([]);
    await expect(calls.complete(KEY, 'late')).rejects.toMatchObject({ code: 'CALL_ENDED' });
    await fake.close({ verify: false });
  });
});

it.each([
  ['a session that is not saved', { persistSession: false }, 'the session is not saved'],
  ['a transport without a store', {}, 'there is no "sessionStore"'],
])('is refused in %s', async (_what, options, reason) => {
  const { session, fake, warnings } = open(options);
  expect(await session.send('Pay.').text()).toBe('Done.');
  const told = resultsOf(fake.log);
  expect(told).toContain('returned pending(), but the result cannot come later');
  expect(told).toContain(reason.split('"')[0]);
  expect(warnings.find(({ code }) => code === 'PENDING_REFUSED')?.message).toContain(reason);
});
