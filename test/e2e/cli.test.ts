// The command on the real CLI: an agent with tools of a file, the doctor, the demo, and how they end.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, collect, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { enterByLink, type Visitor } from '../../packages/inspector/test/support/visitor.js';
import { PROJECT_ROOT } from '../package/project.js';
import { isRunning } from '../support/is-running.js';
import { createIsolatedEnvironment } from './support/inboard.js';
import type { IsolatedEnvironment } from './support/inboard.js';
import { newCli } from './support/cli.js';

const TOOLS = `
import { createSdkMcpServer, tool } from 'inboard';
export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('count', 'Counts', { article: 'string' }, (_, extra) => {
      extra.progress({ progress: 1, total: 2, message: 'counting' });
      return Number(process.env.STOCK ?? 7);
    }),
    tool({ name: 'wait', description: 'Waits', run: (_, { signal }) => new Promise((resolve) => {
      signal.addEventListener('abort', () => { console.error('told to stop'); if (!process.env.STUBBORN) resolve('stopped'); });
      console.error('waiting');
    }) }),
  ],
});`;

let command: BuiltCommand;
let home: IsolatedEnvironment;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  command = await buildCommand(tmpdir());
  // Nothing listens there, so a command that asks a model by mistake fails.
  home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  const { path } = newCli;
  env = { ...home.env, INBOARD_CLI: path };
  command.write('tools.mjs', TOOLS);
  const script = (name: string, steps: string): string =>
    command.write(
      name,
      `import { apiError, text, toolUse } from 'inboard/testing'; export default [${steps}];`,
    );
  script(
    'count.mjs',
    `toolUse('mcp__shop__count', { article: 'apples' }),
     (request) => text(['We have ', request.toolResults[0].content[0]?.text ?? request.toolResults[0].content, '.'])`,
  );
  script('wait.mjs', `toolUse('mcp__shop__wait', {})`);
  // How often the CLI tries again depends on what else is in the request.
  command.write(
    'refused.mjs',
    `import { apiError } from 'inboard/testing'; export default { onExhausted: apiError(400) };`,
  );
});
afterAll(async () => {
  command.remove();
  await home.remove();
});

function run(args: string[], more: Record<string, string | undefined> = {}) {
  return command.run(['run', 'tools.mjs', 'How many apples?', ...args], { env: { ...env, ...more } });
}

describe('inboard run', () => {
  it('streams the answer, shows the tools, and records a run that can be seen and replayed', async () => {
    const ran = await run(['--allow', 'count', '--trace', 'run.jsonl', '--offline-script', 'count.mjs']);
    expect(ran).toMatchObject({ code: 0, stdout: 'We have 7.\n' });
    expect(ran.stderr).toMatch(
      /^> mcp__shop__count \{"article":"apples"\}\n {2}mcp__shop__count 1\/2 counting\n< mcp__shop__count done in \d+ ms: 7\nok, 2 turns, [\d.]+ s, \$0\.\d{4}\n$/,
    );
    const [view, mermaid, html, same, other, taped] = await Promise.all([
      command.run(['trace', 'view', 'run.jsonl', '--json']),
      command.run(['trace', 'mermaid', 'run.jsonl']),
      command.run(['trace', 'html', 'run.jsonl', '-o', 'page.html']),
      command.run(['trace', 'replay', 'run.jsonl', '--tools', 'tools.mjs']),
      command.run(['trace', 'replay', 'run.jsonl', '--tools', 'tools.mjs'], { env: { STOCK: '8' } }),
      command.run(['trace', 'replay', 'run.jsonl', '--json']),
    ]);
    const { rows } = JSON.parse(view.stdout) as { rows: { event: string }[] };
    expect(rows.map(({ event }) => event)).toContain('tools/call');
    expect(mermaid.stdout).toMatch(/^sequenceDiagram\n/);
    expect(html).toMatchObject({ code: 0, stdout: `${join(command.folder, 'page.html')}\n` });
    expect(readFileSync(join(command.folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(same).toMatchObject({ code: 0, stderr: '' });
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/"count".*differs[\s\S]*"7"[\s\S]*"8"/);
    expect(JSON.parse(taped.stdout)).toMatchObject({ ok: true, finished: true });
  });

  it('prints messages as lines of JSON, and takes its script from the environment', async () => {
    const { code, stdout } = await run(['--yes', '--json'], { INBOARD_OFFLINE_SCRIPT: 'count.mjs' });
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; result?: string });
    expect(messages.map(({ type }) => type)).not.toContain('stream_event');
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'We have 7.' });
  });

  it('warns of steps that are left over, and fails because of them only with --strict', async () => {
    command.write(
      'long.mjs',
      `import { text } from 'inboard/testing'; export default [text('Seven.'), text('Never said.')];`,
    );
    const [lax, strict] = await Promise.all([
      run(['--offline-script', 'long.mjs']),
      run(['--offline-script', 'long.mjs', '--strict']),
    ]);
    expect(lax).toMatchObject({ code: 0, stdout: 'Seven.\n' });
    const left = 'Warning: The script was longer than the run: 1 of 2 steps of script were never used';
    expect(lax.stderr).toContain(left);
    expect(lax.stderr).toContain('With --strict, the exit code would be 1.');
    expect(strict).toMatchObject({ code: 1, stdout: 'Seven.\n' });
    expect(strict.stderr).toContain(left);
    expect(strict.stderr).not.toContain('With --strict');
  });

  it('denies what nobody can be asked about, and says so', async () => {
    const { code, stdout, stderr } = await run(['--offline-script', 'count.mjs']);
    expect(code).toBe(0);
    expect(stdout).toContain('cannot be asked');
    expect(stderr).toContain('Denied mcp__shop__count: there is nobody to ask here');
  });

  it('waits for an answer on the page with --inspect, and goes on with it', async () => {
    const args = ['run', 'tools.mjs', 'How many apples?', '--inspect', '--offline-script', 'count.mjs'];
    const child = command.start(args, { env: { ...env, XDG_RUNTIME_DIR: command.folder } });
    const ended = collect(child);
    const lines = createInterface({ input: child.stderr as NonNullable<typeof child.stderr> });
    let visitor: Visitor | undefined;
    for await (const line of lines) {
      const [link] = /http:\S+/.exec(line) ?? [];
      if (link !== undefined) visitor = await enterByLink(link);
      if (line.includes('is waiting for an answer')) break;
    }
    const { questions, sessions, title } = (await visitor?.state()) ?? {
      questions: [],
      sessions: [],
      title: '',
    };
    expect(title).toBe('inboard run tools.mjs');
    expect(sessions).toMatchObject([{ state: 'waiting' }]);
    expect(questions).toMatchObject([{ kind: 'permission', input: { article: 'apples' }, canAnswer: true }]);
    const { session, id } = questions[0] as (typeof questions)[number];
    const answer = { action: 'answer', session, id, decision: { kind: 'allow' } };
    expect(await visitor?.act(answer)).toMatchObject({ ok: true });
    const { code, stdout } = await ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'We have 7.\n' });
  });

  it('ends with 1 when the run does', async () => {
    const { code, stderr } = await run(['--offline-script', 'refused.mjs']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/API Error: 400[\s\S]*api_error, /);
  });

  it.each([
    ['once: tools are told, and the CLI is waited for', 1],
    ['twice: at once, whatever a tool does', 2],
  ])('is ended by Ctrl-C, %s', async (_, times) => {
    const args = ['run', 'tools.mjs', 'Wait.', '--yes', '--offline-script', 'wait.mjs'];
    const child = command.start(args, { env: { ...env, ...(times === 2 ? { STUBBORN: '1' } : {}) } });
    const ended = collect(child);
    if (!child.stderr) throw new Error('no output');
    const children = new Set<number>();
    let sent = 0;
    for await (const line of createInterface({ input: child.stderr })) {
      if (line !== 'waiting' && line !== 'told to stop') continue;
      if (sent === times) break;
      for (const pid of listChildren(child.pid ?? 0)) children.add(pid);
      child.kill('SIGINT');
      sent += 1;
      if (sent === times) break;
    }
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(130);
    expect(children.size).toBeGreaterThan(0);
    await expect.poll(() => [...children].filter(isRunning), { timeout: 20_000 }).toEqual([]);
  });
});

function listChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

describe('inboard doctor', () => {
  it('finds everything in order', async () => {
    command.write(
      'mixed.mjs',
      `import { createSdkMcpServer, tool } from 'inboard';
       export const mixed = createSdkMcpServer({ name: 'mixed', tools: [
         tool({ name: 'own', run: () => '' }), tool('official', '', {}, () => ''),
       ] });`,
    );
    const { code, stdout, stderr } = await command.run(['doctor', 'mixed.mjs'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /ok +Tools of mixed\.mjs: 2 tools; the model sees 1 of them from the start\nnote +mcp__mixed__official: deferred: .*\n +Set "alwaysLoad: true"/,
    );
    expect(stdout).toMatch(
      /ok +Claude CLI: [\s\S]*(?:ok|note) +Version: [\s\S]*ok +Handshake: [\s\S]*ok +Tools in this process: /,
    );
    expect(stdout).toContain(` Version: ${newCli.version}`);
    expect(stdout).toContain('Login: an API key (ANTHROPIC_API_KEY), at 127.0.0.1:9');
  });
});

describe('inboard demo', () => {
  it('is the agent of the example, with the wire shown', async () => {
    const example = readFileSync(join(PROJECT_ROOT, 'examples', 'demo.mjs'), 'utf8');
    const file = command.write('demo.mjs', example);
    const offline = { ...env, ANTHROPIC_API_KEY: undefined };
    const [demo, alone] = await Promise.all([
      command.run(['demo'], { env: offline }),
      command.runFile(file, { env: { ...offline, PATH: process.env['PATH'] } }),
    ]);
    expect(demo).toMatchObject({ code: 0, stderr: '' });
    expect(demo.stdout).toMatch(
      /mcp +<- tools\/call[\s\S]*3 guests: Ada, Grace, Edsger[\s\S]*result +ok, 2 turns[\s\S]*Next:\n {2}npx inboard init my-agent/,
    );
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toMatch(/Done: the tool answered[\s\S]*in the house: Ada, Grace, Edsger/);
  });
});
