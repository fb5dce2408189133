// Attempts in processes of their own, on the real CLI and a ledger in PostgreSQL. They are killed before the first entry, in the middle
// of a tool, before its result is recorded and while a question is open, or are stopped and wake after a newer attempt.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { allow } from '../../../packages/inboard/src/index.js';
import type { AttemptEnd } from '../../../packages/durable/src/attempt/attempt-end.js';
import type { QuestionAnswer } from '../../../packages/durable/src/attempt/attempt-questions.js';
import {
  createIsolatedEnvironment,
  startScriptedModel,
  text,
  toolUse,
} from '../../../packages/inboard/src/testing.js';
import { waitUntil } from '../../support/wait-until.js';
import { nameSchema, runSql } from '../support/journals.js';
import { ENTRY_POINTS, openLedger } from './ledgers.js';

const HOST = fileURLToPath(new URL('./attempt-host.mjs', import.meta.url));

interface Plan {
  onRepeat?: string;
  /** Whether a person is asked about the call. */
  asks?: boolean;
  hangs?: boolean;
  /** Whether an earlier attempt has saved the call. */
  isContinued?: boolean;
  point?: string;
  signal?: 'SIGKILL' | 'SIGSTOP';
  suspendAfterMs?: number;
  answers?: QuestionAnswer[];
}

interface Line {
  reached?: string;
  end?: AttemptEnd;
  error?: string;
}

/** A process with one attempt. */
class AttemptProcess {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly closed: Promise<unknown>;
  errors = '';

  constructor(plan: object) {
    this.child = spawn(process.execPath, [HOST, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'pipe'] });
    const { stdout, stderr } = this.child;
    if (stdout) createInterface(stdout).on('line', (line) => this.lines.push(JSON.parse(line) as Line));
    stderr?.setEncoding('utf8').on('data', (said: string) => (this.errors += said));
    this.closed = once(this.child, 'close');
  }

  async reaches(point: string): Promise<void> {
    const describe = (): string => `${point}, but: ${JSON.stringify(this.lines)} ${this.errors}`;
    await waitUntil(() => this.lines.some(({ reached }) => reached === point), undefined, describe);
  }

  /** The end of its attempt. */
  async ends(): Promise<AttemptEnd> {
    await this.closed;
    const end = this.lines.find((line) => line.end)?.end;
    if (!end) throw new Error(`No end: ${JSON.stringify(this.lines)} ${this.errors}`);
    return end;
  }
}

interface Scene {
  start(plan?: Plan): AttemptProcess;
  /** The process ids of the runs of the handler. */
  effects(): string[];
  /** The results of tools that the model saw last. */
  results(): string;
  requests(): number;
  /** Everything in the tables. */
  rows(): Promise<unknown>;
}

const CALL = toolUse('mcp__shop__refund', { order: 7 });

async function onScene(
  script: Parameters<typeof startScriptedModel>[0],
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const schema = nameSchema('attempts');
  const ledger = openLedger(schema);
  // The tables are made before the processes that are killed.
  await ledger.forget('chat');
  const folder = mkdtempSync(join(tmpdir(), 'inboard-attempts-'));
  const model = await startScriptedModel(script);
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const started: AttemptProcess[] = [];
  const effects = join(folder, 'effects');
  const scene: Scene = {
    start: (plan = {}) => {
      const options = { env: home.env, cwd: home.cwd, permissionMode: 'default' };
      const host = new AttemptProcess({
        entryPoints: ENTRY_POINTS,
        url: inject('postgresUrl'),
        schema,
        effects,
        options,
        ...plan,
      });
      started.push(host);
      return host;
    },
    effects: () => (existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []),
    requests: () => model.conversation.length,
    results: () => {
      const messages = model.conversation.at(-1)?.body.messages ?? [];
      const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      return JSON.stringify(blocks.filter((block) => (block as { type: string }).type === 'tool_result'));
    },
    rows: async () => [
      await runSql(`select place, epoch, entry from "${schema}".entries order by place`),
      await runSql(`select place, epoch, fact from "${schema}".facts order by place`),
    ],
  };
  try {
    await play(scene);
    const twice = `select uuid from "${schema}".entries where uuid is not null group by session_id, subpath, uuid having count(*) > 1`;
    expect(await runSql(twice)).toEqual([]);
    // Epochs only grow: nothing was written by an attempt after a newer one had written.
    for (const table of ['entries', 'facts']) {
      const rows = await runSql(`select epoch::int from "${schema}".${table} order by place`);
      const epochs = rows.map(({ epoch }) => epoch as number);
      expect(epochs).toEqual(epochs.toSorted((one, other) => one - other));
    }
    model.verify();
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ closed }) => closed));
    await model.close({ verify: false });
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const DONE = { state: 'ended', outcome: { ok: true, text: 'done' } };
const KILLED = { signal: 'SIGKILL' } as const;

function questionsOf(end: AttemptEnd): string[] {
  if (end.state !== 'waiting') throw new Error(`Not waiting: ${JSON.stringify(end)}`);
  return end.questions.map(({ id }) => id);
}

it('is killed before the first entry is saved: the next attempt begins the turn', async () => {
  await onScene({ script: [], onExhausted: text('done') }, async (scene) => {
    const first = scene.start({ point: 'before the first entry', ...KILLED });
    await first.closed;
    expect(first.lines).toEqual([{ reached: 'before the first entry' }]);
    expect(await scene.start().ends()).toMatchObject(DONE);
  });
});

it('is killed in the middle of a tool: the turn goes on, and the tool has run once', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    await scene.start({ point: 'after the effect', ...KILLED }).closed;
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject(DONE);
    expect(scene.effects()).toHaveLength(1);
    expect([scene.requests(), scene.results()]).toEqual([2, expect.stringMatching(/not known|unknown/i)]);
  });
});

it('is killed before the result of a tool is recorded: the tool runs again only if it may', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    await scene.start({ onRepeat: 'run', point: 'before ended', ...KILLED }).closed;
    expect(await scene.start({ onRepeat: 'run', isContinued: true }).ends()).toMatchObject(DONE);
    expect(scene.effects()).toHaveLength(2);
    expect(scene.results()).toContain('refunded 7');
  });
});

it('is killed after the result of a tool is recorded: the model gets this result', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    await scene.start({ point: 'after ended', ...KILLED }).closed;
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject(DONE);
    expect(scene.effects()).toHaveLength(1);
    expect([scene.requests(), scene.results()]).toEqual([2, expect.stringContaining('refunded 7')]);
  });
});

it('is killed while a question is open: the question is asked again under its id, and its answer is used once', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    await scene.start({ asks: true, suspendAfterMs: 60_000, point: 'after asked', ...KILLED }).closed;
    const again = { asks: true, isContinued: true };
    const ids = questionsOf(await scene.start(again).ends());
    expect(ids).toHaveLength(1);
    expect(questionsOf(await scene.start(again).ends())).toEqual(ids);
    const answers = ids.map((id) => ({ id, result: allow(), by: 'ann' }));
    // Killed once more, between the answer and the tool.
    await scene.start({ ...again, answers, point: 'before begun', ...KILLED }).closed;
    expect(await scene.start({ ...again, answers }).ends()).toMatchObject(DONE);
    expect(scene.effects()).toHaveLength(1);
    expect([scene.requests(), scene.results()]).toEqual([2, expect.stringContaining('refunded 7')]);
  });
});

it('waits without a process, and is answered while it is dead', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    const first = scene.start({ asks: true });
    const ids = questionsOf(await first.ends());
    expect(first.child.exitCode).toBe(0);
    const answers = ids.map((id) => ({ id, result: allow() }));
    expect(await scene.start({ asks: true, isContinued: true, answers }).ends()).toMatchObject(DONE);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
  });
});

it.each(['after the effect', 'before ended', 'before begun'])(
  'is stopped %s and wakes after a newer attempt: it is lost, and nothing of it gets through',
  async (point) => {
    await onScene({ script: [CALL, text('done')], onExhausted: text('done') }, async (scene) => {
      const old = scene.start({ point, signal: 'SIGSTOP' });
      await old.reaches(point);
      expect(await scene.start({ isContinued: true }).ends()).toMatchObject(DONE);
      const before = await scene.rows();
      old.child.kill('SIGCONT');
      expect(await old.ends()).toEqual({ state: 'lost' });
      expect(await scene.rows()).toEqual(before);
      // A handler that was stopped before its first fact never runs.
      expect(scene.effects()).toHaveLength(point === 'before begun' ? 0 : 1);
    });
  },
);
