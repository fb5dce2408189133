// Calls that were cut off, in a cluster: each gets its true result from a model that never makes a call again.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import type { RepeatPolicy } from '@inboard/core/answer/mcp/tool/repeat-policy.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import type { ConversationHistory, Fence } from '../../src/journal/records.js';
import { checkHistory } from '../../src/journal/check-history.js';
import type { HistoryExpectation } from '../../src/journal/checks/history-rule.js';
import type { Agent } from '../../src/work/host/agents.js';
import { CLUSTER_PROJECT_KEY } from '../../src/work/session/lease-store.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, text } from '@inboard/testing/script/reply.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { cutOff, type Gone, type MadeCall } from './cut-off.js';
import { told, WorkerScene, type SceneWorker } from './worker-scene.js';

afterEach(() => void vi.restoreAllMocks());

const DONE = text('Done.');
/** The fake CLI does not tell its own. */
const claudeCodeVersion = '2.1.325';
const UNKNOWN = /unknown|not known/i;

function shop(runs: unknown[], { onRepeat, run }: { onRepeat?: RepeatPolicy; run?: () => unknown } = {}) {
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    ...(onRepeat && { onRepeat }),
    run: async ({ order }) => {
      runs.push(order);
      await run?.();
      return `paid ${order}`;
    },
  });
  return createSdkMcpServer({ name: 'shop', tools: [pay] });
}

const PAY: MadeCall = { id: 'toolu_1', name: 'mcp__shop__pay', input: { order: 7 } };
const PAY_OTHER: MadeCall = { id: 'toolu_2', name: 'mcp__shop__pay', input: { order: 8 } };
const SHELL: MadeCall = { id: 'toolu_3', name: 'Bash', input: { command: 'make' } };

async function answer(
  scene: WorkerScene,
  callKey: string,
  result: PermissionResult = { behavior: 'allow' },
): Promise<void> {
  const { taken } = await scene.journal.answer(callKey, { result, answeredAt: 0, by: 'ann' });
  expect(taken).toBe(true);
  await scene.dispatcher.wake('chat');
}

async function read(scene: WorkerScene, expectation: HistoryExpectation = {}): Promise<ConversationHistory> {
  const history = (await scene.journal.history('chat')) as ConversationHistory;
  expect(checkHistory([history], expectation)).toEqual([]);
  return history;
}

interface Result {
  tool_use_id: string;
  content: unknown;
  is_error?: boolean;
}

function resultsIn(message: unknown): Result[] {
  const { content } = (isRecord(message) ? message : {}) as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).filter(
    (block): block is Result => isRecord(block) && block['type'] === 'tool_result',
  );
}

/** The results in the transcript, as texts. */
function transcriptResults({ entries }: ConversationHistory): string[] {
  return entries.flatMap(({ entry }) =>
    resultsIn((entry as { message?: unknown }).message).map(({ content }) => JSON.stringify(content)),
  );
}

/** The results among the events, as texts. */
function eventResults({ events }: ConversationHistory): string[] {
  return events.flatMap((event) =>
    event.type === 'message' && isRecord(event.message)
      ? resultsIn(event.message['message']).map(({ content }) => JSON.stringify(content))
      : [],
  );
}

function noted({ events }: ConversationHistory): unknown[] {
  return events.flatMap((event) =>
    event.type === 'message' &&
    isRecord(event.message) &&
    event.message['subtype'] === 'inboard_completed_calls'
      ? (event.message['calls'] as unknown as unknown[])
      : [],
  );
}

const ANSWERS = [
  { name: 'allowed', result: { behavior: 'allow' }, runs: [7], shown: 'paid 7', how: 'ran' },
  {
    name: 'edited',
    result: { behavior: 'allow', updatedInput: { order: 9 } },
    runs: [9],
    shown: 'paid 9',
    how: 'ran',
  },
  {
    name: 'denied',
    result: { behavior: 'deny', message: 'Not today.' },
    runs: [],
    shown: 'Not today.',
    how: 'denied',
  },
] as const;

describe('a call that a person was asked about', () => {
  it.each(
    ANSWERS.flatMap((each) =>
      ['while it was parked', 'before its worker was killed', 'after that'].map((when) => ({
        ...each,
        when,
      })),
    ),
  )('gets its result when it is $name $when', async ({ result, runs, shown, how, when }) => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran) }, claudeCodeVersion });
    const { id, keyOf } = await cutOff(scene, [PAY], async (gone) => {
      await gone.ask(PAY);
      if (when === 'before its worker was killed') await answer(scene, gone.keyOf(PAY), result);
      if (when === 'while it was parked') await gone.park(PAY);
    });
    if (when === 'while it was parked') await answer(scene, keyOf(PAY), result);
    const worker = await scene.work();
    if (when === 'after that') {
      await waitUntil(() => told(worker, 'leased').length === 1);
      await answer(scene, keyOf(PAY), result);
    }
    const { outcome } = await scene.ended(id);
    expect(outcome).toMatchObject({ ok: true, text: 'Done.', completedCalls: [{ how, delivered: true }] });
    expect(ran).toEqual(runs);
    const history = await read(scene);
    expect(transcriptResults(history)).toEqual([expect.stringContaining(shown)]);
    expect(eventResults(history)).toEqual([expect.stringContaining(shown)]);
    expect(noted(history)).toMatchObject([{ how, delivered: true, toolName: 'mcp__shop__pay' }]);
    expect(told(worker, 'call-completed')).toMatchObject([{ how, delivered: true, turn: id }]);
    expect(told(worker, 'trouble')).toEqual([]);
    expect(scene.opened).toHaveLength(1);
  });

  it('gets its result in the next attempt where it cannot be completed in the first', async () => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran) }, claudeCodeVersion });
    const { id, keyOf } = await cutOff(scene, [PAY], async (gone) => {
      await gone.ask(PAY);
      await gone.park(PAY);
    });
    await answer(scene, keyOf(PAY));
    // As often as one attempt tries.
    let failures = 4;
    const createStore = scene.journal.store.bind(scene.journal);
    scene.journal.store = (fence) => {
      const store = createStore(fence);
      const open = store.calls?.bind(store);
      store.calls = (key) => {
        const records = open?.(key) as CallRecords;
        return {
          readOnly: true,
          add: (fact) => records.add(fact),
          load: () => records.load(),
          claim: async (wanted) => {
            failures -= 1;
            if (failures >= 0) throw new Error('The database is away');
            return await records.claim(wanted);
          },
        };
      };
      return store;
    };
    const worker = await scene.work();
    const { outcome, tries } = await scene.ended(id);
    expect(outcome).toMatchObject({
      ok: true,
      text: 'Done.',
      completedCalls: [{ how: 'ran', delivered: true }],
    });
    expect(tries).toBe(2);
    expect(ran).toEqual([7]);
    expect(transcriptResults(await read(scene))).toEqual([expect.stringContaining('paid 7')]);
    expect(told(worker, 'trouble')).toMatchObject([
      { where: 'cli', error: { cause: { code: 'CALLS_NOT_COMPLETED' } } },
    ]);
    expect(scene.opened).toHaveLength(1);
  });

  it('ends the turn when its denial says so, in one try, and the transcript says so', async () => {
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop([]) }, claudeCodeVersion });
    const { id, keyOf } = await cutOff(scene, [PAY], async (gone) => {
      await gone.ask(PAY);
      await gone.park(PAY);
    });
    await answer(scene, keyOf(PAY), { behavior: 'deny', message: 'Stop it.', interrupt: true });
    const worker = await scene.work();
    const { outcome, attempt, tries } = await scene.ended(id);
    expect(outcome).toMatchObject({
      kind: 'interrupted',
      turnCostUsd: 0.25,
      completedCalls: [{ how: 'denied' }],
    });
    expect({ attempt, tries }).toEqual({ attempt: 2, tries: 1 });
    expect(told(worker, 'trouble')).toEqual([]);
    const history = await read(scene);
    expect(transcriptResults(history)).toEqual([expect.stringContaining('rejected')]);
    expect(eventResults(history)).toEqual([expect.stringContaining('rejected')]);
  });
});

describe('calls of one message', () => {
  it('run as they are allowed, and the turn is parked for the others without a CLI', async () => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran) }, claudeCodeVersion });
    const { id, keyOf } = await cutOff(scene, [PAY, PAY_OTHER], async (gone) => {
      await gone.ask(PAY);
      await gone.ask(PAY_OTHER);
      await gone.park(PAY, PAY_OTHER);
    });
    await answer(scene, keyOf(PAY));
    const worker = await scene.work({ suspendAfterMs: 10 });
    await waitUntil(() => told(worker, 'released').length === 1);
    expect(await scene.journal.turn('chat', id)).toMatchObject({
      state: 'parked',
      tries: 0,
      turnCostUsd: 0.25,
    });
    expect(ran).toEqual([7]);
    expect(scene.opened).toEqual([]);
    expect(transcriptResults(await read(scene, { settled: false }))).toEqual([]);
    await answer(scene, keyOf(PAY_OTHER));
    const { outcome, tries } = await scene.ended(id);
    expect(outcome).toMatchObject({ ok: true, completedCalls: [{ how: 'recorded' }, { how: 'ran' }] });
    expect({ ran, tries }).toEqual({ ran: [7, 8], tries: 1 });
    expect(transcriptResults(await read(scene)).join()).toMatch(/paid 7.*paid 8/);
    expect(scene.opened).toHaveLength(1);
  });

  it('that wait for a person without a CLI end with an interruption', async () => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran) }, claudeCodeVersion });
    const { id } = await cutOff(scene, [PAY], (gone) => gone.ask(PAY));
    const worker = await scene.work();
    await waitUntil(() => told(worker, 'leased').length === 1);
    await waitUntil(async () => (await scene.journal.questions())[0]?.attempt === 2);
    await scene.journal.interrupt('chat');
    expect((await scene.ended(id)).outcome).toMatchObject({
      kind: 'interrupted',
      completedCalls: [{ how: 'notRun' }],
    });
    expect(await scene.journal.questions()).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('that wait for a person without a CLI are parked by a worker that has to end', async () => {
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop([]) }, claudeCodeVersion });
    const { id } = await cutOff(scene, [PAY], (gone) => gone.ask(PAY));
    const { worker } = await scene.work();
    await waitUntil(async () => (await scene.journal.questions())[0]?.attempt === 2);
    await worker.drain();
    // Its first worker died with it: that try stays.
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'parked', tries: 1, turnCostUsd: 0 });
    expect(scene.opened).toEqual([]);
  });
});

describe('a call that had begun', () => {
  it.each([
    { onRepeat: undefined, runs: [], shown: UNKNOWN, how: 'unknown' },
    { onRepeat: 'unknown', runs: [], shown: UNKNOWN, how: 'unknown' },
    { onRepeat: 'recorded', runs: [9], shown: /paid 9/, how: 'ran' },
    { onRepeat: 'run', runs: [9], shown: /paid 9/, how: 'ran' },
  ] as const)(
    'and is lost follows onRepeat $onRepeat, with the input that was agreed on',
    async ({ onRepeat, runs, shown, how }) => {
      const ran: unknown[] = [];
      const server = shop(ran, onRepeat && { onRepeat });
      await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: server } });
      const { id } = await cutOff(scene, [PAY], (gone) => gone.begin(PAY, { order: 9 }));
      await scene.work();
      expect((await scene.ended(id)).outcome).toMatchObject({
        ok: true,
        completedCalls: [{ how, delivered: true }],
      });
      expect(ran).toEqual(runs);
      expect(transcriptResults(await read(scene))).toEqual([expect.stringMatching(shown)]);
    },
  );

  it('and runs again is ended by an interruption, as soon as its handler hears of that', async () => {
    const begun = createDeferred<void>();
    const pay = tool({
      name: 'pay',
      description: 'Pays',
      inputSchema: { order: 'number' },
      onRepeat: 'run',
      run: async (_input, { signal }) => {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return 'stopped';
      },
    });
    const server = createSdkMcpServer({ name: 'shop', tools: [pay] });
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: server }, claudeCodeVersion });
    const { id } = await cutOff(scene, [PAY], (gone) => gone.begin(PAY));
    await scene.work();
    await begun.promise;
    // Without the time limit of a CLI that does not stop.
    const { setTimeout } = globalThis;
    const limits = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((run: () => void, ms?: number) => setTimeout(ms === 10_000 ? () => {} : run, ms));
    await scene.journal.interrupt('chat');
    expect((await scene.ended(id)).outcome).toMatchObject({ kind: 'interrupted' });
    expect(limits.mock.calls.map(([, ms]) => ms)).toContain(10_000);
    expect((await read(scene)).turns.map(({ outcome }) => outcome?.kind)).toEqual(['interrupted']);
  });

  it('and ended gets its recorded result, whatever onRepeat says', async () => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran, { onRepeat: 'run' }) } });
    const { id } = await cutOff(scene, [PAY], async (gone) => {
      await gone.begin(PAY);
      const result = { content: [{ type: 'text', text: 'paid before' }] };
      await scene.journal.endCall(gone.fence, gone.keyOf(PAY), result);
    });
    await scene.work();
    expect((await scene.ended(id)).outcome).toMatchObject({
      completedCalls: [{ how: 'recorded', delivered: true }],
    });
    expect(ran).toEqual([]);
    expect(transcriptResults(await read(scene))).toEqual([expect.stringContaining('paid before')]);
  });

  it('and waited for a person inside runs from the start, with the answer', async () => {
    const asked: string[] = [];
    const agent: Agent = ({ approvals }) => {
      const pay = tool({
        name: 'pay',
        description: 'Pays',
        inputSchema: { order: 'number' },
        run: async ({ order }, extra) => {
          asked.push(extra.callKey);
          const { behavior } = await approvals.ask({ title: `Pay ${order}?` }, extra);
          return `person: ${behavior}`;
        },
      });
      const server = createSdkMcpServer({ name: 'shop', tools: [pay] });
      return { mcpServers: { shop: server }, allowedTools: [server] };
    };
    await using scene = new WorkerScene([[DONE]], agent);
    const { id, keyOf } = await cutOff(scene, [PAY], async (gone) => {
      await gone.begin(PAY);
      await scene.journal.endCall(gone.fence, gone.keyOf(PAY), 'inboard:waiting-for-person');
    });
    const worker = await scene.work({ suspendAfterMs: 10 });
    await waitUntil(() => told(worker, 'released').length === 1);
    expect(scene.opened).toEqual([]);
    const [question] = await scene.journal.questions();
    await answer(scene, question?.id ?? '');
    expect((await scene.ended(id)).outcome).toMatchObject({ ok: true, completedCalls: [{ how: 'ran' }] });
    expect(asked).toEqual([keyOf(PAY), keyOf(PAY)]);
    // Marks that it waits are kept in the place of a result.
    const history = await read(scene, { repeatable: ['pay'] });
    expect(transcriptResults(history)).toEqual([expect.stringContaining('person: allow')]);
  });
});

describe('a tool of the CLI', () => {
  it('that is allowed while its turn is parked is to be called again; one that its CLI may have run is left alone', async () => {
    for (const isParked of [true, false]) {
      await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop([]) }, claudeCodeVersion });
      const { id, keyOf } = await cutOff(scene, [SHELL], async (gone) => {
        await gone.ask(SHELL);
        if (isParked) await gone.park(SHELL);
        else await answer(scene, gone.keyOf(SHELL));
      });
      if (isParked) await answer(scene, keyOf(SHELL));
      const worker = await scene.work();
      const how = isParked ? 'notRun' : 'unknown';
      expect((await scene.ended(id)).outcome).toMatchObject({
        ok: true,
        completedCalls: [{ how, allowed: true, by: 'ann', delivered: isParked }],
      });
      const shown = isParked
        ? [expect.stringContaining('allowed now (by ann): make the same call again')]
        : [];
      expect(transcriptResults(await read(scene))).toEqual(shown);
      expect(told(worker, 'call-completed')).toMatchObject([{ how, allowed: true, delivered: isParked }]);
      expect(await scene.journal.questions()).toEqual([]);
    }
  });

  it('that is denied while its turn is parked gets the denial', async () => {
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop([]) }, claudeCodeVersion });
    const { id, keyOf } = await cutOff(scene, [SHELL], async (gone) => {
      await gone.ask(SHELL);
      await gone.park(SHELL);
    });
    await answer(scene, keyOf(SHELL), { behavior: 'deny', message: 'Not today.' });
    await scene.work();
    expect((await scene.ended(id)).outcome).toMatchObject({
      completedCalls: [{ how: 'denied', delivered: true }],
    });
    expect(transcriptResults(await read(scene))).toEqual([expect.stringContaining('Not today.')]);
  });
});

/** Of a version that counts a call which is made again as another one. */
describe('a call that the model made again, and that a worker of the version before began', () => {
  const AGAIN: MadeCall = { ...PAY, id: 'toolu_9' };
  const TOLD = [
    'This call did not run: the session was cut off before it began. Make the call again if it is still needed.',
    'This call began and was cut off before it ended. Its outcome is unknown: it may have taken effect.',
  ];

  /** The first call was told of, and is in the transcript a second time. */
  async function makeAgain(scene: WorkerScene, { fence }: Gone, toldText: string): Promise<void> {
    const { sessionId = '' } = (await scene.journal.conversation('chat')) ?? {};
    const [result, again] = ['00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003'];
    const common = {
      sessionId,
      isSidechain: false,
      timestamp: '2026-01-01T00:00:01.000Z',
      version: '2.1.325',
    };
    const block = { type: 'tool_result', tool_use_id: PAY.id, is_error: true, content: toldText };
    await scene.journal.store(fence).append({ projectKey: CLUSTER_PROJECT_KEY, sessionId }, [
      {
        ...common,
        type: 'user',
        uuid: result,
        parentUuid: '00000000-0000-4000-8000-000000000001',
        message: { role: 'user', content: [block] },
      },
      {
        ...common,
        type: 'assistant',
        uuid: again,
        parentUuid: result,
        message: { id: 'msg_2', role: 'assistant', content: [{ type: 'tool_use', ...AGAIN }] },
      },
    ]);
  }

  const secondKey = ({ keyOf }: Gone): string => keyOf(PAY).replace(/_1$/, '_2');

  it.each(
    TOLD.flatMap((toldText) => [
      { toldText, state: 'has begun', how: 'unknown', runs: [], shown: UNKNOWN },
      { toldText, state: 'has ended', how: 'recorded', runs: [], shown: /paid by the old one/ },
      { toldText, state: 'was allowed', how: 'ran', runs: [7], shown: /paid 7/ },
    ]),
  )('$state ("$toldText")', async ({ toldText, state, how, runs, shown }) => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran) }, claudeCodeVersion });
    const { id } = await cutOff(scene, [PAY], async (gone) => {
      const call = { callKey: secondKey(gone), turn: gone.id, toolName: 'pay', input: PAY.input as never };
      if (toldText === TOLD[1]) await gone.begin(PAY);
      await makeAgain(scene, gone, toldText);
      if (state === 'was allowed') {
        const question = { id: call.callKey, kind: 'permission', attempt: 1, askedAt: 0 } as const;
        await scene.journal.ask(gone.fence, gone.id, { ...question, toolName: PAY.name, input: PAY.input });
        await answer(scene, call.callKey);
        return;
      }
      await scene.journal.beginCall(gone.fence, call);
      const result = { content: [{ type: 'text', text: 'paid by the old one' }] };
      if (state === 'has ended') await scene.journal.endCall(gone.fence, call.callKey, result);
    });
    await scene.work();
    const { outcome } = await scene.ended(id);
    expect(outcome?.completedCalls).toMatchObject([{ toolUseId: AGAIN.id, how, delivered: true }]);
    expect(ran).toEqual(runs);
    expect(transcriptResults(await read(scene)).at(-1)).toMatch(shown);
  });
});

describe('a worker that completes calls and dies before the turn ends', () => {
  const EXPECTED = [
    { toolUseId: PAY.id, how: 'recorded', delivered: true },
    { toolUseId: PAY_OTHER.id, how: 'denied', delivered: true, by: 'ann' },
  ];

  const EMITTED = EXPECTED.map(({ how, delivered }) => ({ how, delivered, turn: 'turn-1' }));

  /** One call that had ended, and one that was denied. */
  const leave =
    (scene: WorkerScene) =>
    async (gone: Gone): Promise<void> => {
      await gone.begin(PAY);
      const result = { content: [{ type: 'text', text: 'paid before' }] };
      await scene.journal.endCall(gone.fence, gone.keyOf(PAY), result);
      await gone.ask(PAY_OTHER);
      await answer(scene, gone.keyOf(PAY_OTHER), { behavior: 'deny', message: 'Not today.' });
    };

  it('leaves them to the outcome of the worker that ends the turn', async () => {
    const never = gate();
    const scripts = [[held(DONE, never)], [DONE]];
    await using scene = new WorkerScene(scripts, { mcpServers: { shop: shop([]) }, claudeCodeVersion });
    const { id } = await cutOff(scene, [PAY, PAY_OTHER], leave(scene));
    const first = await scene.work({ leaseMs: 1000 });
    await never.reached;
    await waitUntil(
      async () => eventResults((await scene.journal.history('chat')) as ConversationHistory).length === 2,
    );
    first.cut();
    const second = await scene.work();
    expect((await scene.ended(id)).outcome).toMatchObject({ ok: true, completedCalls: EXPECTED });
    expect((await scene.ended(id)).outcome?.completedCalls).toHaveLength(2);
    // They were told once.
    expect(told(first, 'call-completed')).toMatchObject(EMITTED);
    expect(told(second, 'call-completed')).toEqual([]);
    const history = await read(scene);
    expect(noted(history)).toMatchObject(EXPECTED);
    expect(eventResults(history)).toHaveLength(2);
    never.open();
  });

  it('leaves them to be told where it died before it could: the transcript has their results', async () => {
    await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop([]) }, claudeCodeVersion });
    const { id } = await cutOff(scene, [PAY, PAY_OTHER], leave(scene));
    const { journal } = scene;
    const dying = {
      ...journal,
      store: (fence?: Fence) => {
        const store = journal.store(fence);
        return {
          ...store,
          append: async (...given: Parameters<typeof store.append>) => {
            await store.append(...given);
            first?.cut();
          },
        };
      },
    };
    const first: SceneWorker | undefined = await scene.work(
      { leaseMs: 1000, sweepMs: 100 },
      { journal: dying },
    );
    await waitUntil(async () => transcriptResults(await read(scene, { settled: false })).length === 2);
    const second = await scene.work();
    expect((await scene.ended(id)).outcome?.completedCalls).toEqual([
      expect.objectContaining(EXPECTED[0]),
      expect.objectContaining(EXPECTED[1]),
    ]);
    const history = await read(scene);
    expect(noted(history)).toMatchObject(EXPECTED);
    expect(eventResults(history)).toEqual([
      expect.stringContaining('paid before'),
      expect.stringContaining('Not today.'),
    ]);
    expect(transcriptResults(history)).toHaveLength(2);
    expect(told(second, 'call-completed')).toMatchObject(EMITTED);
  });
});

it('leaves calls as they are in a journal that keeps no facts about them', async () => {
  const ran: unknown[] = [];
  await using scene = new WorkerScene([[DONE]], { mcpServers: { shop: shop(ran) }, claudeCodeVersion });
  const { id } = await cutOff(scene, [PAY], (gone) => gone.begin(PAY));
  const { journal } = scene;
  const foreign = {
    ...journal,
    store: (fence?: Fence) => {
      const store = journal.store(fence);
      delete store.calls;
      return store;
    },
  };
  await scene.work({}, { journal: foreign });
  expect((await scene.ended(id)).outcome).toMatchObject({
    ok: true,
    completedCalls: [{ how: 'unknown', delivered: false }],
  });
  expect(ran).toEqual([]);
  expect(transcriptResults(await read(scene))).toEqual([]);
});
