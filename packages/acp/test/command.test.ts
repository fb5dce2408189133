// The command `inboard acp`: what its options make of the CLI, and how it ends.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '@inboard/cli/terminal/command-line.js';
import { StopRequest } from '@inboard/cli/terminal/terminal.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createFakeTerminal, type FakeTerminal } from '../../cli/test/fake-terminal.js';

const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-acp-')));
  const tool =
    "{ name: 'count', description: 'Counts', inputSchema: {}, handler: async () => ({ content: [] }) }";
  writeFileSync(join(folder, 'tools.mjs'), `export const count = ${tool};\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  result?: { modes: { availableModes: { id: string }[] } };
}

/** Writes a request and waits for its answer. */
function ask(terminal: FakeTerminal, request: { id: number; [field: string]: unknown }): Promise<Answer> {
  return new Promise((resolve) => {
    const look = (): void => {
      const lines = terminal.written().stdout.split('\n');
      const line = lines.find((text) => text.includes(`"id":${request.id}`));
      if (line === undefined) return;
      terminal.stdout.off('data', look);
      resolve(JSON.parse(line) as Answer);
    };
    terminal.stdout.on('data', look);
    terminal.stdin.write(`${JSON.stringify(request)}\n`);
  });
}

/** Starts the command with a fake CLI and opens a session. */
async function start(options: readonly string[]): Promise<{
  terminal: FakeTerminal;
  args: readonly string[];
  mode: unknown;
  ended: Promise<number>;
}> {
  const fake = createFakeCli([say('Here.')], { allowEarlyEnd: true });
  onTestFinished(() => fake.close({ verify: false }));
  const cli = await fake.executable();
  const terminal = createFakeTerminal({ cwd: folder });
  const ended = runCommandLine(['acp', 'tools.mjs', '--cli', cli, ...options], terminal);
  await ask(terminal, INITIALIZE);
  const answer = await ask(terminal, {
    jsonrpc: '2.0',
    id: 2,
    method: 'session/new',
    params: { cwd: folder, mcpServers: [] },
  });
  const modes = answer.result?.modes.availableModes.map(({ id }) => id);
  return { terminal, args: fake.sessions[0]?.args ?? [], mode: modes, ended };
}

it('loads the settings of the user alone, whatever the folder brings, and ends with its input', async () => {
  const { terminal, args, mode, ended } = await start([]);
  expect(args).toContain('--setting-sources=user');
  expect(mode).toEqual(['default', 'acceptEdits', 'plan']);
  terminal.stdin.end();
  expect(await ended).toBe(0);
  const { stdout } = terminal.written();
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

it('passes on what it is told, and ends well when it is stopped', async () => {
  const { terminal, args, mode, ended } = await start([
    '--setting-sources=user,project',
    '--allow=count',
    '--model=haiku',
    '--allow-bypass',
  ]);
  expect(args).toContain('--setting-sources=user,project');
  expect(args.join(' ')).toMatch(/--allowedTools=mcp__tools__count/);
  expect(args.join(' ')).toMatch(/--model=haiku/);
  expect(mode).toContain('bypassPermissions');
  terminal.stop(new StopRequest('SIGINT'));
  expect(await ended).toBe(0);
});

it('refuses a wrong command line and a file without tools', async () => {
  writeFileSync(join(folder, 'empty.mjs'), 'export const x = 1;\n');
  const run = async (...args: string[]): Promise<{ code: number; stderr: string; stdout: string }> => {
    const terminal = createFakeTerminal({ cwd: folder });
    const code = await runCommandLine(['acp', ...args], terminal);
    return { code, ...terminal.written() };
  };
  expect(await run('tools.mjs', '--setting-sources=all')).toMatchObject({ code: 2, stdout: '' });
  const empty = await run('empty.mjs');
  expect(empty).toMatchObject({ code: 1, stdout: '' });
  expect(empty.stderr).toMatch(/empty\.mjs exports no tools/);
});

it('gives the standard output back where its script cannot be loaded', async () => {
  const terminal = createFakeTerminal({ cwd: folder });
  expect(await runCommandLine(['acp', 'tools.mjs', '--offline-script', 'none.mjs'], terminal)).toBe(1);
  terminal.stdout.write('mine');
  expect(terminal.written()).toMatchObject({
    stdout: 'mine',
    stderr: expect.stringMatching(/none\.mjs does not exist\.\s*$/),
  });
});
