// `inboard inspect` as a process: what it prints, what it serves, and how it ends.
import { chmodSync, mkdirSync, readdirSync, readFileSync, existsSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../src/terminal/command-line.js';
import { enterByLink, type Visitor } from '../../inspector/test/support/visitor.js';
import { endLine, frameLine, headerLine } from '../../inspector/test/support/trace-lines.js';
import { buildCommand, collect, type BuiltCommand, type Ran } from './built-command.js';
import { createFakeTerminal } from './fake-terminal.js';

const TOOLS = `
import { createSdkMcpServer, tool } from 'inboard';
export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool('count', 'How many', { article: 'string' }, ({ article }) => article + ': 7')],
});
`;

let command: BuiltCommand;
let env: Record<string, string>;

beforeAll(async () => {
  command = await buildCommand(tmpdir());
  const runtime = join(command.folder, 'runtime');
  mkdirSync(runtime);
  env = { XDG_RUNTIME_DIR: runtime };
  const lines = [headerLine(), frameLine(1), endLine(2, 1)];
  command.write('traces/one.jsonl', `${lines.join('\n')}\n`);
  command.write('traces/two.jsonl', `${lines.join('\n')}\n`);
  command.write('traces/other.jsonl', 'nothing\n');
  command.write('tools.mjs', TOOLS);
}, 60_000);
afterAll(() => command.remove());

interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
  /** The line with the link. */
  line: string;
  visitor: Visitor;
}

async function start(args: string[], more: Record<string, string> = {}): Promise<Running> {
  const child = command.start(['inspect', ...args], { env: { ...env, ...more } });
  const ended = collect(child);
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).once('line', resolve);
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { child, ended, line, visitor: await enterByLink(/http:\S+/.exec(line)?.[0] ?? '') };
}

async function stop({ child, ended }: Running): Promise<Ran> {
  child.kill('SIGINT');
  return ended;
}

describe('inboard inspect', () => {
  it('serves a folder until Ctrl-C, is found while it runs, and leaves nothing behind', async () => {
    const running = await start(['traces', '--port', '0']);
    expect(running.line).toMatch(
      /^Inspecting traces \(2 sessions\) at http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}$/,
    );
    const state = await running.visitor.state();
    expect(state).toMatchObject({ kind: 'files', isReadOnly: false, title: 'traces' });
    expect(state.sessions.map(({ id, file }) => [id, file])).toEqual([
      ['one.jsonl', join('traces', 'one.jsonl')],
      ['two.jsonl', join('traces', 'two.jsonl')],
    ]);
    expect(await running.visitor.page()).toContain('page.js');
    const [found, unknown] = await Promise.all([
      command.run(['inspect', '--link'], { env }),
      command.run(['inspect', '--link', '--port', '1'], { env }),
    ]);
    expect(found).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^traces \(process \d+\):\n$/) as string,
    });
    expect((await (await enterByLink(found.stdout.trim())).state()).title).toBe('traces');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/None of your inspectors listens on port 1\. They listen on: http:/);
    const { code, stderr } = await stop(running);
    expect(code).toBe(0);
    expect(stderr).toMatch(/works once[\s\S]*Left out: traces\/other\.jsonl is not a trace/);
    expect(readdirSync(join(env['XDG_RUNTIME_DIR'] as string, 'inboard'))).toEqual([]);
    const none = await command.run(['inspect', '--link'], { env });
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('You have no inspector running');
  });

  it('opens what INBOARD_TRACE names, calls the tools of a file as they are now, and the browser', async () => {
    const bin = join(command.folder, 'bin');
    const opened = join(command.folder, 'opened');
    command.write(
      'bin/xdg-open',
      `#!/bin/sh\necho "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const running = await start(['--tools', 'tools.mjs', '--port', '0', '--open'], {
      INBOARD_TRACE: join('traces', 'one.jsonl'),
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
    });
    const call = {
      action: 'call-tool',
      session: 'one.jsonl',
      server: 'shop',
      tool: 'count',
      input: { article: 'apples' },
    };
    expect((await running.visitor.state()).noToolsBecause).toBeUndefined();
    expect(await running.visitor.act(call)).toMatchObject({
      ok: true,
      result: { content: [{ text: 'apples: 7' }] },
    });
    expect(await running.visitor.act({ ...call, input: { article: 5 } })).toMatchObject({
      ok: true,
      result: { isError: true },
    });
    expect(await running.visitor.act({ ...call, tool: 'cuont' })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Did you mean "count"?') as string },
    });
    command.write('tools.mjs', TOOLS.replace(': 7', ': 8'));
    expect(await running.visitor.act(call)).toMatchObject({ result: { content: [{ text: 'apples: 8' }] } });
    while (!existsSync(opened)) await new Promise((resolve) => setImmediate(resolve));
    expect(running.line).toContain(readFileSync(opened, 'utf8').trim());
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it('lets nothing be done in read-only mode, and takes the next port when its own is taken', async () => {
    const [one, two] = [await start(['traces', '--read-only']), await start(['traces/one.jsonl'])];
    expect(await one.visitor.state()).toMatchObject({ isReadOnly: true });
    expect(await one.visitor.act({ action: 'interrupt', session: 'one.jsonl' })).toMatchObject({
      ok: false,
      error: { code: 'READ_ONLY' },
    });
    expect(one.visitor.origin).not.toBe(two.visitor.origin);
    const third = await command.run(['inspect'], { env });
    expect(third.code).toBe(2);
    expect(third.stderr).toContain(one.visitor.origin);
    expect(third.stderr).toContain(two.visitor.origin);
    const taken = await command.run(['inspect', 'traces', '--port', new URL(one.visitor.origin).port], {
      env,
    });
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toMatch(
      /Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.* Choose another with --port/,
    );
    expect((await Promise.all([stop(one), stop(two)])).map(({ code }) => code)).toEqual([0, 0]);
  });

  it.each([
    [[], 2, /Give a trace file, or a folder/],
    [['none.jsonl'], 1, /none\.jsonl cannot be read: ENOENT/],
    [['none/'], 1, /The folder none\/ cannot be read/],
    [['traces/other.jsonl'], 1, /traces\/other\.jsonl is not a trace/],
    [['traces', '--port', 'x'], 2, /--port must be a number from 0 to 65535, not "x"/],
    [['traces', '--port', '70000'], 2, /--port/],
    [
      ['traces', '--host', '0.0.0.0'],
      2,
      /--host 0\.0\.0\.0 can be reached from other machines[\s\S]*--allow-remote/,
    ],
    [['traces', '--tools', 'none.mjs'], 1, /none\.mjs/],
    [
      ['traces', '--allow-host', 'http://a.example/'],
      2,
      /"http:\/\/a\.example\/" cannot be allowed as a host/,
    ],
    [['traces', '--link'], 2, /--link asks running inspectors.* To open traces, leave --link out/],
    [['--link', '--read-only'], 2, /--link asks running inspectors, and --read-only is for starting one/],
    [['--link', '--host', '::1'], 2, /--link asks running inspectors, and --host is for starting one/],
    [['a', 'b'], 2, /inspect/],
  ])('says what is wrong with %j', async (args, code, message) => {
    const terminal = createFakeTerminal({ cwd: command.folder });
    expect(await runCommandLine(['inspect', ...args], terminal)).toBe(code);
    await new Promise((resolve) => setImmediate(resolve));
    const { stdout, stderr } = terminal.written();
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });
});
