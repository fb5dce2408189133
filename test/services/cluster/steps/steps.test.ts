// Steps of one conversation in several processes, on PostgreSQL and the real CLI: they wait for each other, one of them is killed or
// stopped or aborted, and a turn waits for a person between two of them.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Cluster } from '../../../../packages/cluster/src/cluster.js';
import type { StepOutcome } from '../../../../packages/cluster/src/step-outcome.js';
import { createCluster } from '../../../../packages/cluster/src/create-cluster.js';
import { checkHistory } from '../../../../packages/cluster/src/journal/check-history.js';
import type { Journal } from '../../../../packages/cluster/src/journal/journal.js';
import type { Agents } from '../../../../packages/cluster/src/work/host/agents.js';
import { allow } from '../../../../packages/inboard/src/index.js';
import { text, type ScriptedModelOptions } from '../../../../packages/inboard/src/testing.js';
import { waitUntil } from '../../../support/wait-until.js';
import { nameSchema, openJournal } from '../../support/journals.js';
import {
  DONE,
  onTurnScene,
  PATIENCE_MS,
  SCRIPT,
  type TurnPlan,
  type TurnScene,
} from '../../support/turn-processes.js';

const HOST = fileURLToPath(new URL('./step-host.mjs', import.meta.url));

interface Plan extends TurnPlan {
  turns?: string[];
  step?: { waitMs?: number; keepWarmMs?: number; leaseMs?: number };
}

interface Scene extends TurnScene<Plan, StepOutcome> {
  readonly journal: Journal;
  send(id: string): Promise<void>;
  /** A cluster in this process, which has no part in the work. */
  openCluster(): Cluster;
}

async function onScene(script: ScriptedModelOptions, play: (scene: Scene) => Promise<void>): Promise<void> {
  const schema = nameSchema('steps');
  const journal = openJournal({ schema });
  const agents: Agents = { desk: () => ({}) };
  const sent: { key: string; id: string }[] = [];
  await onTurnScene<Plan, StepOutcome>({ host: HOST, schema, ...script }, async (scene) => {
    await play({
      ...scene,
      journal,
      send: async (id) => {
        const start = { agent: 'desk', data: null };
        await journal.enqueue({ key: 'chat', id, content: 'Refund order 7', start });
        sent.push({ key: 'chat', id });
      },
      openCluster: () => createCluster({ agents, journal: openJournal({ schema }) }),
    });
    const history = await journal.history('chat');
    expect(checkHistory(history ? [history] : [], { sent })).toEqual([]);
    const uuids = history?.entries.flatMap(({ entry }) => (entry as { uuid?: string }).uuid ?? []) ?? [];
    expect(new Set(uuids).size).toBe(uuids.length);
    expect((await journal.stats()).leases).toBe(0);
  });
}

it('is made by two processes at once: one works, and both get the outcome', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.send('turn-1');
    const both = [scene.start({ step: { waitMs: 60_000 } }), scene.start({ step: { waitMs: 60_000 } })];
    const ends = await Promise.all(both.map((each) => each.ends()));
    expect(ends).toMatchObject([[DONE], [DONE]]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
    expect(both.reduce((sum, each) => sum + each.count('turn-ended'), 0)).toBe(1);
  });
});

it('is busy while another process works, for as long as that has its lease', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.send('turn-1');
    const first = scene.start({ hangs: true, point: 'after the effect', step: { leaseMs: 20_000 } });
    await first.until(({ reached }) => reached === 'after the effect');
    const [end] = await scene.start({ step: { waitMs: 0 } }).ends();
    expect(end).toMatchObject({ state: 'busy', why: 'held', turns: [] });
    const { lease } = (await scene.journal.conversation('chat')) ?? {};
    expect(lease).toBeDefined();
    // Aborted, it leaves its turn and gives the lease back. The handler may have had its effect, so it does not run again.
    first.child.kill('SIGUSR2');
    await first.closed;
    expect(first.lines.at(-1)).toEqual({ error: 'AbortError' });
    expect(await scene.start({ isContinued: true, step: { waitMs: 0 } }).ends()).toMatchObject([DONE]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
  });
});

it('goes on after a step that was killed in the middle of a tool, once its lease has run out', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.send('turn-1');
    await scene.start({ point: 'after the effect', signal: 'SIGKILL' }).closed;
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject([DONE]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
  });
});

it('goes on after a step that was killed before it could return: the journal has the outcome', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.send('turn-1');
    const first = scene.start({ step: { keepWarmMs: 60_000 } });
    await first.until(({ event }) => event === 'turn-ended');
    first.child.kill('SIGKILL');
    await first.closed;
    expect(await scene.start().ends()).toMatchObject([{ ...DONE, turns: [] }]);
    // The lease of the dead process, which it had kept with its CLI, runs out by itself.
    await waitUntil(async () => (await scene.journal.stats()).leases === 0, PATIENCE_MS);
  });
});

it('is stopped and wakes after another step: it has lost the conversation, and nothing of it gets through', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.send('turn-1');
    const first = scene.start({ point: 'before its end', signal: 'SIGSTOP' });
    await first.until(({ reached }) => reached === 'before its end');
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject([DONE]);
    const before = await scene.journal.history('chat');
    first.child.kill('SIGCONT');
    expect(await first.ends()).toEqual([{ state: 'lost', turns: [] }]);
    expect(await scene.journal.history('chat')).toEqual(before);
    expect(scene.effects()).toHaveLength(1);
  });
});

it('waits for a person without a process, and the next step goes on with the answer', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.send('turn-1');
    const [first] = await scene.start({ asks: true }).ends();
    expect(first).toMatchObject({
      state: 'waiting',
      turn: 'turn-1',
      questions: [{ conversation: 'chat', toolName: 'mcp__shop__refund' }],
      pending: [],
    });
    const again = scene.start({ asks: true, isContinued: true });
    expect(await again.ends()).toEqual([first]);
    expect(again.count('leased')).toBe(0);
    await using web = scene.openCluster();
    const [question] = first?.state === 'waiting' ? first.questions : [];
    expect(await web.approvals.answer(question?.id ?? '', allow(), 'ann')).toBe(true);
    expect(await scene.start({ asks: true, isContinued: true }).ends()).toMatchObject([DONE]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
  });
});

it('keeps its CLI for the next step of its process', async () => {
  await onScene({ script: [text('one'), text('done')] }, async (scene) => {
    await scene.send('turn-1');
    await scene.send('turn-2');
    const both = scene.start({ turns: ['turn-1', 'turn-2'], step: { keepWarmMs: 30_000 } });
    expect(await both.ends()).toMatchObject([{ outcome: { text: 'one' } }, DONE]);
    expect([both.count('leased'), both.count('released')]).toEqual([1, 1]);
  });
});
