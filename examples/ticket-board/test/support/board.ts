// The board as a stranger runs it: `npm start` in a process of its own, spoken to over HTTP.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

export interface Staged {
  id: string;
  chat: string;
  title: string;
  description: string;
  kind: string;
  priority: string;
}

export interface State {
  chats: { id: string; title: string; activity: string }[];
  messages: { role: string; text: string }[];
  writing: string;
  staged: Staged[];
  tickets: (Staged & { status: string })[];
}

/** A folder for one test, removed at its end. */
export async function makeFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'board-'));
  test.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

export class Board {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #output: string[];

  private constructor(child: ChildProcess, url: string, output: string[]) {
    this.child = child;
    this.url = url;
    this.#output = output;
  }

  /** Starts a server on any free port; it is ended with the test, however that ends. */
  static async start(test: TestContext, folder: string, env: NodeJS.ProcessEnv = {}): Promise<Board> {
    const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts'], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, ANTHROPIC_API_KEY: '', PORT: '0', DATA_DIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    test.after(() => child.kill('SIGKILL'));
    const output: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
    for await (const line of createInterface(child.stdout)) {
      output.push(line);
      const url = /http:\/\/\S+(?=\/)/.exec(line)?.[0];
      if (url !== undefined) return new Board(child, url, output);
    }
    throw new Error(`The board did not start:\n${output.join('\n')}`);
  }

  get output(): string {
    return this.#output.join('\n');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }

  async send(method: string, path: string, body: object, headers: Record<string, string> = {}) {
    const all = { 'content-type': 'application/json', ...headers };
    const response = await fetch(this.url + path, { method, headers: all, body: JSON.stringify(body) });
    return { status: response.status, ...((await response.json()) as { id?: string; error?: string }) };
  }

  /** Opens a chat; its id. */
  async say(text: string): Promise<string> {
    return String((await this.send('POST', '/api/chats/new/messages', { text })).id);
  }

  decide(ticket: Staged | undefined, decision: 'approve' | 'reject', more: object = {}) {
    return this.send('POST', `/api/staged/${ticket?.id}`, { ...ticket, decision, by: 'Ann', ...more });
  }

  /** Follows what a page is told until it is as wanted, for a minute unless told otherwise. */
  async until(isWanted: (state: State) => boolean, chat = '', limitMs = 60_000): Promise<State> {
    const leave = new AbortController();
    const { body } = await fetch(`${this.url}/api/state?chat=${chat}`, { signal: leave.signal });
    let text = '';
    let last: unknown;
    const timer = setTimeout(() => leave.abort(), limitMs);
    try {
      for await (const chunk of (body as NonNullable<typeof body>).pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const state = JSON.parse(text.slice('data: '.length, end)) as State;
          text = text.slice(end + 2);
          last = state;
          if (isWanted(state)) return state;
        }
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      leave.abort();
    }
    throw new Error(`It did not come to that. Last: ${JSON.stringify(last)}\n${this.output}`);
  }
}

export const isIdle = ({ chats }: State): boolean => chats.every(({ activity }) => activity === 'idle');
