// Processes that work on a turn with the real CLI on a scripted model, as `turn-host.mjs` describes them, and what they leave behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import {
  createIsolatedEnvironment,
  startScriptedModel,
  text,
  toolUse,
  type ScriptedModelOptions,
} from '../../../packages/inboard/src/testing.js';
import { waitUntil } from '../../support/wait-until.js';

/** The built entry points, for other processes. */
export const ENTRY_POINTS = new URL('../../../dist/entry', import.meta.url).href;
/** The call that the model makes, and its answer after that. */
const CALL = toolUse('mcp__shop__refund', { order: 7 });
export const DONE = { state: 'ended', outcome: { ok: true, text: 'done' } };
export const SCRIPT = { script: [CALL, text('done')] };
export const PATIENCE_MS = 60_000;

/** What a process does. */
export interface TurnPlan {
  onRepeat?: string;
  /** Whether a person is asked about the call. */
  asks?: boolean;
  hangs?: boolean;
  /** Whether an earlier process has saved the call. */
  isContinued?: boolean;
  /** Where it kills or stops itself. Without a signal, it only tells that it was there. */
  point?: string;
  signal?: 'SIGKILL' | 'SIGSTOP';
}

/** A line that a process told. */
export interface ToldLine<End> {
  reached?: string;
  event?: string;
  end?: End;
  error?: string;
}

/** A process, and what it told. */
export class TurnProcess<End> {
  readonly child: ChildProcess;
  readonly lines: ToldLine<End>[] = [];
  readonly closed: Promise<unknown>;
  #errors = '';

  constructor(host: string, plan: object) {
    this.child = spawn(process.execPath, [host, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'pipe'] });
    const { stdout, stderr } = this.child;
    if (stdout)
      createInterface(stdout).on('line', (line) => this.lines.push(JSON.parse(line) as ToldLine<End>));
    stderr?.setEncoding('utf8').on('data', (said: string) => (this.#errors += said));
    this.closed = once(this.child, 'close');
  }

  async until(isSo: (line: ToldLine<End>) => boolean): Promise<void> {
    const describe = (): string => `but: ${JSON.stringify(this.lines)} ${this.#errors}`;
    await waitUntil(() => this.lines.some(isSo), PATIENCE_MS, describe);
  }

  async reaches(point: string): Promise<void> {
    await this.until(({ reached }) => reached === point);
  }

  /** How its work ended, for each turn. */
  async ends(): Promise<End[]> {
    await this.closed;
    const ends = this.lines.flatMap(({ end }) => end ?? []) as End[];
    if (ends.length === 0) throw new Error(`No end: ${JSON.stringify(this.lines)} ${this.#errors}`);
    return ends;
  }

  count(type: string): number {
    return this.lines.filter(({ event }) => event === type).length;
  }
}

/** Where processes of one test work. */
export interface TurnScene<Plan, End> {
  start(plan?: Plan): TurnProcess<End>;
  /** The process ids of the runs of the handler. */
  effects(): string[];
  /** The results of tools that the model saw last. */
  results(): string;
  requests(): number;
}

/** Plays a test on a model of its own. `host` is the program of its processes. */
export async function onTurnScene<Plan extends TurnPlan, End>(
  { host, schema, ...script }: { host: string; schema: string } & ScriptedModelOptions,
  play: (scene: TurnScene<Plan, End>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-turns-'));
  const model = await startScriptedModel(script);
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const started: TurnProcess<End>[] = [];
  const effects = join(folder, 'effects');
  try {
    await play({
      start: (plan) => {
        const options = { env: home.env, cwd: home.cwd, permissionMode: 'default' };
        const url = inject('postgresUrl');
        const given = { entryPoints: ENTRY_POINTS, url, schema, effects, options, ...plan };
        const process = new TurnProcess<End>(host, given);
        started.push(process);
        return process;
      },
      effects: () => (existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []),
      results: () => {
        const messages = model.conversation.at(-1)?.body.messages ?? [];
        const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
        return JSON.stringify(blocks.filter((block) => (block as { type: string }).type === 'tool_result'));
      },
      requests: () => model.conversation.length,
    });
    model.verify();
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ closed }) => closed));
    await model.close({ verify: false });
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
