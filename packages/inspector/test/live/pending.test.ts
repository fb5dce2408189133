// Pending calls of live conversations on the page: a card with everything one needs, a result by hand, and who was first.
import { describe, expect, it } from 'vitest';
import { createCalls, createSdkMcpServer, openSession, pending, tool } from '@inboard/inboard/index.js';
import { InMemorySessionStore } from '@inboard/core/record/history/store/in-memory-session-store.js';
import { createFakeCli, text, toolUse } from '@inboard/inboard/testing.js';
import type { Decision, Question } from '../../src/stream/question.js';
import { LiveScene } from '../support/live-scene.js';

const REFUND = 'mcp__shop__refund';

/** A conversation whose only call is pending, and the page that shows it. */
async function openPending(note?: string) {
  const sessionStore = new InMemorySessionStore();
  const fake = createFakeCli([toolUse(REFUND, { order: '7' }, { id: 'c1' }), text('Done.')], {
    allowEarlyEnd: true,
  });
  const scene = new LiveScene();
  const refund = tool({
    name: 'refund',
    inputSchema: { order: 'string' },
    outputSchema: { refunded: 'boolean' },
    run: () => pending(note === undefined ? {} : { note }),
  });
  const session = openSession({
    options: {
      transport: fake.transport,
      sessionStore,
      allowedTools: [REFUND],
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [refund] }) },
    },
  });
  scene.follow(session);
  const turn = session.send('Refund order 7.');
  const question = await scene.question();
  const answer = (decision: Decision, { id, session: one }: Question = question) =>
    scene.source.act({ action: 'answer', session: one, id, decision });
  return {
    fake,
    scene,
    session,
    turn,
    question,
    answer,
    sessionStore,
    async [Symbol.asyncDispose]() {
      await session.close();
      await scene[Symbol.asyncDispose]();
      await fake.close({ verify: false });
    },
  };
}

describe('a pending call', () => {
  it('is a card with tool, input, note, time and key, and goes on with a value', async () => {
    await using page = await openPending('The bank decides.');
    const { question, answer, turn, scene } = page;
    expect(question).toMatchObject({
      kind: 'pending',
      subject: REFUND,
      title: 'refund waits for its result',
      description: 'The bank decides.',
      input: { order: '7' },
      toolUseId: 'c1',
      canAnswer: true,
    });
    expect(question.callKey).toMatch(/./);
    expect(scene.source.sessions()[0]).toMatchObject({ state: 'waiting', waitsFor: ['pending'] });
    expect(await answer({ kind: 'complete', value: { refunded: true } })).toEqual({ ok: true });
    expect(await turn.text()).toBe('Done.');
    expect(await scene.eventsOf('settled')).toMatchObject([
      { id: question.id, outcome: 'completed', by: 'inspector' },
    ]);
    expect(scene.source.questions()).toEqual([]);
  });

  it('refuses a value that does not fit, and stays', async () => {
    await using page = await openPending();
    const { answer, question, scene, turn } = page;
    const refused = await answer({ kind: 'complete', value: { refunded: 'perhaps' } });
    expect(refused).toMatchObject({ ok: false, error: { code: 'CALL_VALUE' } });
    expect(await answer({ kind: 'allow' })).toMatchObject({ ok: false, error: { code: 'UNFIT_DECISION' } });
    expect(scene.source.questions()).toMatchObject([{ id: question.id }]);
    await answer({ kind: 'fail', message: 'The bank refused.' });
    await turn.outcome();
    expect(JSON.stringify(await scene.eventsOf('frame'))).toContain('The bank refused.');
    expect(await scene.eventsOf('settled')).toMatchObject([
      { outcome: 'failed', message: 'The bank refused.', by: 'inspector' },
    ]);
  });

  it('goes when another process completes it, and a late answer is refused', async () => {
    await using page = await openPending();
    const { answer, question, scene, turn, session, sessionStore } = page;
    const calls = createCalls({ sessionStore, sessionId: session.sessionId });
    await calls.complete(question.callKey as string, { refunded: true });
    await turn.outcome();
    expect(scene.source.questions()).toEqual([]);
    expect(await scene.eventsOf('settled')).toMatchObject([{ id: question.id, outcome: 'over' }]);
    expect(await answer({ kind: 'complete', value: {} })).toMatchObject({ error: { code: 'QUESTION_OVER' } });
    expect(session.state).toBe('ready');
  });
});
