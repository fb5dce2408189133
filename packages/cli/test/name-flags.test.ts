// Do error messages name the options of the command line, not those of the functions behind it?
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands.js';
import { describeListenFailure } from '../src/port-option.js';
import { buildOptions } from '../src/run/run-options.js';
import type { RunView } from '../src/run/run-view.js';
import { runCommandLine } from '../src/terminal/command-line.js';
import { nameFlags } from '../src/terminal/name-flags.js';
import { parseInput } from '../src/terminal/parse-input.js';
import type { Command } from '../src/command.js';
import { createFakeTerminal } from './fake-terminal.js';

const MAPPED = Object.entries(COMMANDS).flatMap(([command, { options }]) =>
  Object.entries(options).flatMap(([flag, { sets = [] }]) => sets.map((name) => ({ command, flag, name }))),
);

async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const terminal = createFakeTerminal({ env: { LONG: 'a'.repeat(32), SHORT: 'short' } });
  terminal.stdin.end();
  const code = await runCommandLine(args, terminal);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...terminal.written() };
}

describe('an error about an option of a function', () => {
  it.each(MAPPED)('names --$flag of $command instead of "$name"', ({ command, flag, name }) => {
    const message = `The option "${name}" is wrong: give "${name}" a value, or use the option "${name}".`;
    const named = nameFlags(message, COMMANDS[command] as (typeof COMMANDS)[string]);
    expect(named).toContain(`--${flag}`);
    expect(named).not.toMatch(new RegExp(`"${name}"|option`, 'i'));
  });

  it('is known for what takes options of functions', () => {
    expect(new Set(MAPPED.map(({ command }) => command))).toEqual(
      new Set(['run', 'acp', 'play', 'demo', 'doctor', 'remote', 'calls']),
    );
  });
});

describe('a warning about an option of a function', () => {
  it('names the flag of run, while the session runs', async () => {
    const warned: string[] = [];
    const view = { warn: (text: string) => warned.push(text) } as unknown as RunView;
    const { run: command } = COMMANDS as { run: Command };
    const input = parseInput('run', command, ['tools.ts', '--allow', 'cuont'], createFakeTerminal());
    const { onWarning } = await buildOptions(input, {}, view);
    const message = 'The option "allowedTools" names "cuont", which has no effect.';
    onWarning?.({ code: 'ALLOWED_TOOL_UNKNOWN', message });
    expect(warned).toEqual(['--allow names "cuont", which has no effect.']);
  });
});

describe('remote serve', () => {
  it.each([
    [['--port', '0', '--token-env', 'LONG', '--host', '0.0.0.0'], 'Give --tls-cert and --tls-key'],
    [['--port', '0'], '--token-env'],
    [['--port', '0', '--token-env', 'SHORT'], 'at least 16 characters'],
    [['--port', '0', '--token-env', 'LONG', '--idle', '5'], '--idle must be'],
    [['--port', '0', '--token-env', 'LONG', '--max-sessions', '0'], '--max-sessions must be'],
    [['--port', '99999', '--token-env', 'LONG'], '--port must be a number from 0 to 65535'],
    [['--stdio', '--idle', '5'], '--idle must be'],
    [['--stdio', '--tls-ca', 'x'], '--tls-ca needs --port'],
    [['--stdio', '--health-port', '0'], '--health-port needs --port'],
    [['--port', '0', '--token-env', 'LONG', '--health-host', '0.0.0.0'], '--health-host needs --health-port'],
    [['--port', '0', '--token-env', 'LONG', '--health-port', 'x'], '--health-port must be a number'],
  ])('%j is a wrong command line, which is said with its own words', async (args, words) => {
    const { code, stdout, stderr } = await run('remote', 'serve', ...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(words);
    expect(stderr).toContain('Run "inboard remote --help" for help.');
    const own = MAPPED.filter(({ command }) => command === 'remote').map(({ name }) => `"${name}"`);
    expect([...own, 'serveCli', 'serveLink', 'listen.'].filter((word) => stderr.includes(word))).toEqual([]);
  });
});

describe('a place on which nothing can listen', () => {
  let taken: Server;
  let port: string;
  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = String((taken.address() as AddressInfo).port);
  });
  afterAll(() => void taken.close());

  it('is said by remote serve with --health-port, and nothing goes on listening', async () => {
    const args = ['remote', 'serve', '--token-env', 'LONG', '--port', '0', '--health-port', port];
    const { code, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toContain('Choose another with --health-port, or 0 for a free one.');
  });

  it.each([
    ['inspect', 'schema/'],
    ['remote', 'serve', '--token-env', 'LONG'],
  ])('is said by %s with --port and --host', async (...args) => {
    const used = await run(...args, '--port', port);
    expect(used).toMatchObject({ code: 1, stdout: '' });
    expect(used.stderr).toMatch(
      `inboard: Cannot listen on 127.0.0.1, port ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}. Choose another with --port, or 0 for a free one.\n`,
    );
    expect(
      describeListenFailure(Object.assign(new Error('x'), { code: 'EADDRNOTAVAIL' }), { host: 'h', port: 1 }),
    ).toMatchObject({
      message: 'Cannot listen on h, port 1: x. Choose an address of this machine with --host.',
    });
  });

  it('is a wrong command line if --allow-host is no name', async () => {
    const { code, stderr } = await run('inspect', 'schema/', '--port', '0', '--allow-host', 'http://a');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^inboard: --allow-host: "http:\/\/a" cannot be allowed/);
  });
});

describe('data', () => {
  it('calls an argument that is no session id by no name of a function', async () => {
    const { code, stderr } = await run('data', 'find', 'nope');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^inboard: "nope" is not the id of a session\./);
  });
});

describe('serve', () => {
  it.each([
    [['--token', 'a-secret-of-mine'], true],
    [['--token', 'auto'], false],
    [[], false],
  ])('%j: warns of a token that everybody can read: %s', async (args, isWarned) => {
    const { stderr } = await run('serve', 'nowhere.mjs', '--http', ...args);
    expect(stderr.includes('Set the variable INBOARD_SERVE_TOKEN instead of --token')).toBe(isWarned);
    expect(stderr).not.toContain('a-secret-of-mine');
  });
});
