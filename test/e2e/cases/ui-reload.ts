// A chat server that is killed while a person is asked, or while a tool runs. A page that is only loaded again sees the question on
// the next server, which starts nothing for that, and the answer goes on with the turn. Where nobody is asked, it goes on at once.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { UiChat, UiChatOptions, UiMessage } from '../../../packages/inboard/src/ui.js';
import { Page } from '../../../packages/ui/test/chat-scene.js';
import { readEvents, typesOf } from '../../../packages/ui/test/chunks.js';
import { buildSource, type BuiltSource } from '../../support/build-source.js';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';
import { whyNoContainer } from '../../services/deployment/container.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { reply, text, toolUse } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const HOST = fileURLToPath(new URL('../../fixtures/children/chat-host.mjs', import.meta.url));
const SHIP = 'mcp__shop__ship';

let built: BuiltSource | undefined;

/** Removes the sources that servers were run from. */
export function removeBuiltServer(): void {
  built?.remove();
  built = undefined;
}

/** Options of its chat. With `container`, it has a container of its own, in which these variables are set. */
type ServerOptions = Partial<UiChatOptions> & { container?: Record<string, string> };

/** A server process, and what it said. */
class Server {
  readonly #child: ChildProcess;
  readonly said: { port?: number; opened?: string; shipped?: string; packing?: string }[] = [];
  readonly #exited: Promise<unknown>;
  /** Whether a container is around it. That takes no other signal, and ends what is in it. */
  readonly #isContainer: boolean;

  constructor(stage: Stage, { container, ...options }: ServerOptions) {
    this.#isContainer = container !== undefined;
    built ??= buildSource('inboard/src/index.ts', 'inboard/src/ui.ts');
    const args = [HOST, built.folder, JSON.stringify(stage.options()), JSON.stringify(options)];
    // Its processes cannot be looked up from another container, as little as those of another machine.
    const [program = '', ...before] = container
      ? ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', process.execPath]
      : [process.execPath];
    this.#child = spawn(program, [...before, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...container },
    });
    this.#exited = once(this.#child, 'exit');
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.said.push(JSON.parse(line) as Server['said'][number]),
    );
  }

  static async start(stage: Stage, options: ServerOptions = {}): Promise<Server> {
    const server = new Server(stage, options);
    await waitUntil(() => server.said.some(({ port }) => port !== undefined));
    return server;
  }

  /** A page of this server. */
  page(id: string): Page {
    const { port } = this.said.find((each) => each.port !== undefined) ?? {};
    const fetchThere = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url);
      const body = request.method === 'POST' ? await request.text() : undefined;
      return await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method: request.method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      });
    };
    return new Page({ fetch: fetchThere } as UiChat, id);
  }

  get shipped(): string[] {
    return this.said.flatMap(({ shipped }) => shipped ?? []);
  }

  get opened(): string[] {
    return this.said.flatMap(({ opened }) => opened ?? []);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(this.#isContainer ? 'SIGKILL' : signal);
    await this.#exited;
  }
}

/** Everything that has the stage's config folder in its environment: CLIs, but not servers. */
function listClis({ home }: Stage): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, 'latin1') : '';
      return environment.includes(home.configDir) && isRunning(Number(name)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** The transcript of a session; empty as long as there is none. */
function readSession({ home }: Stage, id: string): string {
  const projects = join(home.configDir, 'projects');
  const files = existsSync(projects) ? readdirSync(projects, { recursive: true, encoding: 'utf8' }) : [];
  const file = files.find((path) => path.endsWith(`${id}.jsonl`));
  return file === undefined ? '' : readFileSync(join(projects, file), 'utf8');
}

interface Scene {
  stage: Stage;
  /** A page that asked, and whose server is dead. */
  before: Page;
  servers: Server[];
}

/** Lets a server ask, kills it, and waits until its CLI is gone. */
async function crash(
  cli: Cli,
  script: Parameters<typeof onStage>[1]['script'],
  play: (scene: Scene) => Promise<void>,
  options: ServerOptions = {},
) {
  await onStage(cli, { script: script ?? [] }, async (stage) => {
    const servers = [await Server.start(stage, options)];
    const start = servers[0] as Server;
    try {
      const before = start.page(crypto.randomUUID());
      await before.send('Ship them.');
      await start.end('SIGKILL');
      await waitUntil(() => listClis(stage).length === 0);
      servers.push(await Server.start(stage, options));
      await play({ stage, before, servers });
      await servers[1]?.end('SIGTERM');
    } finally {
      for (const server of servers) await server.end('SIGKILL');
    }
  });
}

const shippedBy = (servers: readonly Server[]): string[] => servers.flatMap(({ shipped }) => shipped);

/** What a page that is loaded again sees. */
async function reload(page: Page): Promise<{ history: UiMessage[]; approvals: { approvalId: string }[] }> {
  await page.resume();
  const { approvals } = (await (await page.fetch(`/${page.id}/approvals`)).json()) as {
    approvals: { approvalId: string }[];
  };
  const { messages } = (await (await page.fetch(`/${page.id}/messages`)).json()) as { messages: UiMessage[] };
  return { history: messages, approvals };
}

async function answerAfterReload(cli: Cli): Promise<void> {
  const script = [
    reply(text('I ship.'), toolUse(SHIP, { order: '7' })),
    ({ answer }: { answer: { text: string } }) => text(`Done: ${answer.text}`),
  ];
  await crash(cli, script, async ({ stage, before, servers }) => {
    const server = servers[1] as Server;
    const page = server.page(before.id);
    const asked = stage.model.requests.length;
    for (let times = 0; times < 3; times += 1) {
      const { history, approvals } = await reload(page);
      expect(page.messageId).toBe(before.messageId);
      expect(page.text).toBe('I ship.');
      expect(page.approvals).toEqual(before.approvals);
      expect(approvals.map(({ approvalId }) => approvalId)).toEqual(before.approvals);
      expect(history.map(({ role }) => role)).toEqual(['user']);
    }
    const whole = await page.fetch(`/${page.id}/messages?whole=true`);
    expect(await whole.json()).toMatchObject({
      messages: [{ role: 'user' }, { parts: [{}, {}, { state: 'approval-requested' }] }],
    });
    // Nothing was opened, started or asked.
    expect(server.opened).toEqual([]);
    expect(listClis(stage)).toEqual([]);
    expect(stage.model.requests.length).toBe(asked);

    const [approvalId = ''] = page.approvals;
    const rest = await page.answer(true, { approvalInputs: { [approvalId]: { order: '8' } } });
    expect(rest[0]).toEqual({ type: 'start', messageId: before.messageId });
    expect(rest.filter(({ type }) => type === 'tool-output-available')).toMatchObject([
      { output: 'shipped 8' },
    ]);
    expect(page.text).toBe('I ship.Done: shipped 8');
    expect(shippedBy(servers)).toEqual(['8']);
    const late = await server.page(before.id).fetch(`/${page.id}/approvals`, { approvalId, approved: true });
    expect(late.status).toBe(409);
  });
}

async function answerInNextContainer(cli: Cli): Promise<void> {
  const notRun = whyNoContainer();
  if (notRun !== undefined) {
    console.warn(`The next container of a chat: not run, because ${notRun}.`);
    return;
  }
  const script = [reply(text('I ship.'), toolUse(SHIP, { order: '7' })), text('Shipped.')];
  const play = async ({ before, servers }: Scene): Promise<void> => {
    const page = (servers[1] as Server).page(before.id);
    await reload(page);
    expect(page.approvals).toEqual(before.approvals);
    await page.answer(true);
    expect(page.text).toBe('I ship.Shipped.');
    expect(shippedBy(servers)).toEqual(['7']);
  };
  await crash(cli, script, play, { container: { INBOARD_SOLE_CONTAINER: '1' } });
}

async function goOnAfterReload(cli: Cli): Promise<void> {
  const script = [
    reply(text('I pack.'), toolUse('mcp__shop__pack', { order: '7' })),
    text('It was cut off.'),
    text('Hello again.'),
  ];
  await onStage(cli, { script }, async (stage) => {
    const servers = [await Server.start(stage)];
    const start = servers[0] as Server;
    try {
      const before = start.page(crypto.randomUUID());
      const response = await before.post('Pack it.');
      await waitUntil(() => start.said.some(({ packing }) => packing === '7'));
      await waitUntil(() => readSession(stage, before.id).includes('"tool_use"'));
      await start.end('SIGKILL');
      await response.text().catch(() => '');
      await waitUntil(() => listClis(stage).length === 0);
      const server = await Server.start(stage);
      servers.push(server);
      const page = server.page(before.id);
      const history = (await (await page.fetch(`/${page.id}/messages`)).json()) as { messages: UiMessage[] };
      expect(history.messages.map(({ role }) => role)).toEqual(['user']);
      expect(server.opened).toEqual([]);
      await page.resume();
      expect(page.text).toBe('I pack.It was cut off.');
      await page.send('Hello?');
      expect(page.text).toBe('Hello again.');
      expect(server.opened).toHaveLength(1);
      expect(servers.flatMap(({ said }) => said.flatMap(({ packing }) => packing ?? []))).toEqual(['7']);
      await server.end('SIGTERM');
    } finally {
      for (const server of servers) await server.end('SIGKILL');
    }
  });
}

async function answerTwoByTwoPages(cli: Cli): Promise<void> {
  const script = [reply(toolUse(SHIP, { order: '1' }), toolUse(SHIP, { order: '2' })), text('Both.')];
  await crash(cli, script, async ({ stage, before, servers }) => {
    const server = servers[1] as Server;
    const [one, other] = [server.page(before.id), server.page(before.id)];
    await reload(one);
    await reload(other);
    expect(one.approvals).toEqual(before.approvals);
    expect(one.approvals).toHaveLength(2);
    const [first = '', second = ''] = one.approvals;
    // The second question first, and each by another page; then once more.
    const answer = (page: Page, approvalId: string): Promise<Response> =>
      page.fetch(`/${page.id}/approvals`, { approvalId, approved: true });
    expect((await answer(other, second)).status).toBe(200);
    expect((await answer(one, second)).status).toBe(409);
    const following = one.fetch(`/${one.id}/stream?follow=true`);
    const given = await Promise.all([answer(one, first), answer(other, first)]);
    expect(given.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const chunks = await readEvents(await following);
    expect(typesOf(chunks).at(-1)).toBe('finish');
    expect(chunks.filter(({ type }) => type === 'tool-output-available')).toHaveLength(2);
    expect(shippedBy(servers).toSorted()).toEqual(['1', '2']);
    expect(server.opened).toHaveLength(1);
    const results = JSON.stringify(stage.lastRequest().body).match(/shipped \d/g);
    expect([...new Set(results)]).toEqual(['shipped 1', 'shipped 2']);
  });
}

async function refuseWhileAnotherHasIt(cli: Cli, { isLetGo }: { isLetGo: boolean }): Promise<void> {
  const script = [toolUse(SHIP, { order: '7' }), text('Shipped.')];
  await onStage(cli, { script }, async (stage) => {
    const options = isLetGo ? { suspendAfterMs: 300 } : {};
    const servers = [await Server.start(stage, options), await Server.start(stage)];
    const [holder, other] = servers as [Server, Server];
    try {
      const page = holder.page(crypto.randomUUID());
      await page.send('Ship it.');
      if (isLetGo) await waitUntil(() => listClis(stage).length === 0);
      const elsewhere = other.page(page.id);
      await reload(elsewhere);
      expect(elsewhere.approvals).toEqual(page.approvals);
      const [approvalId = ''] = page.approvals;
      const refused = await elsewhere.fetch(`/${page.id}/approvals`, { approvalId, approved: true });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '5']);
      expect(await refused.json()).toMatchObject({ code: 'SESSION_RUNNING' });
      expect(shippedBy(servers)).toEqual([]);
      await page.answer(true);
      expect(page.text).toBe('Shipped.');
      expect(shippedBy(servers)).toEqual(['7']);
      await Promise.all(servers.map((server) => server.end('SIGTERM')));
    } finally {
      for (const server of servers) await server.end('SIGKILL');
    }
  });
}

async function waitWithoutCli(cli: Cli): Promise<void> {
  const script = [
    reply(text('I ship.'), toolUse(SHIP, { order: '7' })),
    text('Shipped.'),
    toolUse(SHIP, { order: '8' }),
    text('That too.'),
  ];
  await onStage(cli, { script }, async (stage) => {
    const servers = [await Server.start(stage, { suspendAfterMs: 300 })];
    const server = servers[0] as Server;
    try {
      const page = server.page(crypto.randomUUID());
      await page.send('Ship it.');
      const [approvalId = ''] = page.approvals;
      // One reader has the stream open all the time, across the end of the CLI.
      const following = readEvents(await page.fetch(`/${page.id}/stream?follow=true`));
      await waitUntil(() => listClis(stage).length === 0);
      const { approvals } = await reload(page);
      expect(approvals).toMatchObject([{ approvalId }]);
      await page.answer(true);
      const chunks = await following;
      expect(chunks[0]).toEqual({ type: 'start', messageId: page.messageId });
      expect(typesOf(chunks).filter((type) => type === 'tool-approval-request')).toHaveLength(1);
      expect(typesOf(chunks).filter((type) => type === 'tool-output-available')).toHaveLength(1);
      expect(page.text).toBe('I ship.Shipped.');
      expect([server.shipped, server.opened.length]).toEqual([['7'], 1]);

      // Killed while it waits without a CLI, it goes on from its records.
      await page.send('And 8.');
      await waitUntil(() => listClis(stage).length === 0);
      await server.end('SIGKILL');
      servers.push(await Server.start(stage));
      const after = (servers[1] as Server).page(page.id);
      await reload(after);
      expect(after.approvals).toEqual(page.approvals);
      await after.answer(true);
      expect(after.text).toBe('That too.');
      expect(shippedBy(servers)).toEqual(['7', '8']);
      await servers[1]?.end('SIGTERM');
    } finally {
      for (const each of servers) await each.end('SIGKILL');
    }
  });
}

async function givePlace(cli: Cli): Promise<void> {
  const script = [toolUse(SHIP, { order: '7' }), text('Hello.'), text('Shipped.')];
  await onStage(cli, { script }, async (stage) => {
    const server = await Server.start(stage, { suspendAfterMs: 300, maxChats: 1 });
    try {
      const page = server.page(crypto.randomUUID());
      await page.send('Ship it.');
      const { approvals } = page;
      await waitUntil(() => listClis(stage).length === 0);
      const other = server.page(crypto.randomUUID());
      await other.send('Hello?');
      expect(other.text).toBe('Hello.');
      await reload(page);
      expect(page.approvals).toEqual(approvals);
      expect(server.opened).toHaveLength(2);
      await page.answer(true);
      expect(page.text).toBe('Shipped.');
      expect(server.shipped).toEqual(['7']);
      await server.end('SIGTERM');
    } finally {
      await server.end('SIGKILL');
    }
  });
}

export const uiReloadCases: CaseSet = {
  'a page that is only reloaded sees the question of a killed server, and answers it': answerAfterReload,
  'a page that is only reloaded sees the question of a killed container, and answers it in the next':
    answerInNextContainer,
  'a page that is only reloaded goes on with the answer of a server that was killed while a tool ran':
    goOnAfterReload,
  'two pages answer two questions of a killed server, each once': answerTwoByTwoPages,
  'a chat that waits has no CLI, and goes on in the same stream': waitWithoutCli,
  'a chat that waits gives its place to another, and goes on from its records': givePlace,
  'a server refuses an answer to a session that another server has': (cli) =>
    refuseWhileAnotherHasIt(cli, { isLetGo: false }),
  'a server refuses an answer to a session that waits in another server without a CLI': (cli) =>
    refuseWhileAnotherHasIt(cli, { isLetGo: true }),
};
