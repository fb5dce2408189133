import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/terminal/command-line.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { MANIFEST } from '../package/project.js';
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
    [['tools'], 'takes 1 word (<tools file>) and got 0'],
    [['call', 'tools.ts'], 'takes 2 to 3 words'],
    [['call', 'tools.ts', 'count', '{'], 'not JSON'],
    [['call', 'tools.ts', 'count', '[]'], 'a JSON object'],
    [['serve', 'tools.ts'], 'either --stdio or --http'],
    [['serve', 'tools.ts', '--http', '--stdio'], 'either --stdio or --http'],
    [['serve', 'tools.ts', '--http', '--port', 'x'], '--port must be'],
    [['serve', 'tools.ts', '--http', '--token', 'a b'], 'A token must be'],
    [['doctor', '--timeout', 'soon'], '--timeout must be'],
    [['help', 'tols'], 'Did you mean "tools"?'],
    [['--json', 'tools'], 'The command comes first'],
  ])('refuses %j as wrong usage', async (args, reason) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('--help');
  });

  it.each(Object.keys(COMMANDS))('has help for %s that fits a line', async (name) => {
    const [asked, asOption] = await Promise.all([run(['help', name]), run([name, '--help'])]);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(asOption).toEqual(asked);
    expect(asked.stdout).toContain(`Usage: inboard ${name}`);
    expect(Math.max(...asked.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('takes the help of a text for the text', async () => {
    const { stdout } = await run(['call', 'nowhere.mjs', '--', 'tool', '--help']);
    expect(stdout).toBe('');
  });

  it('leads to the doctor when the CLI does not start', async () => {
    const { code, stderr } = await run(['demo', '--offline', '--cli', '/nowhere/claude']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/which does not exist[\s\S]*Run "inboard doctor"/);
  });

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
