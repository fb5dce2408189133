// Questions of live sessions on the page: who may answer, what becomes of edits and secrets, who was first.
import { describe, expect, it } from 'vitest';
import { allow, createApprovals, createSdkMcpServer, deny, query, tool } from '@inboard/inboard/index.js';
import { createFakeCli, text, toolUse, type FakeCli } from '@inboard/inboard/testing.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import { askHere } from '@inboard/core/live/watch/ask-here.js';
import { LiveScene } from '../support/live-scene.js';

const ran: unknown[] = [];
const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('order', 'Orders', { article: 'string', count: 'number', api_key: 'string?' }, (input) => {
      ran.push(input);
      return 'ordered';
    }),
  ],
});
const ORDER = 'mcp__shop__order';
const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

function order(fake: FakeCli, scene: LiveScene, canUseTool?: CanUseTool) {
  ran.length = 0;
  const session = query({
    prompt: 'Order.',
    options: { transport: fake.transport, mcpServers: { shop }, ...(canUseTool && { canUseTool }) },
  });
  scene.follow(session);
  return session;
}

async function finish(session: AsyncIterable<{ type: string }>): Promise<void> {
  for await (const message of session) if (message.type === 'result') return;
}

const wait: CanUseTool = async () => null;

describe('a permission question', () => {
  it('is a card with title, input, schema and suggestions, and runs the tool when it is allowed', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using scene = new LiveScene();
    const session = order(fake, scene, wait);
    const done = finish(session);
    const question = await scene.question(({ schema }) => schema !== undefined);
    expect(question).toMatchObject({ session: 's1', kind: 'permission', subject: ORDER, canAnswer: true });
    expect(question).toMatchObject({ input: { article: 'tea', count: 2 }, hidden: [], attempt: 1 });
    expect(question.schema).toMatchObject({ type: 'object', properties: { article: { type: 'string' } } });
    const result = await answer(scene, question.id, { kind: 'allow' });
    expect(result).toEqual({ ok: true });
    await done;
    expect(ran).toEqual([{ article: 'tea', count: 2 }]);
    expect(scene.settled).toEqual([question.id]);
    expect(await scene.eventsOf('settled')).toMatchObject([
      { id: question.id, outcome: 'allowed', by: 'inspector' },
    ]);
    expect(await answer(scene, question.id, { kind: 'allow' })).toMatchObject({
      ok: false,
      error: { code: 'QUESTION_OVER' },
    });
  });

  it('is denied with a reason that the model reads', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using scene = new LiveScene();
    const done = finish(order(fake, scene, wait));
    const { id } = await scene.question();
    await answer(scene, id, { kind: 'deny', message: 'Too much tea' });
    await done;
    expect(ran).toEqual([]);
    expect(await scene.eventsOf('settled')).toMatchObject([{ outcome: 'denied', message: 'Too much tea' }]);
  });

  it('runs with edits, while what is hidden and was not edited stays what it is', async () => {
    const input = { article: 'tea', count: 2, api_key: SECRET };
    await using fake = createFakeCli([toolUse(ORDER, input), text('Done.')]);
    await using scene = new LiveScene();
    const done = finish(order(fake, scene, wait));
    const { id, input: shown, hidden } = await scene.question(({ schema }) => schema !== undefined);
    expect(shown).toEqual({ article: 'tea', count: 2, api_key: '[redacted]' });
    expect(hidden).toEqual([['api_key']]);
    const hiddenEdit = { kind: 'allow', edits: [{ path: ['api_key'], value: 'mine' }] } as const;
    expect(await answer(scene, id, hiddenEdit)).toMatchObject({
      ok: false,
      error: { code: 'BAD_INPUT', issues: [{ path: ['api_key'] }] },
    });
    const wrong = { kind: 'allow', edits: [{ path: ['count'], value: 'many' }] } as const;
    expect(await answer(scene, id, wrong)).toMatchObject({
      ok: false,
      error: { code: 'BAD_INPUT', issues: [{ path: ['count'] }] },
    });
    const edits = [
      { path: ['count'], value: 3 },
      { path: ['api_key'], value: '[redacted]' },
    ];
    expect(await answer(scene, id, { kind: 'allow', edits })).toEqual({ ok: true });
    await done;
    expect(ran).toEqual([{ article: 'tea', count: 3, api_key: SECRET }]);
    expect(await scene.eventsOf('settled')).toMatchObject([{ outcome: 'allowed', isEdited: true }]);
    expect(JSON.stringify(await scene.events())).not.toContain(SECRET);
  });

  it('lets a hidden value be changed once it was revealed, and reveals nothing in read-only mode', async () => {
    const input = { article: 'tea', count: 2, api_key: SECRET };
    await using fake = createFakeCli([toolUse(ORDER, input), text('Done.')]);
    await using scene = new LiveScene();
    await using looking = new LiveScene({ isReadOnly: true });
    const session = order(fake, scene, wait);
    looking.follow(session);
    const done = finish(session);
    const { id } = await scene.question();
    expect((await looking.question()).canAnswer).toBe(false);
    const reveal = { action: 'reveal', session: 's1', id } as const;
    expect(await looking.source.act(reveal)).toMatchObject({ ok: false, error: { code: 'READ_ONLY' } });
    expect(await scene.source.act(reveal)).toEqual({ ok: true, result: input });
    await answer(scene, id, { kind: 'allow', edits: [{ path: ['api_key'], value: 'mine' }] });
    await done;
    expect(ran).toEqual([{ article: 'tea', count: 2, api_key: 'mine' }]);
    expect(looking.settled).toEqual([id]);
  });

  it('takes the first answer: the page ends a callback that still thinks', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using scene = new LiveScene();
    const reasons: unknown[] = [];
    const done = finish(
      order(fake, scene, async (_name, _input, { signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        reasons.push(signal.reason);
        return deny('Too late');
      }),
    );
    const { id } = await scene.question();
    await answer(scene, id, { kind: 'allow' });
    await done;
    expect(reasons).toMatchObject([{ name: 'AbortError', message: expect.stringContaining('inspector') }]);
    expect(ran).toHaveLength(1);
  });

  it('is told as answered by the callback where that was first', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using scene = new LiveScene();
    await finish(order(fake, scene, async () => allow()));
    expect(await scene.eventsOf('asked')).toHaveLength(1);
    expect(await scene.eventsOf('settled')).toMatchObject([{ outcome: 'allowed', by: 'callback' }]);
    expect(scene.source.questions()).toEqual([]);
  });

  it('goes when the program ends while it waits', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using scene = new LiveScene();
    const session = order(fake, scene, wait);
    const done = finish(session);
    const { id } = await scene.question();
    await session.close();
    await done;
    expect(scene.source.questions()).toEqual([]);
    expect(await scene.eventsOf('settled')).toMatchObject([{ id, outcome: 'withdrawn' }]);
    expect((await scene.eventsOf('over')).length).toBe(1);
  });

  it('is asked on the page where nobody else is there to ask, if that is wanted', async () => {
    const stop = askHere();
    try {
      await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
      await using scene = new LiveScene();
      const done = finish(order(fake, scene));
      const { id } = await scene.question();
      await answer(scene, id, { kind: 'allow' });
      await done;
      expect(ran).toHaveLength(1);
    } finally {
      stop();
    }
  });
});

describe('a queue of approvals', () => {
  it('and the question on the wire are one card, and the queue knows who answered', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using approvals = createApprovals();
    await using scene = new LiveScene();
    const done = finish(order(fake, scene, approvals.canUseTool));
    const { id } = await scene.question();
    await approvals.watch().next();
    expect(scene.source.questions()).toHaveLength(1);
    await answer(scene, id, { kind: 'allow' });
    await done;
    const [kept] = await approvals.list({ answered: true });
    expect(kept?.answer).toMatchObject({ by: 'inspector', result: { behavior: 'allow' } });
    expect(await scene.eventsOf('settled')).toMatchObject([{ id, outcome: 'allowed', by: 'inspector' }]);
  });

  it('tells the page who else answered', async () => {
    await using fake = createFakeCli([toolUse(ORDER, { article: 'tea', count: 2 }), text('Done.')]);
    await using approvals = createApprovals();
    await using scene = new LiveScene();
    const done = finish(order(fake, scene, approvals.canUseTool));
    const { value } = await approvals.watch().next();
    await approvals.answer(value?.id ?? '', deny('No tea'), { by: 'ann' });
    await done;
    expect(await scene.eventsOf('settled')).toMatchObject([
      { outcome: 'denied', by: 'ann', message: 'No tea' },
    ]);
  });

  it('has the questions of handlers, in the session whose call waits', async () => {
    await using approvals = createApprovals();
    const given: unknown[] = [];
    const pay = tool('pay', 'Pays', { amount: 'number' }, async (input, context) => {
      given.push(await approvals.ask({ title: 'Pay?', input }, context));
      return 'paid';
    });
    const bank = createSdkMcpServer({ name: 'bank', tools: [pay] });
    await using fake = createFakeCli([toolUse('mcp__bank__pay', { amount: 5 }), text('Done.')]);
    await using scene = new LiveScene();
    const options = { transport: fake.transport, mcpServers: { bank }, allowedTools: [bank] };
    const session = query({ prompt: 'Pay.', options });
    scene.follow(session);
    const done = finish(session);
    const question = await scene.question();
    expect(question).toMatchObject({ session: 's1', kind: 'held', title: 'Pay?', input: { amount: 5 } });
    const edits = [{ path: ['amount'], value: 4 }];
    expect(await answer(scene, question.id, { kind: 'allow', edits })).toEqual({ ok: true });
    await done;
    expect(given).toMatchObject([{ behavior: 'allow', updatedInput: { amount: 4 } }]);
    expect(await scene.eventsOf('settled')).toMatchObject([{ outcome: 'allowed', by: 'inspector' }]);
  });

  it('of another process is shown where it is put on the page, and goes when it was answered elsewhere', async () => {
    await using approvals = createApprovals();
    await using scene = new LiveScene({ isWhole: false });
    scene.source.addQueue(approvals);
    const asked = approvals.ask({ id: 'q1', title: 'Deploy?' });
    const { session, kind, title } = await scene.question();
    expect({ kind, title }).toEqual({ kind: 'held', title: 'Deploy?' });
    expect(scene.source.sessions()).toMatchObject([
      { id: session, title: 'Questions outside these sessions' },
    ]);
    await approvals.answer('q1', allow(), { by: 'ann' });
    await asked;
    expect(scene.source.questions()).toEqual([]);
  });
});

type Decision = Extract<Parameters<LiveScene['source']['act']>[0], { action: 'answer' }>['decision'];

function answer(scene: LiveScene, id: string, decision: Decision) {
  return scene.source.act({ action: 'answer', session: 's1', id, decision });
}
