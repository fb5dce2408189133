// The board as a stranger runs it: `npm start` in a process of its own, spoken to over HTTP.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

export interface Staged {
  id: string;
  chat: string;
  turn: number;
  title: string;
  description: string;
  kind: string;
  priority: string;
}

export interface State {
  chats: { id: string; title: string; activity: string }[];
  messages: { number: number; role: string; author: string | null; text: string }[];
  writing: string;
  staged: Staged[];
  creating: (Staged & { by: string })[];
  tickets: (Omit<Staged, 'id'> & { id: number; status: string; assignee: string | null })[];
  opened?: { history: Entry[]; comments: { author: string; text: string }[] };
  problem?: string;
}

/** One line of the audit trail. */
export interface Entry {
  who: string | null;
  what: string;
  turn: number;
  call_key: string;
  title: string | null;
  input: string | null;
  reason: string | null;
}

type Headers = Record<string, string>;

/** A folder for one test, removed at its end. */
export async function makeFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'board-'));
  test.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

/** Has `npm run add-user` make a user; the password it prints. */
export async function addUser(folder: string, name: string, role: string): Promise<string> {
  const words = ['--import', 'jiti/register', 'app/add-user.ts', name, role];
  const place = {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, DATA_DIR: folder },
  };
  const { stdout } = await promisify(execFile)(process.execPath, words, place);
  return /Password: (\S+)/.exec(stdout)?.[1] ?? '';
}

export class Board {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #output: string[];
  readonly #cookies = new Map<string, Promise<string>>();

  private constructor(child: ChildProcess, url: string, output: string[]) {
    this.child = child;
    this.url = url;
    this.#output = output;
  }

  /** Starts a server on any free port; it is ended with the test, however that ends. */
  static async start(
    test: TestContext,
    folder: string,
    env: NodeJS.ProcessEnv = {},
    user: { uid?: number; gid?: number } = {},
  ): Promise<Board> {
    const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts'], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, ANTHROPIC_API_KEY: '', PORT: '0', DATA_DIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
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

  /** Sends as a page of the board does, for whoever is named; '' is somebody who is not signed in. */
  async send(method: string, path: string, body: object, headers: Headers = {}, who = 'Ann') {
    const cookie = await this.signIn(who);
    const all = { 'content-type': 'application/json', origin: this.url, cookie, ...headers };
    const response = await fetch(this.url + path, { method, headers: all, body: JSON.stringify(body) });
    return { status: response.status, ...((await response.json()) as { id?: string; error?: string }) };
  }

  /** The cookie of somebody, who signs in the first time. */
  signIn(name: string, password = 'demo'): Promise<string> {
    if (name === '') return Promise.resolve('');
    const cookie = this.#cookies.get(name) ?? this.trySignIn(name, password).then(({ cookie: made }) => made);
    this.#cookies.set(name, cookie);
    return cookie;
  }

  async trySignIn(name: string, password: string, headers: Headers = {}) {
    const all = { 'content-type': 'application/json', origin: this.url, ...headers };
    const body = JSON.stringify({ name, password });
    const response = await fetch(`${this.url}/api/sign-in`, { method: 'POST', headers: all, body });
    const set = response.headers.get('set-cookie') ?? '';
    const { error } = (await response.json()) as { error?: string };
    return { status: response.status, error, set, cookie: set.split(';', 1)[0] ?? '' };
  }

  /** What is answered to somebody who asks for an address. */
  async get(path: string, who = 'Ann'): Promise<Response> {
    return fetch(this.url + path, { headers: { cookie: await this.signIn(who) }, redirect: 'manual' });
  }

  /** Opens a chat; its id. */
  async say(text: string): Promise<string> {
    return String((await this.send('POST', '/api/chats/new/messages', { text })).id);
  }

  decide(ticket: Staged | undefined, decision: 'approve' | 'reject', more: object = {}, who = 'Ann') {
    return this.send('POST', `/api/staged/${ticket?.id}`, { ...ticket, decision, ...more }, {}, who);
  }

  /** Follows what a page is told until it is as wanted, for a minute unless told otherwise. */
  async until(isWanted: (state: State) => boolean, chat = '', limitMs = 60_000, more = ''): Promise<State> {
    const leave = new AbortController();
    const headers = { cookie: await this.signIn('Ann') };
    const { body } = await fetch(`${this.url}/api/state?chat=${chat}${more}`, {
      signal: leave.signal,
      headers,
    });
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
