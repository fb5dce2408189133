// The desk as a stranger runs it: a process of its own, spoken to over HTTP.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

export interface State {
  conversations: { key: string; customer: string; state: string; owner?: string }[];
  approvals: { id: string; conversation: string; toolName: string; input: { order: string } }[];
  workers: { name: string; alive: boolean; conversations: number }[];
  refunds: { order: string; usd: number }[];
  takeovers: number;
}
export interface DeskEvent {
  id: number;
  type: string;
  state?: string;
  attempt?: number;
  outcome?: { ok: boolean; text: string };
  message?: { type: string; message?: { content?: { type: string; name?: string }[] } };
}

const FOLDER = join(import.meta.dirname, '..', '..');

/** A folder for one test, removed at its end. */
export async function makeFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'desk-'));
  test.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

export class DeskProcess {
  readonly child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  /** Starts it on any free port; it is ended with the test, however that ends. */
  static async start(
    test: TestContext,
    folder: string,
    command = ['src/main.ts'],
    env: NodeJS.ProcessEnv = {},
  ) {
    const words = command[0] === 'src/main.ts' ? ['--import', 'jiti/register', ...command] : command;
    const child = spawn(process.execPath, words, {
      cwd: FOLDER,
      env: {
        ...process.env,
        ANTHROPIC_API_KEY: '',
        DATABASE_URL: '',
        PORT: '0',
        SHELF_MS: '200',
        DATA_DIR: folder,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(child, 'exit');
    test.after(async () => {
      child.kill('SIGTERM');
      await gone;
    });
    const output: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
    for await (const line of createInterface(child.stdout)) {
      output.push(line);
      const url = /http:\/\/\S+(?=\/)/.exec(line)?.[0];
      if (url !== undefined) return new DeskProcess(child, url);
    }
    throw new Error(`The desk did not start:\n${output.join('\n')}`);
  }

  async send(path: string, body: object = {}, headers: Record<string, string> = {}) {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as { key?: string; error?: string }) };
  }

  /** Follows what the page is told until it is as wanted. */
  until(isWanted: (state: State) => boolean): Promise<State> {
    return this.#follow<State>('/api/desk', isWanted);
  }

  /** Follows the events of a conversation until one is as wanted; gives all that came. */
  async events(key: string, isLast: (event: DeskEvent) => boolean, after?: number): Promise<DeskEvent[]> {
    const events: DeskEvent[] = [];
    await this.#follow<DeskEvent>(
      `/api/conversations/${key}/events`,
      (event) => {
        events.push(event);
        return isLast(event);
      },
      after === undefined ? {} : { 'last-event-id': String(after) },
    );
    return events;
  }

  async #follow<T>(
    path: string,
    isLast: (item: T) => boolean,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const leave = AbortSignal.timeout(60_000);
    const response = await fetch(this.url + path, { headers, signal: leave });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data === undefined) continue;
        const item = JSON.parse(data) as T;
        if (isLast(item)) return item;
      }
    }
    throw new Error(`${path} ended`);
  }
}
