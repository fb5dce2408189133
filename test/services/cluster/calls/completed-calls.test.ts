// Calls that are cut off with their worker process, by kill -9 or by a stop that outlasts its lease, and completed by another: a model
// that never makes a call again reads the true result, once, and the tool has its effect once.
import { describe, expect, it, vi } from 'vitest';
import type { TurnOutcome } from '../../../../packages/cluster/src/journal/records.js';
import { startOffline, type Offline } from '../../../../packages/testing/src/offline.js';
import { text, toolUse } from '../../../../packages/testing/src/script/reply.js';
import type { PermissionResult } from '../../../../packages/core/src/wire/protocol/control/permission-question.js';
import { CallScene, notedCalls, writtenResults, type WorkerProcess } from './call-scene.js';

// A machine that has other things to do needs long for so many processes.
vi.setConfig({ testTimeout: 180_000 });

/** Of workers that are to be taken over. */
const SHORT = { leaseMs: 2000 };
const TOOL = 'mcp__shop__pay';

interface Expected {
  how: 'recorded' | 'ran' | 'denied' | 'unknown';
  /** What the model reads. */
  read: RegExp;
  effects: readonly number[];
  toolName?: string;
  allowed?: boolean;
}

/** The turn has ended, and everybody tells the same of its one call. */
async function expectCompleted(
  scene: CallScene,
  teller: WorkerProcess,
  { how, read, effects, toolName = TOOL, allowed }: Expected,
): Promise<TurnOutcome> {
  const outcome = await scene.outcome();
  expect(outcome).toMatchObject({ ok: true });
  const call = { toolName, how, delivered: true, ...(allowed !== undefined && { allowed, by: 'ann' }) };
  expect(outcome.completedCalls).toEqual([expect.objectContaining(call)]);
  expect(JSON.parse(outcome.text)).toEqual([expect.stringMatching(read)]);
  expect(scene.effects).toEqual(effects);
  const history = await scene.history();
  expect(writtenResults(history)).toEqual([expect.stringMatching(read)]);
  expect(notedCalls(history)).toEqual([expect.objectContaining(call)]);
  expect(await scene.journal.questions()).toEqual([]);
  await teller.until(({ event }) => event?.type === 'turn-ended');
  expect(teller.events('call-completed')).toEqual([
    expect.objectContaining({ turn: 'turn-1', toolName, how, delivered: true }),
  ]);
  const counted = teller.lines.filter(({ metric }) => metric === 'inboard.cluster.calls.completed');
  expect(counted.map(({ value }) => value)).toEqual([1]);
  expect(JSON.stringify(counted)).toContain(`"${how}"`);
  return outcome;
}

describe.concurrent('a worker that is killed while a handler runs', () => {
  it('leaves a result that was recorded to the next one', async () => {
    await using scene = new CallScene();
    await scene.send({});
    const first = await scene.work({
      work: SHORT,
      onRepeat: 'run',
      hangs: 'until it is told',
      point: 'after endCall',
      signal: 'SIGKILL',
    });
    await scene.untilCalled();
    first.say('go on');
    await first.until(({ reached }) => reached !== undefined);
    const second = await scene.work({ onRepeat: 'run' });
    const toolName = 'mcp__shop__work';
    await expectCompleted(scene, second, { how: 'recorded', read: /did chat 1 0/, effects: [0], toolName });
  });

  it.each([
    { hangs: 'after its effect', onRepeat: undefined, how: 'unknown', read: /unknown|not known/i },
    { hangs: 'before its effect', onRepeat: 'recorded', how: 'ran', read: /did chat 1 0/ },
  ] as const)(
    'leaves one that was not recorded to onRepeat $onRepeat ($hangs)',
    async ({ hangs, onRepeat, how, read }) => {
      await using scene = new CallScene();
      await scene.send({});
      const first = await scene.work({ work: SHORT, hangs, ...(onRepeat && { onRepeat }) });
      await first.until(({ runs }) => runs !== undefined);
      await scene.untilCalled();
      await first.end('SIGKILL');
      const second = await scene.work({ ...(onRepeat && { onRepeat }) });
      await expectCompleted(scene, second, { how, read, effects: [0], toolName: 'mcp__shop__work' });
    },
  );
});

const ANSWERS: readonly { name: string; answer: PermissionResult; expected: Expected }[] = [
  {
    name: 'allows it',
    answer: { behavior: 'allow' },
    expected: { how: 'ran', read: /did chat 1 0/, effects: [0], allowed: true },
  },
  {
    name: 'changes its input',
    answer: { behavior: 'allow', updatedInput: { k: 'chat', n: 1, call: 9 } },
    expected: { how: 'ran', read: /did chat 1 9/, effects: [9], allowed: true },
  },
  {
    name: 'denies it',
    answer: { behavior: 'deny', message: 'Not today.' },
    expected: { how: 'denied', read: /Not today\./, effects: [], allowed: false },
  },
];

describe.concurrent('a person, while no worker lives,', () => {
  it.each([
    ...ANSWERS.map((each) => ({ ...each, when: 'its worker was killed while it asked' })),
    ...ANSWERS.slice(1).map((each) => ({ ...each, when: 'its turn was parked' })),
  ])('$name, after $when', async ({ answer, expected, when }) => {
    await using scene = new CallScene();
    await scene.send({ ask: true });
    const isParked = when === 'its turn was parked';
    const first = await scene.work({ work: { ...SHORT, suspendAfterMs: isParked ? 10 : 600_000 } });
    await (isParked ? scene.untilParked() : scene.untilAsked());
    await first.end('SIGKILL');
    await scene.answer(answer);
    const second = await scene.work();
    await expectCompleted(scene, second, expected);
  });
});

/** Where a worker is while it completes a call that a person allowed, and what another one makes of it. */
const POINTS: readonly { point: string; expected: Expected }[] = [
  { point: 'before beginCall', expected: { how: 'ran', read: /did chat 1 0/, effects: [0], allowed: true } },
  { point: 'after beginCall', expected: { how: 'unknown', read: /unknown|not known/i, effects: [] } },
  { point: 'after endCall', expected: { how: 'recorded', read: /did chat 1 0/, effects: [0] } },
  { point: 'before append', expected: { how: 'recorded', read: /did chat 1 0/, effects: [0] } },
  { point: 'after append', expected: { how: 'recorded', read: /did chat 1 0/, effects: [0] } },
];

/** A stop shows all that a kill does, and what the process does afterwards; a kill leaves its CLI alone. */
const SIGNALS = [
  ...POINTS.map((each) => ({ ...each, signal: 'SIGSTOP' as const })),
  ...POINTS.slice(-1).map((each) => ({ ...each, signal: 'SIGKILL' as const })),
];

/** A worker that goes on after it was stopped changes nothing. */
async function expectNothingNew(scene: CallScene, stale: WorkerProcess, other: WorkerProcess): Promise<void> {
  await other.until(({ event }) => event?.type === 'released');
  const [before, effects] = [await scene.history(), scene.effects];
  await stale.goOn();
  expect(await scene.history()).toEqual(before);
  expect(scene.effects).toEqual(effects);
  const runs = [stale, other].flatMap(({ lines }) => lines.flatMap(({ runs: callKey }) => callKey ?? []));
  expect(runs).toHaveLength(effects.length);
}

describe.concurrent('two workers that complete one call', () => {
  it.each(SIGNALS)(
    'run it once, where one gets $signal $point, and write one result',
    async ({ point, signal, expected }) => {
      await using scene = new CallScene();
      await scene.send({ ask: true });
      const stale = await scene.work({ work: { ...SHORT, suspendAfterMs: 10 }, point, signal });
      await scene.untilParked();
      await scene.answer({ behavior: 'allow' });
      await stale.until(({ reached }) => reached === point);
      const other = await scene.work();
      await expectCompleted(scene, other, expected);
      if (signal === 'SIGSTOP') await expectNothingNew(scene, stale, other);
    },
  );

  it('run it once, where one is stopped while it asks a person', async () => {
    await using scene = new CallScene();
    await scene.send({ ask: true });
    const stale = await scene.work({ work: { ...SHORT, suspendAfterMs: 600_000 } });
    await scene.untilAsked();
    stale.child.kill('SIGSTOP');
    await scene.answer({ behavior: 'allow' });
    const other = await scene.work();
    await expectCompleted(scene, other, {
      how: 'ran',
      read: /did chat 1 0/,
      effects: [0],
      allowed: true,
    });
    await expectNothingNew(scene, stale, other);
  });
});

/** A model that makes one call, and then answers with the results it reads. */
function startModel(name: string): Promise<Offline> {
  return startOffline({
    onExhausted: ({ messages }) => {
      const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      const results = blocks.filter(({ type }) => type === 'tool_result');
      if (!blocks.some(({ type }) => type === 'tool_use'))
        return toolUse(`mcp__shop__${name}`, { k: 'chat', n: 1, call: 0 });
      return text(JSON.stringify(results.map(({ content }) => JSON.stringify(content))));
    },
  });
}

describe('on the real CLI', () => {
  it('a person changes a call while no worker lives, and the model reads its result', async () => {
    await using offline = await startModel('pay');
    await using scene = new CallScene(offline.options);
    await scene.send({ ask: true });
    const first = await scene.work({ work: { ...SHORT, suspendAfterMs: 600_000 } });
    await scene.untilAsked();
    await first.end('SIGKILL');
    await scene.answer({ behavior: 'allow', updatedInput: { k: 'chat', n: 1, call: 9 } });
    const second = await scene.work();
    await expectCompleted(scene, second, {
      how: 'ran',
      read: /did chat 1 9/,
      effects: [9],
      allowed: true,
    });
    // One request before the kill, one with the result.
    expect(offline.model.requests).toHaveLength(2);
  });

  it('a worker that is killed with a recorded result leaves it to the model', async () => {
    await using offline = await startModel('work');
    await using scene = new CallScene(offline.options);
    await scene.send({});
    const first = await scene.work({
      work: SHORT,
      hangs: 'until it is told',
      point: 'after endCall',
      signal: 'SIGKILL',
    });
    await scene.untilCalled();
    first.say('go on');
    await first.until(({ reached }) => reached !== undefined);
    const second = await scene.work();
    const toolName = 'mcp__shop__work';
    await expectCompleted(scene, second, { how: 'recorded', read: /did chat 1 0/, effects: [0], toolName });
    expect(offline.model.requests).toHaveLength(2);
  });
});
