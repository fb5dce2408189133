// Two hosts that continue one session at the same moment: one asks and runs the call, the other waits, and then has nothing to do, takes
// over, or is told that the session runs elsewhere.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { allow, createSdkMcpServer, openSession, tool, type Session } from '@inboard/inboard/index.js';
import { createFakeCli, text, type FakeCli } from '@inboard/inboard/testing.js';
import { createDeferred, type Deferred } from '../../../src/util/deferred.js';
import { buildSource, type BuiltSource } from '../../../../../test/support/build-source.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { createCutFiles, createCutStore, createEntries, SESSION } from './cut-session.js';

const fakes: FakeCli[] = [];

describe('two sessions of one process', () => {
  const opened: Session[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(opened.splice(0).map((session) => session.close()));
    await Promise.all(fakes.splice(0).map((fake) => fake.close()));
  });

  async function openTwo() {
    const { store, results } = await createCutStore();
    const asked: Deferred<void>[] = [];
    const ran: string[] = [];
    const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
      ran.push(order);
      return `paid ${order}`;
    });
    const starts: number[] = [];
    const open = (index: number): Session => {
      const fake = createFakeCli([text('Paid.')], { allowEarlyEnd: true });
      fakes.push(fake);
      const session = openSession({
        options: {
          transport: (start) => {
            starts.push(index);
            return fake.transport(start);
          },
          sessionStore: store,
          resume: SESSION,
          mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
          canUseTool: async () => {
            const answered = createDeferred<void>();
            asked.push(answered);
            await answered.promise;
            return allow();
          },
        },
        interrupted: 'continue',
      });
      opened.push(session);
      return session;
    };
    const sessions = [open(0), open(1)] as const;
    const settled = sessions.map((session) => session.continued.catch((error: unknown) => error));
    await waitUntil(() => asked.length > 0);
    return { sessions, settled, asked, ran, results, starts };
  }

  it('ask once and run the call once; the second is told that the session runs, and starts no CLI', async () => {
    const { sessions, settled, asked, ran, results, starts } = await openTwo();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true });
    asked[0]?.resolve();
    const first = await Promise.race(settled);
    expect(await (first as { text(): Promise<string> }).text()).toBe('Paid.');
    await vi.advanceTimersByTimeAsync(15_000);
    const [winner, loser] = starts[0] === 0 ? sessions : sessions.toReversed();
    const refused = await loser?.continued.catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'SESSION_CLOSED',
      cause: { code: 'SESSION_RUNNING', retryable: true },
    });
    expect(loser?.state).toBe('closed');
    expect(winner?.state).toBe('ready');
    expect({ asked: asked.length, ran, starts }).toEqual({ asked: 1, ran: ['7'], starts: [starts[0]] });
    expect(await results()).toHaveLength(1);
  });

  it('leave the question to the second where the first is abandoned', async () => {
    const { sessions, asked, ran, results, settled } = await openTwo();
    await sessions[0].abandon();
    // It waited and asks now, or it was the first to ask.
    await waitUntil(() => sessions[1].pendingPermissions().length === 1);
    for (const each of asked) each.resolve();
    const turn = await settled[1];
    expect(await (turn as { text(): Promise<string> }).text()).toBe('Paid.');
    expect(ran).toEqual(['7']);
    expect(await results()).toHaveLength(1);
  });

  it('let the one that waits be stopped and closed', async () => {
    const { sessions, asked, settled, ran } = await openTwo();
    const waiting = sessions.find((session) => session.pendingPermissions().length === 0);
    expect(waiting).toBeDefined();
    await waiting?.interrupt();
    const index = sessions.indexOf(waiting as Session);
    await settled[index];
    await waiting?.close();
    expect(waiting?.state).toBe('closed');
    for (const each of asked) each.resolve();
    expect(await ((await settled[1 - index]) as { text(): Promise<string> }).text()).toBe('Paid.');
    expect({ asked: asked.length, ran }).toEqual({ asked: 1, ran: ['7'] });
  });
});

describe('two processes with one config folder', () => {
  const HOST = fileURLToPath(
    new URL('../../../../../test/fixtures/children/continuing-host.mjs', import.meta.url),
  );
  const TIMEOUT_MS = 90_000;
  let built: BuiltSource;
  let folder: string;
  const children: ChildProcess[] = [];
  beforeAll(() => void (built = buildSource('inboard/src/index.ts')), TIMEOUT_MS);
  afterAll(() => built.remove());
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'two-hosts-'))));
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child);
    for (const fake of fakes.splice(0)) await fake.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async function startTwo() {
    const cwd = join(folder, 'project');
    const configDir = join(folder, 'config');
    mkdirSync(cwd);
    const transcript = await createCutFiles(configDir, cwd);
    const effects = join(folder, 'effects');
    const fake = createFakeCli([text('Paid.'), text('Paid.')], { allowEarlyEnd: true });
    fakes.push(fake);
    const env = { PATH: process.env['PATH'], HOME: folder, CLAUDE_CONFIG_DIR: configDir };
    const options = { pathToClaudeCodeExecutable: await fake.executable(), env, cwd, resume: SESSION };
    const start = () => {
      const args = [HOST, built.folder, JSON.stringify(options), effects];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      return { child, lines, tell: (line: string) => void child.stdin.write(`${line}\n`) };
    };
    const hosts = [start(), start()];
    await waitUntil(() => hosts.some(({ lines }) => lines.includes('asked')), TIMEOUT_MS);
    const [winner] = hosts.filter(({ lines }) => lines.includes('asked'));
    const loser = hosts.find((host) => host !== winner);
    if (!winner || !loser) throw new Error('Nobody asked');
    const ran = () => (existsSync(effects) ? readFileSync(effects, 'utf8') : '');
    return { winner, loser, transcript, ran, cwd };
  }

  it(
    'ask and run once: the second waits, and finds nothing to do',
    async () => {
      const { winner, loser, transcript, ran, cwd } = await startTwo();
      winner.tell('allow');
      await waitUntil(() => winner.lines.includes('text Paid.'), TIMEOUT_MS);
      expect(loser.lines).toEqual([]);
      // As the CLI does.
      const [, called] = createEntries(cwd);
      const result = transcript
        .read()
        .split('\n')
        .findLast((line) => line.includes('"tool_result"'));
      const answer = {
        ...called,
        uuid: '00000000-0000-4000-8000-0000000000a2',
        parentUuid: (JSON.parse(String(result)) as { uuid: string }).uuid,
        message: { id: 'msg_2', role: 'assistant', content: [{ type: 'text', text: 'Paid.' }] },
      };
      appendFileSync(transcript.path, `${JSON.stringify(answer)}\n`);
      winner.tell('close');
      await waitUntil(() => loser.lines.includes('nothing'), TIMEOUT_MS);
      loser.tell('close');
      await waitUntil(() => loser.lines.includes('closed'), TIMEOUT_MS);
      expect(ran()).toBe('paid 7\n');
      expect(transcript.results()).toHaveLength(1);
      expect(winner.lines).toEqual(['asked', 'text Paid.', 'closed']);
      expect(loser.lines).toEqual(['nothing', 'closed']);
    },
    TIMEOUT_MS,
  );

  it(
    'go on in the second where the first is killed while it asks',
    async () => {
      const { winner, loser, transcript, ran } = await startTwo();
      await kill(winner.child);
      await waitUntil(() => loser.lines.includes('asked'), TIMEOUT_MS);
      loser.tell('allow');
      await waitUntil(() => loser.lines.includes('text Paid.'), TIMEOUT_MS);
      expect(ran()).toBe('paid 7\n');
      expect(transcript.results()).toHaveLength(1);
      loser.tell('close');
      await waitUntil(() => loser.lines.includes('closed'), TIMEOUT_MS);
    },
    TIMEOUT_MS,
  );
});
