// Steps of one conversation in several processes, on PostgreSQL and the real CLI: they wait for each other, one of them is killed or
// stopped or aborted, and a turn waits for a person between two of them.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import type { Cluster } from '../../../../packages/cluster/src/cluster.js';
import type { StepOutcome } from '../../../../packages/cluster/src/step-outcome.js';
import { createCluster } from '../../../../packages/cluster/src/create-cluster.js';
import { checkHistory } from '../../../../packages/cluster/src/journal/check-history.js';
import type { Journal } from '../../../../packages/cluster/src/journal/journal.js';
import type { Agents } from '../../../../packages/cluster/src/work/host/agents.js';
import { allow } from '../../../../packages/inboard/src/index.js';
import {
  createIsolatedEnvironment,
  startScriptedModel,
  text,
  toolUse,
} from '../../../../packages/inboard/src/testing.js';
import { waitUntil } from '../../../support/wait-until.js';
import { nameSchema, openJournal } from '../../support/journals.js';

const HOST = fileURLToPath(new URL('./step-host.mjs', import.meta.url));
const ENTRY_POINTS = new URL('../../../../dist/entry', import.meta.url).href;
const PATIENCE_MS = 60_000;
const CALL = toolUse('mcp__shop__refund', { order: 7 });
const DONE = { state: 'ended', outcome: { ok: true, text: 'done' } };

interface Plan {
  /** Whether a person is asked about the call. */
  asks?: boolean;
  hangs?: boolean;
  /** Whether an earlier step has saved the call. */
  isContinued?: boolean;
  point?: string;
  signal?: 'SIGKILL' | 'SIGSTOP';
  turns?: string[];
  step?: { waitMs?: number; keepWarmMs?: number; leaseMs?: number };
}

interface Line {
  reached?: string;
  event?: string;
  end?: StepOutcome;
  error?: string;
}

/** A process that makes steps. */
class StepProcess {
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

  async until(isSo: (line: Line) => boolean): Promise<void> {
    const describe = (): string => `but: ${JSON.stringify(this.lines)} ${this.errors}`;
    await waitUntil(() => this.lines.some(isSo), PATIENCE_MS, describe);
  }

  /** How its steps ended. */
  async ends(): Promise<StepOutcome[]> {
    await this.closed;
    const ends = this.lines.flatMap(({ end }) => end ?? []);
    if (ends.length === 0) throw new Error(`No end: ${JSON.stringify(this.lines)} ${this.errors}`);
    return ends;
  }

  count(type: string): number {
    return this.lines.filter(({ event }) => event === type).length;
  }
}

interface Scene {
  readonly journal: Journal;
  send(id: string): Promise<void>;
  start(plan?: Plan): StepProcess;
  /** The process ids of the runs of the handler. */
  effects(): string[];
  requests(): number;
  /** A cluster in this process, which has no part in the work. */
  openCluster(): Cluster;
}

async function onScene(
  script: Parameters<typeof startScriptedModel>[0],
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const schema = nameSchema('steps');
  const journal = openJournal({ schema });
  const folder = mkdtempSync(join(tmpdir(), 'inboard-steps-'));
  const model = await startScriptedModel(script);
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const started: StepProcess[] = [];
  const effects = join(folder, 'effects');
  const sent: { key: string; id: string }[] = [];
  const agents: Agents = { desk: () => ({}) };
  const scene: Scene = {
    journal,
    send: async (id) => {
      const start = { agent: 'desk', data: null };
      await journal.enqueue({ key: 'chat', id, content: 'Refund order 7', start });
      sent.push({ key: 'chat', id });
    },
    start: (plan = {}) => {
      const options = { env: home.env, cwd: home.cwd, permissionMode: 'default' };
      const url = inject('postgresUrl');
      const host = new StepProcess({ entryPoints: ENTRY_POINTS, url, schema, effects, options, ...plan });
      started.push(host);
      return host;
    },
    effects: () => (existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []),
    requests: () => model.conversation.length,
    openCluster: () => createCluster({ agents, journal: openJournal({ schema }) }),
  };
  try {
    await play(scene);
    const history = await journal.history('chat');
    expect(checkHistory(history ? [history] : [], { sent })).toEqual([]);
    const uuids = history?.entries.flatMap(({ entry }) => (entry as { uuid?: string }).uuid ?? []) ?? [];
    expect(new Set(uuids).size).toBe(uuids.length);
    expect((await journal.stats()).leases).toBe(0);
    model.verify();
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ closed }) => closed));
    await model.close({ verify: false });
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

it('is made by two processes at once: one works, and both get the outcome', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    await scene.send('turn-1');
    const both = [scene.start({ step: { waitMs: 60_000 } }), scene.start({ step: { waitMs: 60_000 } })];
    const ends = await Promise.all(both.map((each) => each.ends()));
    expect(ends).toMatchObject([[DONE], [DONE]]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
    expect(both.reduce((sum, each) => sum + each.count('turn-ended'), 0)).toBe(1);
  });
});

it('is busy while another process works, for as long as that has its lease', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
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
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
    await scene.send('turn-1');
    await scene.start({ point: 'after the effect', signal: 'SIGKILL' }).closed;
    expect(await scene.start({ isContinued: true }).ends()).toMatchObject([DONE]);
    expect([scene.effects().length, scene.requests()]).toEqual([1, 2]);
  });
});

it('goes on after a step that was killed before it could return: the journal has the outcome', async () => {
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
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
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
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
  await onScene({ script: [CALL, text('done')] }, async (scene) => {
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
