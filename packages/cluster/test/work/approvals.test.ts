// Questions to people in a cluster: held, parked, answered from elsewhere, asked by tools.
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { createCluster } from '../../src/create-cluster.js';
import { checkHistory } from '../../src/journal/check-history.js';
import type { Agent } from '../../src/work/host/agents.js';
import { JournalSource } from '@inboard/inspector/sources/journal/journal-source.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { nextRound } from '@inboard/core/util/timers.js';
import { askPermission, send } from '@inboard/testing/fake-cli/script/build-steps.js';
import { reply, text, toolUse } from '@inboard/testing/script/reply.js';
import type { Journal } from '../../src/journal/journal.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { told, WorkerScene } from './worker-scene.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });
const onWarning = (): void => {};
const SAY = ({ answer }: { answer: { text: string } }) => text(answer.text);

function shop(runs: unknown[] = []) {
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    run: ({ order }) => {
      runs.push(order);
      return `paid ${order}`;
    },
  });
  return createSdkMcpServer({ name: 'shop', tools: [pay] });
}

async function answer(scene: WorkerScene, behavior: 'allow' | 'deny' = 'allow'): Promise<void> {
  const [question] = await scene.journal.questions();
  const result = behavior === 'allow' ? { behavior } : { behavior, message: 'No.' };
  await scene.journal.answer(question?.id ?? '', { result, answeredAt: 0, by: 'ann' });
  await scene.dispatcher.wake('chat');
}

describe('a question', () => {
  it('waits for its answer while the CLI is held', async () => {
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop() } });
    const worker = await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(async () => (await scene.journal.questions()).length === 1);
    await answer(scene);
    expect((await scene.ended(id)).outcome?.text).toBe('paid 7');
    expect(scene.opened).toHaveLength(1);
    expect(told(worker, 'turn-parked')).toEqual([]);
  });

  it('can be answered only once its call is in the transcript, where the next worker looks for it', async () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'mcp__shop__pay' }],
    };
    const script = [
      ({ args }: { args: readonly string[] }) => {
        const sessionId = args[args.indexOf('--session-id') + 1];
        return send({
          type: 'transcript_mirror',
          filePath: `/home/x/.claude/projects/-x/${sessionId}.jsonl`,
          entries: [{ type: 'assistant', uuid: 'a', message }],
        });
      },
      askPermission('mcp__shop__pay', { order: 7 }),
      text('Done.'),
    ];
    await using scene = new WorkerScene([script], { mcpServers: { shop: shop() } });
    const stored = createDeferred<void>();
    const order: string[] = [];
    const journal: Journal = {
      ...scene.journal,
      ask: async (...given) => {
        order.push('question');
        return await scene.journal.ask(...given);
      },
      store: (fence) => {
        const store = scene.journal.store(fence);
        return {
          ...store,
          append: async (...given) => {
            order.push('call reported');
            await stored.promise;
            await store.append(...given);
            order.push('call stored');
          },
        };
      },
    };
    await scene.work({}, { journal });
    const id = await scene.send('Pay');
    await waitUntil(() => order.length > 0);
    for (let round = 0; round < 20; round += 1) await nextRound();
    expect(order).toEqual(['call reported']);
    stored.resolve();
    await waitUntil(async () => (await scene.journal.questions()).length === 1);
    expect(order).toEqual(['call reported', 'call stored', 'question']);
    await answer(scene);
    expect((await scene.ended(id)).outcome?.text).toBe('Done.');
  });

  it('frees the CLI, the place and the lease while there is no answer, and goes on when one comes', async () => {
    const runs: unknown[] = [];
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop(runs) }, onWarning });
    const worker = await scene.work({ suspendAfterMs: 10 });
    const id = await scene.send('Pay');
    await waitUntil(() => told(worker, 'released').length === 1);
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'parked', tries: 0 });
    expect(worker.worker.stats()).toMatchObject({ running: 0, warm: 0, parked: 1 });
    expect((await scene.journal.stats()).leases).toBe(0);
    await answer(scene);
    expect((await scene.ended(id)).outcome?.text).toBe('paid 7');
    expect(runs).toEqual([7]);
    expect(told(worker, 'trouble')).toEqual([]);
  });

  it('is parked with others, and one answer lets the turn go on to the other', async () => {
    const both = reply(CALL, toolUse('mcp__shop__pay', { order: 8 }));
    await using scene = new WorkerScene([[both, text('Done.')]], { mcpServers: { shop: shop() } });
    const worker = await scene.work({ suspendAfterMs: 10 });
    const id = await scene.send('Pay');
    for (const times of [1, 2]) {
      // Once it has been given back: before that an answer would be taken while the CLI is held.
      await waitUntil(() => told(worker, 'released').length === times);
      await answer(scene);
    }
    expect((await scene.ended(id)).outcome?.text).toBe('Done.');
    expect(told(worker, 'turn-parked')).toHaveLength(2);
  });

  it('is parked although its tool takes its time to check the input', async () => {
    const inputSchema = z.object({ order: z.number().refine(async (order) => order > 0) });
    const pay = tool({ name: 'pay', description: 'Pays', inputSchema, run: ({ order }) => `paid ${order}` });
    const server = createSdkMcpServer({ name: 'shop', tools: [pay] });
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: server }, onWarning });
    const worker = await scene.work({ suspendAfterMs: 10 });
    const id = await scene.send('Pay');
    await waitUntil(() => told(worker, 'released').length === 1);
    await answer(scene);
    expect((await scene.ended(id)).outcome?.text).toBe('paid 7');
  });

  it('is denied by a person alone', async () => {
    const runs: unknown[] = [];
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop(runs) } });
    await scene.work({ suspendAfterMs: 10 });
    const id = await scene.send('Pay');
    await waitUntil(async () => (await scene.journal.turn('chat', id))?.state === 'parked');
    await answer(scene, 'deny');
    expect((await scene.ended(id)).outcome?.text).toContain('No.');
    expect(runs).toEqual([]);
  });

  it('of a tool is asked again where it was, although its outcome would be unknown', async () => {
    const asked: string[] = [];
    const agent: Agent = ({ approvals }) => {
      const pay = tool({
        name: 'pay',
        description: 'Pays',
        inputSchema: { order: 'number' },
        run: async ({ order }, extra) => {
          asked.push(extra.callKey);
          const { behavior } = await approvals.ask({ title: `Pay ${order}?` }, extra);
          return behavior;
        },
      });
      const server = createSdkMcpServer({ name: 'shop', tools: [pay] });
      return { mcpServers: { shop: server }, allowedTools: [server] };
    };
    await using scene = new WorkerScene([[CALL, SAY]], agent);
    const worker = await scene.work({ suspendAfterMs: 10 });
    const id = await scene.send('Pay');
    await waitUntil(() => told(worker, 'released').length === 1);
    await answer(scene);
    expect((await scene.ended(id)).outcome?.text).toBe('allow');
    expect(asked).toHaveLength(2);
    expect(new Set(asked).size).toBe(1);
    expect(told(worker, 'call-repeated')).toEqual([]);
  });

  it('of an agent before it has returned its options is refused at once, and says where to ask', async () => {
    const refused: unknown[] = [];
    const agent: Agent = async ({ approvals }) => {
      await approvals.ask({ id: 'early', title: 'May I begin?' }).catch((error: unknown) => {
        refused.push(error);
        throw error;
      });
      return {};
    };
    await using scene = new WorkerScene([[text('Hi')]], agent);
    const worker = await scene.work();
    const id = await scene.send('Hello');
    expect((await scene.ended(id)).outcome).toMatchObject({
      ok: false,
      error: { code: 'INVALID_OPTIONS', message: expect.stringContaining('handler of a tool') as string },
    });
    expect(refused).toMatchObject([{ name: 'InvalidOptionsError', options: ['approvals'] }]);
    expect(told(worker, 'trouble')).toHaveLength(1);
    expect(await scene.journal.questions()).toEqual([]);
  });

  it('is parked at once by a worker that has to end', async () => {
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop() } });
    const { worker } = await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(async () => (await scene.journal.questions()).length === 1);
    await worker.drain();
    expect((await scene.journal.turn('chat', id))?.state).toBe('parked');
  });
});

describe('an answer with an input that the tool would refuse', () => {
  const MANY = { behavior: 'allow', updatedInput: { order: 'many' } } as const;
  const RIGHT = { behavior: 'allow', updatedInput: { order: 8 } } as const;
  const open = async (scene: WorkerScene) => (await scene.journal.questions())[0];
  const clusterOf = (scene: WorkerScene) =>
    createCluster({ agents: { helper: () => ({}) }, journal: scene.journal, dispatcher: scene.dispatcher });

  it('is refused in the process of the worker, and the question stays open', async () => {
    const runs: unknown[] = [];
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop(runs) } });
    await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(async () => (await open(scene)) !== undefined);
    const { approvals } = clusterOf(scene);
    const asked = await open(scene);
    await expect(approvals.answer(asked?.id ?? '', MANY)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      options: ['updatedInput'],
      message: expect.stringContaining('The question stays open') as string,
    });
    expect(await open(scene)).toEqual(asked);
    expect(await approvals.answer(asked?.id ?? '', RIGHT)).toBe(true);
    expect((await scene.ended(id)).outcome?.text).toBe('paid 8');
    expect(runs).toEqual([8]);
  });

  it('is refused on the page of the cluster in that process, too', async () => {
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop() } });
    await scene.work();
    const id = await scene.send('Pay');
    await waitUntil(async () => (await open(scene)) !== undefined);
    const source = await JournalSource.open({ journal: scene.journal, title: 'page', isReadOnly: false });
    onTestFinished(() => source.close());
    const question = (await open(scene))?.id ?? '';
    const decide = (value: number | string) =>
      source.act({
        action: 'answer',
        session: 'chat',
        id: question,
        decision: { kind: 'allow', edits: [{ path: ['order'], value }] },
      });
    expect(await decide('many')).toMatchObject({ ok: false, error: { code: 'INVALID_OPTIONS' } });
    expect((await open(scene))?.id).toBe(question);
    expect(await decide(8)).toEqual({ ok: true });
    expect((await scene.ended(id)).outcome?.text).toBe('paid 8');
  });

  it.each(['x', [1], 7, true])(
    'is refused without its tool where it is no input at all: %j',
    async (input) => {
      await using scene = new WorkerScene([[]]);
      await expect(
        clusterOf(scene).approvals.answer('q', { behavior: 'allow', updatedInput: input as never }),
      ).rejects.toMatchObject({ code: 'INVALID_OPTIONS', options: ['updatedInput'] });
    },
  );

  it.each([
    ['held', 60_000],
    ['parked', 10],
  ])('that another process gives is asked about again, with the reason: %s', async (_how, suspendAfterMs) => {
    const runs: unknown[] = [];
    await using scene = new WorkerScene([[CALL, SAY]], { mcpServers: { shop: shop(runs) }, onWarning });
    const worker = await scene.work({ suspendAfterMs });
    const isParked = suspendAfterMs === 10;
    const id = await scene.send('Pay');
    const seen: string[] = [];
    // Answers go to the journal, as from a process that has no tools; the second one is wrong, too.
    for (const result of [MANY, { behavior: 'allow', updatedInput: 'x' as never } as const, RIGHT]) {
      await waitUntil(async () => {
        const asked = await open(scene);
        const state = (await scene.journal.turn('chat', id))?.state;
        return asked !== undefined && !seen.includes(asked.id) && (!isParked || state === 'parked');
      });
      const asked = await open(scene);
      seen.push(asked?.id ?? '');
      expect(asked?.input).toEqual({ order: 7 });
      if (seen.length > 1)
        expect(asked?.decisionReason).toMatch(/asked again, because the last answer changed/);
      if (isParked) await waitUntil(() => told(worker, 'released').length === seen.length);
      await scene.journal.answer(asked?.id ?? '', { result, answeredAt: 0 });
      await scene.dispatcher.wake('chat');
    }
    expect((await scene.ended(id)).outcome?.text).toBe('paid 8');
    expect(runs).toEqual([8]);
    expect(new Set(seen).size).toBe(3);
    expect(told(worker, 'turn-parked')).toHaveLength(isParked ? 3 : 0);
    // What a journal promises about answers holds: each question has one, and it is kept.
    const history = await scene.journal.history('chat');
    const violations = history ? checkHistory([history]) : [];
    expect(violations.filter(({ promise }) => promise === 'G11')).toEqual([]);
  });
});
