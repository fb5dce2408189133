// One conversation on PostgreSQL, and real worker processes that are ended or stopped in the middle of its call.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, inject } from 'vitest';
import type { Cluster } from '../../../../packages/cluster/src/cluster.js';
import { createCluster } from '../../../../packages/cluster/src/create-cluster.js';
import { checkHistory } from '../../../../packages/cluster/src/journal/check-history.js';
import { readCompletedNote } from '../../../../packages/cluster/src/journal/completed-note.js';
import type { HistoryExpectation } from '../../../../packages/cluster/src/journal/checks/history-rule.js';
import type { Journal } from '../../../../packages/cluster/src/journal/journal.js';
import type { ConversationHistory, TurnOutcome } from '../../../../packages/cluster/src/journal/records.js';
import type { WorkerEvent } from '../../../../packages/cluster/src/work/host/worker-event.js';
import { isRecord } from '../../../../packages/core/src/util/guards.js';
import type { PermissionResult } from '../../../../packages/core/src/wire/protocol/control/permission-question.js';
import { waitUntil } from '../../../support/wait-until.js';
import { nameSchema, openJournal } from '../../support/journals.js';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const WORKER = path('./call-worker.mjs');
const COMPLETER = path('./call-completer.mjs');
const FAKE_CLI = path('../../../../scripts/support/cluster-chaos/programs/fake-cli.cjs');
const ENTRY_POINTS = new URL('../../../../dist/entry', import.meta.url).href;
const KEY = 'chat';
const TURN = 'turn-1';
/** As long as a machine that is busy needs for a few processes. */
const PATIENCE_MS = 60_000;

/** How a worker process behaves. */
export interface WorkerPlan {
  onRepeat?: string;
  /** Where its handler stays. */
  hangs?: 'before its effect' | 'after its effect' | 'until it is told';
  /** Where it gets a signal: before or after it asks the journal for something; `append` counts only with results of calls. */
  point?: string;
  signal?: 'SIGKILL' | 'SIGSTOP';
  /** Its handler leaves the result to others. */
  pends?: boolean;
  work?: { leaseMs?: number; suspendAfterMs?: number };
}

/** What became of the results that one process gave to a call. */
export interface CompleterReport {
  taken: number[];
  refused: { code: string; by?: string }[];
}

/** A line of a worker process. */
interface Line {
  reached?: string;
  runs?: string;
  ready?: true;
  event?: WorkerEvent;
  error?: string;
  metric?: string;
  value?: number;
  attributes?: Record<string, unknown>;
}

/** A worker process. */
export class WorkerProcess {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  #errors = '';

  constructor(plan: object) {
    this.child = spawn(process.execPath, [WORKER, JSON.stringify(plan)], { stdio: 'pipe' });
    const { stdout, stderr } = this.child;
    if (stdout) createInterface(stdout).on('line', (line) => this.lines.push(JSON.parse(line) as Line));
    stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
  }

  /** Waits until it has told something. */
  async until(isSo: (line: Line) => boolean): Promise<void> {
    await waitUntil(() => {
      if (this.child.exitCode !== null) throw new Error(`The worker has ended:\n${this.#errors}`);
      return this.lines.some(isSo);
    }, PATIENCE_MS);
  }

  events<Type extends WorkerEvent['type']>(type: Type): Extract<WorkerEvent, { type: Type }>[] {
    return this.lines.flatMap(({ event }) =>
      event?.type === type ? [event as Extract<WorkerEvent, { type: Type }>] : [],
    );
  }

  say(word: string): void {
    this.child.stdin?.write(`${word}\n`);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }

  /** Goes on after a stop, gives up what it has lost, and ends by itself. */
  async goOn(): Promise<void> {
    this.child.kill('SIGCONT');
    await this.until(({ event }) => event?.type === 'lost');
    await this.end('SIGTERM');
  }
}

/** A conversation, and all processes of one test. */
export class CallScene implements AsyncDisposable {
  readonly journal: Journal;
  readonly #schema: string = nameSchema('calls');
  readonly #folder = mkdtempSync(join(tmpdir(), 'inboard-calls-'));
  readonly #options: object;
  readonly #workers: WorkerProcess[] = [];

  /** On the fake CLI, unless other options are given. */
  constructor(options?: object) {
    this.journal = openJournal({ schema: this.#schema });
    const env = { HOME: this.#folder, PATH: process.env['PATH'] };
    this.#options = options ?? { pathToClaudeCodeExecutable: FAKE_CLI, cwd: this.#folder, env };
  }

  async send(plan: object): Promise<void> {
    const content = `chaos ${JSON.stringify({ k: KEY, n: 1, once: true, ms: 1, ...plan })}`;
    await this.journal.enqueue({ key: KEY, id: TURN, content, start: { agent: 'desk', data: null } });
  }

  /** Starts a worker process. Those that are to be taken over have a short lease. */
  async work(plan: WorkerPlan = {}): Promise<WorkerProcess> {
    const worker = new WorkerProcess({
      entryPoints: ENTRY_POINTS,
      url: inject('postgresUrl'),
      schema: this.#schema,
      options: this.#options,
      effects: this.#effects,
      ...plan,
      work: { leaseMs: 20_000, ...plan.work },
    });
    this.#workers.push(worker);
    return worker;
  }

  /** The person answers, from this process, which has no part in the work. */
  async answer(answer: PermissionResult): Promise<void> {
    await using cluster = createCluster({
      agents: { desk: () => ({}) },
      journal: openJournal({ schema: this.#schema }),
    });
    const [question, ...more] = await cluster.approvals.list();
    expect(more).toEqual([]);
    expect(await cluster.approvals.answer(question?.id ?? '', answer, 'ann')).toBe(true);
  }

  /** A cluster in this process, which has no part in the work. */
  get outside(): Pick<Cluster, 'calls' | 'close'> & AsyncDisposable {
    return createCluster({ agents: { desk: () => ({}) }, journal: openJournal({ schema: this.#schema }) });
  }

  /** The call is pending. Returns its key. */
  async untilPending(): Promise<string> {
    await using cluster = this.outside;
    await waitUntil(async () => (await cluster.calls.list()).length === 1, PATIENCE_MS);
    await this.untilCalled();
    const [call] = await cluster.calls.list();
    return call?.callKey ?? '';
  }

  /** Gives a call many results at once, from several processes with several connections each. */
  async completeFromMany(callKey: string, processes: number, each: number): Promise<CompleterReport[]> {
    const plan = {
      entryPoints: ENTRY_POINTS,
      url: inject('postgresUrl'),
      schema: this.#schema,
      callKey,
      each,
    };
    const children = Array.from({ length: processes }, (_, at) =>
      spawn(process.execPath, [COMPLETER, JSON.stringify({ ...plan, name: `webhook ${at}` })], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const readers = children.map(({ stdout }) => createInterface(stdout)[Symbol.asyncIterator]());
    const readLine = async (at: number): Promise<unknown> =>
      JSON.parse(String((await readers[at]?.next())?.value ?? 'null'));
    // All of them are connected before the first one begins.
    for (const at of children.keys()) expect(await readLine(at)).toBe('ready');
    for (const { stdin } of children) stdin.end('go\n');
    return (await Promise.all([...children.keys()].map(readLine))) as CompleterReport[];
  }

  /** The call is in the transcript, which a CLI tells a moment after it has asked. */
  async untilCalled(): Promise<void> {
    await waitUntil(async () => {
      const { entries = [] } = (await this.journal.history(KEY)) ?? {};
      return JSON.stringify(entries).includes('"tool_use"');
    }, PATIENCE_MS);
  }

  async untilAsked(): Promise<void> {
    await waitUntil(async () => (await this.journal.questions()).length === 1, PATIENCE_MS);
    await this.untilCalled();
  }

  /** Its turn is parked, and no worker has it. */
  async untilParked(): Promise<void> {
    await waitUntil(async () => {
      const { turns, leases } = await this.journal.stats();
      return turns.parked === 1 && leases === 0;
    }, PATIENCE_MS);
  }

  async outcome(): Promise<TurnOutcome> {
    await waitUntil(async () => (await this.journal.turn(KEY, TURN))?.state === 'ended', PATIENCE_MS);
    return (await this.journal.turn(KEY, TURN))?.outcome as TurnOutcome;
  }

  /** What handlers did: the numbers that their calls had. */
  get effects(): number[] {
    return readLines(this.#effects).map((line) => Number(line.split(' ')[1]));
  }

  /** What is kept of it, which must be in order. */
  async history(expectation: HistoryExpectation = {}): Promise<ConversationHistory> {
    const history = (await this.journal.history(KEY)) as ConversationHistory;
    expect(checkHistory([history], { sent: [{ key: KEY, id: TURN }], ...expectation })).toEqual([]);
    return history;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers) {
      worker.child.kill('SIGCONT');
      await worker.end('SIGKILL');
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  get #effects(): string {
    return join(this.#folder, 'effects');
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    // No handler has run.
    return [];
  }
}

/** The calls that the turn's events tell of. */
export function notedCalls({ events }: ConversationHistory): unknown[] {
  return events.flatMap(readCompletedNote);
}

/** The results of calls in the transcript, as texts. */
export function writtenResults({ entries }: ConversationHistory): string[] {
  return entries.flatMap(({ entry }) => {
    const { message } = entry as { message?: { content?: unknown } };
    const blocks = Array.isArray(message?.content) ? (message.content as unknown[]) : [];
    return blocks.flatMap((block) =>
      isRecord(block) && block['type'] === 'tool_result' ? [JSON.stringify(block['content'])] : [],
    );
  });
}
