// Attempts in processes of their own, on the real CLI and a ledger in PostgreSQL. They are killed before the first entry, in the middle
// of a tool, before its result is recorded and while a question is open, or are stopped and wake after a newer attempt.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { allow } from '../../../packages/inboard/src/index.js';
import type { AttemptEnd } from '../../../packages/durable/src/attempt/attempt-end.js';
import type { QuestionAnswer } from '../../../packages/durable/src/attempt/attempt-questions.js';
import { text, type ScriptedModelOptions } from '../../../packages/inboard/src/testing.js';
import { nameSchema, runSql } from '../support/journals.js';
import { DONE, onTurnScene, SCRIPT, type TurnPlan, type TurnScene } from '../support/turn-processes.js';
import { openLedger } from './ledgers.js';

const HOST = fileURLToPath(new URL('./attempt-host.mjs', import.meta.url));

interface Plan extends TurnPlan {
  suspendAfterMs?: number;
  answers?: QuestionAnswer[];
}

interface Scene extends TurnScene<Plan, AttemptEnd> {
  /** Everything in the tables. */
  rows(): Promise<unknown>;
}

async function onScene(script: ScriptedModelOptions, play: (scene: Scene) => Promise<void>): Promise<void> {
  const schema = nameSchema('attempts');
  const ledger = openLedger(schema);
  // The tables are made before the processes that are killed.
  await ledger.forget('chat');
  const rows = async (): Promise<unknown> => [
    await runSql(`select place, epoch, entry from "${schema}".entries order by place`),
    await runSql(`select place, epoch, fact from "${schema}".facts order by place`),
  ];
  await onTurnScene<Plan, AttemptEnd>({ host: HOST, schema, ...script }, async (scene) => {
    await play({ ...scene, rows });
    const twice = `select uuid from "${schema}".entries where uuid is not null group by session_id, subpath, uuid having count(*) > 1`;
    expect(await runSql(twice)).toEqual([]);
    // Epochs only grow: nothing was written by an attempt after a newer one had written.
    for (const table of ['entries', 'facts']) {
      const written = await runSql(`select epoch::int from "${schema}".${table} order by place`);
      const epochs = written.map(({ epoch }) => epoch as number);
      expect(epochs).toEqual(epochs.toSorted((one, other) => one - other));
    }
  });
}

const KILLED = { signal: 'SIGKILL' } as const;

function questionsOf([end]: readonly AttemptEnd[]): string[] {
  if (end?.state !== 'waiting') throw new Error(`Not waiting: ${JSON.stringify(end)}`);
  return end.questions.map(({ id }) => id);
}

it('is killed before the first entry is saved: the next attempt begins the turn', async () => {
  await onScene({ script: [], onExhausted: text('done') }, async (scene) => {
    const first = scene.start({ point: 'before the first entry', ...KILLED });
    await first.closed;
    expect(first.lines).toEqual([{ reached: 'before the first entry' }]);
    expect(await scene.start().ends()).toMatchObject([DONE]);
  });
});

it('is killed in the middle of a tool: the turn goes on, and the tool has run once', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.start({ point: 'after the effect', ...KILLED }).closed;
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject([DONE]);
    expect(scene.effects()).toHaveLength(1);
    expect([scene.requests(), scene.results()]).toEqual([2, expect.stringMatching(/not known|unknown/i)]);
  });
});

it('is killed before the result of a tool is recorded: the tool runs again only if it may', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.start({ onRepeat: 'run', point: 'before ended', ...KILLED }).closed;
    expect(await scene.start({ onRepeat: 'run', isContinued: true }).ends()).toMatchObject([DONE]);
    expect(scene.effects()).toHaveLength(2);
    expect(scene.results()).toContain('refunded 7');
  });
});

it('is killed after the result of a tool is recorded: the model gets this result', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.start({ point: 'after ended', ...KILLED }).closed;
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject([DONE]);
    expect(scene.effects()).toHaveLength(1);
    expect([scene.requests(), scene.results()]).toEqual([2, expect.stringContaining('refunded 7')]);
  });
});

it('is killed while a question is open: the question is asked again under its id, and its answer is used once', async () => {
  await onScene(SCRIPT, async (scene) => {
    await scene.start({ asks: true, suspendAfterMs: 60_000, point: 'after asked', ...KILLED }).closed;
    const again = { asks: true, isContinued: true };
    const ids = questionsOf(await scene.start(again).ends());
    expect(ids).toHaveLength(1);
    expect(questionsOf(await scene.start(again).ends())).toEqual(ids);
    const answers = ids.map((id) => ({ id, result: allow(), by: 'ann' }));
    // Killed once more, between the answer and the tool.
    await scene.start({ ...again, answers, point: 'before begun', ...KILLED }).closed;
    expect(await scene.start({ ...again, answers }).ends()).toMatchObject([DONE]);
    expect(scene.effects()).toHaveLength(1);
    expect([scene.requests(), scene.results()]).toEqual([2, expect.stringContaining('refunded 7')]);
  });
});

it('waits without a process, and is answered while it is dead', async () => {
  await onScene(SCRIPT, async (scene) => {
    const first = scene.start({ asks: true });
    const ids = questionsOf(await first.ends());
    expect(first.child.exitCode).toBe(0);
    const answers = ids.map((id) => ({ id, result: allow() }));
    expect(await scene.start({ asks: true, isContinued: true, answers }).ends()).toMatchObject([DONE]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
  });
});

it.each(['after the effect', 'before ended', 'before begun'])(
  'is stopped %s and wakes after a newer attempt: it is lost, and nothing of it gets through',
  async (point) => {
    await onScene({ ...SCRIPT, onExhausted: text('done') }, async (scene) => {
      const old = scene.start({ point, signal: 'SIGSTOP' });
      await old.reaches(point);
      expect(await scene.start({ isContinued: true }).ends()).toMatchObject([DONE]);
      const before = await scene.rows();
      old.child.kill('SIGCONT');
      expect(await old.ends()).toEqual([{ state: 'lost' }]);
      expect(await scene.rows()).toEqual(before);
      // A handler that was stopped before its first fact never runs.
      expect(scene.effects()).toHaveLength(point === 'before begun' ? 0 : 1);
    });
  },
);
