import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import { runCommandLine } from '../src/terminal/command-line.js';
import { COMMANDS } from '../src/commands.js';
import { MANIFEST, PROJECT_ROOT, readProjectFile, readSourceFiles } from '../../../test/package/project.js';
import { expectTame, HOSTILE_TEXT } from '../../../test/support/hostile-text.js';
import { createFakeTerminal } from './fake-terminal.js';

async function run(args: string[], options: Parameters<typeof createFakeTerminal>[0] = {}) {
  const terminal = createFakeTerminal(options);
  const code = await runCommandLine(args, terminal);
  await turn();
  return { code, ...terminal.written() };
}

describe('runCommandLine', () => {
  it.each([
    [['tols'], 'Did you mean "tools"?'],
    [['frobnicate'], 'There is no command "frobnicate".'],
    [['tools', 'tools.ts', '--jsn'], 'Did you mean "--json"?'],
    [['tools'], 'takes 1 argument (<tools file>), but got 0'],
    [['call', 'tools.ts'], 'takes 2 to 3 arguments'],
    [['data'], 'takes at least 1 argument '],
    [['call', 'tools.ts', 'count', '{'], 'not JSON'],
    [['call', 'tools.ts', 'count', '[]'], 'is JSON, but not an object'],
    [['serve', 'tools.ts'], 'either --stdio or --http'],
    [['serve', 'tools.ts', '--http', '--stdio'], 'either --stdio or --http'],
    [['serve', 'tools.ts', '--http', '--port', 'x'], '--port must be'],
    // A variable of a shell that is not set: it must not stand for any free port.
    [['serve', 'tools.ts', '--http', '--port', ''], '--port must be a number from 0 to 65535, not ""'],
    [['serve', 'tools.ts', '--http', '--port', '1e3'], '--port must be'],
    [['remote', 'serve', '--port', 'x'], '--port must be'],
    [['serve', 'tools.ts', '--http', '--token', 'a b'], 'A token may contain only'],
    [['doctor', '--timeout', 'soon'], '--timeout must be'],
    [['help', 'tols'], 'Did you mean "tools"?'],
    [['--json', 'tools'], 'The command comes first'],
  ])('refuses %j as wrong usage', async (args, reason) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('--help');
  });

  it.each(Object.keys(COMMANDS))('has help for %s that fits a terminal', async (name) => {
    const [asked, asOption] = await Promise.all([run(['help', name]), run([name, '--help'])]);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(asOption).toEqual(asked);
    expect(asked.stdout).toContain(`Usage: inboard ${name}`);
    expect(Math.max(...asked.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('lists the commands in lines that fit a terminal', async () => {
    const { stdout } = await run(['--help']);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(COMMANDS['migrate']?.summary ?? 'a summary');
  });

  it('takes the help of a text for the text', async () => {
    const { stdout } = await run(['call', 'nowhere.mjs', '--', 'tool', '--help']);
    expect(stdout).toBe('');
  });

  it.each([['demo', '--offline'], ['play']])(
    'leads to the doctor when the CLI of %s does not start',
    async (...words) => {
      const { code, stderr } = await run([...words, '--cli', '/nowhere/claude']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/which does not exist[\s\S]*Run "inboard doctor"/);
    },
  );

  it('tells its version', async () => {
    const { version } = MANIFEST as unknown as { version: string };
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('has colours on a terminal alone, unless they are forced or forbidden', async () => {
    const isColoured = async (options: Parameters<typeof createFakeTerminal>[0]) =>
      (await run(['--help'], options)).stdout.includes('\u001b[');
    expect(await isColoured({ isTTY: true })).toBe(true);
    expect(await isColoured({ isTTY: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await isColoured({ isTTY: true, env: { TERM: 'dumb' } })).toBe(false);
    expect(await isColoured({})).toBe(false);
    expect(await isColoured({ env: { FORCE_COLOR: '1' } })).toBe(true);
    expect(await isColoured({ env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).toBe(false);
  });
});

describe('the commands', () => {
  it.each(Object.keys(COMMANDS))('have a test that runs them: %s', (name) => {
    const folders = ['packages/cli/test', 'test/e2e', 'test/services/cli'];
    const texts = folders.flatMap((folder) =>
      readdirSync(join(PROJECT_ROOT, folder))
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readProjectFile(`${folder}/${file}`)),
    );
    // As the first word of a command line, or as what is carried out.
    const call = new RegExp(`[[(]\\s*'${name}'|\\b${name.toUpperCase()}_COMMAND\\b`);
    expect(texts.some((text) => call.test(text))).toBe(true);
  });

  // `serve` speaks a protocol on its output.
  it('write to the terminal with the functions that clean', () => {
    const raw = /(?:stdout|stderr)\??\.write\(|process\.(?:stdout|stderr)|console\./;
    const found = [...readSourceFiles()]
      .filter(([path]) => /^packages\/cli\/src\/(?!terminal\/|serve\/)/.test(path))
      .flatMap(([path, text]) =>
        text
          .split('\n')
          .filter((line) => raw.test(line))
          .map((line) => `${path}: ${line}`),
      );
    expect(found).toEqual([]);
  });
});

describe('text that acts on terminals', () => {
  // As it stands inside a text in JSON.
  const inJson = JSON.stringify(HOSTILE_TEXT).slice(1, -1);
  // No word of a command line holds a NUL or half a character.
  const asWord = HOSTILE_TEXT.replace(/[\0\p{Surrogate}]/gu, '');
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'inboard-hostile-'));
    const hostile = createSdkMcpServer({
      name: 'shop',
      tools: [
        tool(
          'say',
          HOSTILE_TEXT,
          { field: z.string().describe(HOSTILE_TEXT), [HOSTILE_TEXT]: z.enum([HOSTILE_TEXT]).optional() },
          (_, extra) => {
            extra.progress({ progress: 1, message: HOSTILE_TEXT });
            extra.log('warning', HOSTILE_TEXT);
            return HOSTILE_TEXT;
          },
          { annotations: { title: HOSTILE_TEXT } },
        ),
        tool('image', 'x', {}, () => ({
          content: [{ type: 'image', data: 'AAAA', mimeType: HOSTILE_TEXT }],
        })),
        tool('data', 'x', {}, () => ({ content: [], structuredContent: { text: HOSTILE_TEXT } })),
        tool('fail', 'x', {}, () => {
          throw new Error(HOSTILE_TEXT);
        }),
      ],
    });
    // A file of its own would get another copy of the package.
    (globalThis as { hostileServer?: unknown }).hostileServer = hostile;
    writeFileSync(join(folder, 'hostile.mjs'), 'export default globalThis.hostileServer;');
    writeFileSync(join(folder, 'broken.mjs'), `throw new Error(${JSON.stringify(HOSTILE_TEXT)});`);
    const frame = (dir: string, body: object): object => ({ type: 'frame', t: 1, dir, frame: body });
    const ask = (id: string, request: object): object =>
      frame('in', { type: 'control_request', request_id: id, request });
    const input = { [HOSTILE_TEXT]: HOSTILE_TEXT };
    const call = { subtype: 'can_use_tool', tool_name: HOSTILE_TEXT, input, tool_use_id: HOSTILE_TEXT };
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: HOSTILE_TEXT, arguments: input },
    };
    const about = { startedAt: HOSTILE_TEXT, claudeCodeVersion: HOSTILE_TEXT, cwd: HOSTILE_TEXT };
    const steps = [
      { type: 'header', format: 'inboard-trace', version: 1, ...about },
      frame('out', { type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } }),
      frame('in', {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'init', response: { commands: [], models: [] } },
      }),
      frame('out', { type: 'user', message: { role: 'user', content: HOSTILE_TEXT } }),
      frame('in', { type: HOSTILE_TEXT, subtype: HOSTILE_TEXT, state: HOSTILE_TEXT }),
      frame('in', { type: 'system', subtype: 'init', session_id: HOSTILE_TEXT, tools: [HOSTILE_TEXT] }),
      ask(HOSTILE_TEXT, call),
      ask('2', { subtype: 'mcp_message', server_name: HOSTILE_TEXT, message }),
      frame('out', {
        type: 'control_response',
        response: {
          subtype: 'success',
          request_id: '2',
          response: {
            mcp_response: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x' }] } },
          },
        },
      }),
      { type: 'frame', t: 2, dir: 'in', text: HOSTILE_TEXT },
      { type: 'fault', t: 2, code: HOSTILE_TEXT, message: HOSTILE_TEXT },
      { type: HOSTILE_TEXT },
      {
        type: 'end',
        t: 3,
        exitCode: 1,
        signal: HOSTILE_TEXT,
        error: { code: HOSTILE_TEXT, message: HOSTILE_TEXT },
      },
    ];
    writeFileSync(join(folder, 'hostile.jsonl'), steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    [['call', 'hostile.mjs', 'say', '{"field":"x"}']],
    [['call', 'hostile.mjs', 'say', '{"HOSTILE":3}']],
    [['call', 'hostile.mjs', 'image']],
    [['call', 'hostile.mjs', 'data']],
    [['call', 'hostile.mjs', 'fail']],
    [['call', 'hostile.mjs', 'HOSTILE']],
    [['call', 'broken.mjs', 'x']],
    [['tools', 'hostile.mjs']],
    [['tools', 'hostile.mjs', '--json']],
    [['trace', 'view', 'hostile.jsonl']],
    [['trace', 'view', 'hostile.jsonl', '--json']],
    [['trace', 'mermaid', 'hostile.jsonl']],
    [['trace', 'html', 'hostile.jsonl', '-o', '-']],
    [['trace', 'replay', 'hostile.jsonl', '--tools', 'hostile.mjs']],
    [['trace', 'replay', 'hostile.jsonl', '--tools', 'hostile.mjs', '--json']],
    [['trace', 'view', 'HOSTILE']],
    [['trace', 'HOSTILE', 'x']],
    [['HOSTILE']],
    [['run', 'hostile.mjs', 'x', '--max-turns', 'HOSTILE']],
    [['run', 'hostile.mjs', 'x', '--setting-sources', 'HOSTILE']],
    [['demo', '--cli', 'HOSTILE']],
    [['doctor', '--cli', 'HOSTILE']],
    [['doctor', '--cli', 'HOSTILE', '--json']],
  ])('does not act through %j', async (args) => {
    const words = args.map((word) => word.replace('HOSTILE', word === 'HOSTILE' ? asWord : inJson));
    for (const env of [{ NO_COLOR: '1' }, { FORCE_COLOR: '1' }]) {
      const { stdout, stderr } = await run(words, { cwd: folder, env });
      const hasColours = 'FORCE_COLOR' in env;
      expectTame(stdout, { hasColours });
      expectTame(stderr, { hasColours });
      // Something of it was shown.
      expect(stdout + stderr).toMatch(/\]52;|#59;|52;c/);
    }
  });

  it('stays exactly what it is in JSON', async () => {
    const { stdout } = await run(['call', 'hostile.mjs', 'say', '{"field":"x"}', '--json'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: HOSTILE_TEXT }] });
  });

  it('is a page for its owner alone, and goes through no link', async () => {
    const path = (name: string): string => join(folder, name);
    writeFileSync(path('target.txt'), 'mine');
    writeFileSync(path('open.html'), 'old and long'.repeat(10_000));
    chmodSync(path('open.html'), 0o644);
    symlinkSync(path('target.txt'), path('hostile.html'));
    const draw = (...more: string[]) => run(['trace', 'html', 'hostile.jsonl', ...more], { cwd: folder });
    for (const name of ['new.html', 'open.html']) {
      expect((await draw('-o', name)).code).toBe(0);
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(path(name), 'utf8')).toMatch(/<\/html>\n$/);
    }
    const linked = await draw();
    expect(linked.code).toBe(1);
    expect(linked.stderr).toContain(
      'it is a symbolic link, which is not followed. Choose a file with --output.',
    );
    expect(readFileSync(path('target.txt'), 'utf8')).toBe('mine');
    expect((await draw('-o', '.')).stderr).toContain('is a folder, not a file');
  });
});
