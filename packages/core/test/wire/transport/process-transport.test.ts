import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LaunchError, WireError } from '../../../src/errors.js';
import { findSystemProgram } from '../../../src/wire/process/system-program.js';
import { createProcessTransport } from '../../../src/wire/transport/process-transport.js';
import type { ProcessTransportOptions } from '../../../src/wire/transport/process-transport.js';
import type { Transport } from '../../../src/wire/transport/transport.js';
import {
  interceptSpawn,
  refuseSpawn,
  type SpawnRequest,
} from '../../../../../test/support/intercept-spawn.js';
import { isRunning } from '../../../../../test/support/is-running.js';
import { TransportLog } from '../../../../../test/support/transport-log.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { watchHost } from '../../../../../test/support/watch-host.js';

type Settings = Partial<ProcessTransportOptions>;

/** A transport to a shell script; ended at the end of the test whatever happens. */
function createShell(script: string, settings: Settings = {}): Transport {
  const transport = createProcessTransport({
    command: '/bin/sh',
    args: ['-c', script],
    env: process.env,
    ...settings,
  });
  onTestFinished(() => transport.terminate({ graceMs: 0, killMs: 0 }));
  return transport;
}

function openShell(script: string, settings: Settings = {}): { transport: Transport; log: TransportLog } {
  const transport = createShell(script, settings);
  return { transport, log: TransportLog.open(transport) };
}

describe('lines', () => {
  it('go in and come out, in order', async () => {
    const { transport, log } = openShell('exec cat');
    expect(transport.write('{"a":1}')).toBe(true);
    expect(transport.write('ä€😀')).toBe(true);
    await log.waitForLines(2);
    transport.write('third');
    transport.endInput();
    transport.endInput();
    expect(await log.end).toEqual({ exitCode: 0, signal: null, stderrTail: '' });
    expect(log.lines).toEqual(['{"a":1}', 'ä€😀', 'third']);
    expect(transport.write('too late')).toBe(true);
    expect(log.faults).toEqual([]);
  });

  it('written before open wait for it, and so does the end of input', async () => {
    const transport = createShell('exec cat');
    expect(transport.pid).toBeUndefined();
    transport.write('early');
    transport.endInput();
    const log = TransportLog.open(transport);
    expect(transport.pid).toBeGreaterThan(0);
    expect((await log.end).exitCode).toBe(0);
    expect(log.lines).toEqual(['early']);
  });

  it('include a last one without a line feed, before the end', async () => {
    const { log } = openShell(`printf 'one\\ntwo'`);
    await log.end;
    expect(log.lines).toEqual(['one', 'two']);
  });

  it('that are too long are dropped with a fault, and the rest goes on', async () => {
    const { log } = openShell(`echo ok; echo 0123456789abc; echo end`, { maxLineBytes: 10 });
    await log.end;
    expect(log.lines).toEqual(['ok', 'end']);
    expect(log.faults).toMatchObject([{ code: 'LINE_TOO_LONG' }]);
    expect(log.faults[0]?.message).toContain('13 bytes (the limit is 10)');
  });

  it('come through whole when there are very many and very long ones', async () => {
    const script = `
      const long = 'x'.repeat(20_000_000);
      let text = '';
      for (let i = 0; i < 100_000; i += 1) text += '{"n":' + i + '}\\n';
      process.stdout.write(text + long + '\\n' + text);
    `;
    const { log } = openShell('', { command: process.execPath, args: ['-e', script] });
    expect(await log.end).toMatchObject({ exitCode: 0 });
    expect(log.lines.length).toBe(200_001);
    expect(log.lines[99_999]).toBe('{"n":99999}');
    expect(log.lines[100_000]?.length).toBe(20_000_000);
  });

  it('of one tick, and of the promise reactions in it, leave as one chunk', async () => {
    const chunks: string[] = [];
    const stdin = new PassThrough();
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    const transport = createShell('', { spawner: () => ({ ...createIdleProcess(), stdin }) });
    TransportLog.open(transport);
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        for (let hop = 0; hop < index % 5; hop += 1) await Promise.resolve();
        transport.write(String(index));
      }),
    );
    await waitUntil(() => chunks.join('').split('\n').length === 51);
    expect(chunks.length).toBeLessThanOrEqual(2);
  });
});

describe('a full pipe', () => {
  it('is told by write, and drained() waits until the child reads', async () => {
    const { transport, log } = openShell(
      `trap 'exec cat >/dev/null' USR1; echo ready; while :; do sleep 0.05; done`,
    );
    await log.waitForLines(1);
    expect(transport.write('x'.repeat(1_000_000))).toBe(false);
    let isDrained = false;
    const drained = transport.drained().then(() => {
      isDrained = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    expect(transport.write('more')).toBe(false);
    process.kill(transport.pid as number, 'SIGUSR1');
    await drained;
    expect(transport.write('more')).toBe(true);
    await transport.drained();
  });

  it('that is never read is released by the end of the child', async () => {
    const { transport, log } = openShell('echo ready; exec sleep 300');
    await log.waitForLines(1);
    expect(transport.write('x'.repeat(1_000_000))).toBe(false);
    const drained = transport.drained();
    await transport.terminate({ graceMs: 0 });
    await drained;
    expect(await log.end).toMatchObject({ signal: 'SIGTERM' });
  });

  it('before open counts as well', async () => {
    const transport = createShell('exec cat >/dev/null');
    expect(transport.write('x'.repeat(1_000_000))).toBe(false);
    const drained = transport.drained();
    const log = TransportLog.open(transport);
    await drained;
    transport.endInput();
    expect(await log.end).toMatchObject({ exitCode: 0 });
  });
});

describe('an input the child has closed', () => {
  it('is one fault, never an exception, and the output goes on', async () => {
    const { transport, log } = openShell('exec 0<&-; echo ready; sleep 1; echo still here');
    await log.waitForLines(1);
    while (log.faults.length === 0 && log.ends === 0) {
      transport.write('lost');
      await transport.drained();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (let index = 0; index < 10; index += 1) transport.write('lost too');
    transport.endInput();
    await log.end;
    expect(log.lines).toEqual(['ready', 'still here']);
    expect(log.faults).toHaveLength(1);
    expect(log.faults[0]).toBeInstanceOf(WireError);
    expect(log.faults[0]).toMatchObject({ code: 'INPUT_BROKEN' });
  });

  it('is no news when the end was asked for', async () => {
    const { transport, log } = openShell('exec 0<&-; echo ready; exec sleep 300');
    await log.waitForLines(1);
    transport.write('lost');
    await transport.terminate({ graceMs: 0 });
    expect(log.faults).toEqual([]);
  });
});

describe('the end', () => {
  it.each([
    ['exit 0', { exitCode: 0, signal: null }],
    ['exit 3', { exitCode: 3, signal: null }],
    ['kill -9 $$', { exitCode: null, signal: 'SIGKILL' }],
  ])('of "%s" is told once, with how and the end of stderr', async (script, expected) => {
    const { log } = openShell(`echo line; echo oops >&2; ${script}`);
    expect(await log.end).toEqual({ ...expected, stderrTail: 'oops\n' });
    expect(log.lines).toEqual(['line']);
    expect(log.ends).toBe(1);
  });

  it('does not wait for somebody else who holds the output open', async () => {
    const { log, transport } = openShell(`trap '' TERM; sleep 300 & echo $!; exit 0`);
    expect(await log.end).toMatchObject({ exitCode: 0 });
    const [below] = log.lines.map(Number) as [number];
    await transport.terminate();
    expect(isRunning(below)).toBe(false);
  });

  it('names the closed output when that alone was the reason', async () => {
    const { log } = openShell('exec 1>&- 2>&-; exec sleep 300', { outputClosedMs: 50 });
    const end = await log.end;
    expect(end).toMatchObject({ exitCode: null, signal: 'SIGTERM', error: { code: 'OUTPUT_BROKEN' } });
  });

  it('is no error for a child that closed its output and then left', async () => {
    const { log } = openShell('echo a; exec 1>&-; cat >/dev/null; exit 4', { outputClosedMs: 60_000 });
    expect(await log.end).toEqual({ exitCode: 4, signal: null, stderrTail: '' });
  });
});

describe('terminate', () => {
  it('lets an obedient child leave by itself', async () => {
    const { transport, log } = openShell('cat >/dev/null; echo bye; exit 0');
    await transport.terminate({ graceMs: 60_000 });
    expect(await log.end).toMatchObject({ exitCode: 0, signal: null });
    expect(log.lines).toEqual(['bye']);
  });

  it('sends SIGTERM to one that does not mind the end of its input', async () => {
    const { transport, log } = openShell(
      `trap 'echo caught; exit 7' TERM; echo ready; while :; do sleep 0.05; done`,
    );
    await log.waitForLines(1);
    await transport.terminate({ graceMs: 50 });
    expect(await log.end).toMatchObject({ exitCode: 7 });
    expect(log.lines).toEqual(['ready', 'caught']);
  });

  it('sends SIGKILL to one that does not mind SIGTERM', async () => {
    const { transport, log } = openShell(`trap '' TERM; echo ready; while :; do sleep 0.05; done`);
    await log.waitForLines(1);
    await transport.terminate({ graceMs: 20, killMs: 20 });
    expect(await log.end).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('kills the whole tree on Windows, and the child alone where that cannot be done', async () => {
    const { transport, log } = openShell('echo ready; exec sleep 300');
    await log.waitForLines(1);
    const requests: SpawnRequest[] = [];
    interceptSpawn((child, request) => {
      requests.push(request);
      return refuseSpawn(child, 'ENOENT');
    });
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    onTestFinished(() => void vi.restoreAllMocks());
    await transport.terminate({ graceMs: 0 });
    expect(await log.end).toMatchObject({ signal: 'SIGKILL' });
    expect(requests).toMatchObject([
      {
        file: findSystemProgram('taskkill.exe'),
        args: [expect.any(String), '/T', '/F', '/PID', String(transport.pid)],
        windowsHide: true,
      },
    ]);
  });

  it('is one ending however often it is asked for, and a later call may hurry it', async () => {
    const { transport, log } = openShell(`trap '' TERM; echo ready; while :; do sleep 0.05; done`);
    await log.waitForLines(1);
    const slow = transport.terminate({ graceMs: 600_000 });
    const quick = transport.terminate({ graceMs: 0, killMs: 0 });
    expect(quick).toBe(slow);
    await slow;
    expect(log.ends).toBe(1);
    await transport.terminate();
    expect(isRunning(transport.pid as number)).toBe(false);
  });

  it('before open starts nothing and still tells an end', async () => {
    const transport = createShell('echo started');
    await transport.terminate();
    const log = TransportLog.open(transport);
    expect(await log.end).toEqual({ exitCode: null, signal: null, stderrTail: '' });
    expect(log.lines).toEqual([]);
    expect(transport.pid).toBeUndefined();
    await transport.terminate();
  });

  it('ends what the child started, also when that minds neither end of input nor SIGTERM', async () => {
    const { transport, log } = openShell(`trap '' TERM; sleep 300 >/dev/null 2>&1 & echo $!; exec cat`);
    await log.waitForLines(1);
    const [below] = log.lines.map(Number) as [number];
    expect(isRunning(below)).toBe(true);
    await transport.terminate({ graceMs: 60_000 });
    expect(await log.end).toMatchObject({ exitCode: 0 });
    expect(isRunning(below)).toBe(false);
  });

  it('kills what the child put into a group of its own, when the child is killed', async () => {
    // As the CLI does with shell commands; node's detached opens a new session.
    const script = `
      const { spawn } = require('node:child_process');
      process.on('SIGTERM', () => {});
      const tool = spawn('/bin/sh', ['-c', 'sleep 300 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      tool.stdout.once('data', (pid) => console.log(tool.pid + '\\n' + pid));
      setInterval(() => {}, 1000);
    `;
    const { transport, log } = openShell('', { command: process.execPath, args: ['-e', script] });
    await log.waitForLines(2);
    const tools = log.lines.map(Number);
    expect(tools.every(isRunning)).toBe(true);
    await transport.terminate({ graceMs: 20, killMs: 20 });
    await waitUntil(() => !tools.some(isRunning));
  });
});

describe('a start that fails', () => {
  const start = (settings: Settings) => openShell('', settings).log.end;

  it.each([
    ['SPAWN_FAILED', { command: '/nowhere/claude' }],
    ['CWD_NOT_FOUND', { cwd: '/nowhere' }],
    ['EXECUTABLE_NOT_PERMITTED', { command: '/etc/passwd' }],
    ['ARGUMENTS_TOO_LONG', { args: ['x'.repeat(3_000_000)] }],
    ['ENVIRONMENT_TOO_LONG', { env: { PATH: '/bin', LONG: 'x'.repeat(3_000_000) } }],
    ['SPAWN_FAILED', { args: ['a\0b'] }],
  ])('arrives through closed as %s', async (code, settings) => {
    const { transport, log } = openShell('', settings);
    transport.write('never read');
    const end = await log.end;
    expect(end).toMatchObject({ exitCode: null, signal: null, error: { code, phase: 'launch' } });
    expect(end.error).toBeInstanceOf(LaunchError);
    expect(log.lines).toEqual([]);
    await transport.drained();
    await transport.terminate();
  });

  it('is not called twice by a second open', async () => {
    const transport = createShell('exit 0');
    const log = TransportLog.open(transport);
    expect(() => transport.open(log)).toThrow('already been opened');
    await log.end;
  });

  it('of a custom spawner is told by name', async () => {
    const broken = (spawner: unknown) => start({ spawner: spawner as never });
    expect(
      (
        await broken(() => {
          throw new Error('no container');
        })
      ).error?.message,
    ).toContain('threw: no container');
    expect((await broken(() => undefined)).error?.message).toContain('it returned undefined');
    expect((await broken(async () => createIdleProcess())).error?.message).toContain('it returned a promise');
    expect((await broken(() => ({ stdin: null, kill() {} }))).error?.message).toContain(
      'lacks stdin, stdout, on, off',
    );
  });

  it('of a custom spawner that rejects is told once, and the rejection troubles nobody else', async () => {
    const host = watchHost();
    onTestFinished(() => host.stop());
    const { error } = await start({ spawner: (() => Promise.reject(new Error('no container'))) as never });
    expect(error?.message).toContain('it returned a promise');
    await host.expectClean();
  });
});

describe('stderr', () => {
  it('is passed on, and a callback that throws is a warning', async () => {
    const warnings: string[] = [];
    const pieces: string[] = [];
    const { log } = openShell('echo one >&2; echo out; echo two >&2', {
      onStderr: (text) => {
        pieces.push(text);
        throw new Error('mine');
      },
      onWarning: (message, cause) => warnings.push(`${message}: ${String(cause)}`),
    });
    expect(await log.end).toMatchObject({ stderrTail: 'one\ntwo\n' });
    expect(pieces.join('')).toBe('one\ntwo\n');
    expect(warnings).toEqual([expect.stringContaining('Error: mine')]);
  });
});

describe('a custom spawner', () => {
  it('gets the command and the environment, and its signal only when SIGTERM is due', async () => {
    let seen: Record<string, unknown> = {};
    let signal: AbortSignal | undefined;
    const { transport, log } = openShell(`trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done`, {
      cwd: process.cwd(),
      env: { PATH: process.env['PATH'], FOO: 'bar' },
      spawner: (options) => {
        ({ signal, ...seen } = options);
        return spawn(options.command, options.args, { cwd: options.cwd, env: options.env, signal });
      },
    });
    await log.waitForLines(1);
    expect(seen).toMatchObject({ command: '/bin/sh', cwd: process.cwd(), env: { FOO: 'bar' } });
    expect(signal?.aborted).toBe(false);
    transport.endInput();
    expect(signal?.aborted).toBe(false);
    await transport.terminate({ graceMs: 10 });
    expect(signal?.aborted).toBe(true);
    expect(await log.end).toMatchObject({ exitCode: 9 });
  });

  it('works like the built-in one: lines, stderr, exit', async () => {
    const { transport, log } = openShell('cat; echo oops >&2; exit 3', {
      spawner: ({ command, args }) => spawn(command, args),
    });
    expect(transport.pid).toBeGreaterThan(0);
    transport.write('a');
    transport.endInput();
    expect(await log.end).toEqual({ exitCode: 3, signal: null, stderrTail: 'oops\n' });
    expect(log.lines).toEqual(['a']);
  });

  it('whose process fails later ends the transport with its error', async () => {
    const { log } = openShell('', { spawner: () => spawn('/nowhere/claude') });
    const end = await log.end;
    expect(end.error).toMatchObject({ code: 'SPAWN_FAILED' });
    expect(end.error?.message).toContain('ENOENT');
  });

  it('whose process is already over is taken as it is', async () => {
    const idle = createIdleProcess();
    const { log } = openShell('', { spawner: () => ({ ...idle, exitCode: 5 }) });
    expect(await log.end).toMatchObject({ exitCode: 5 });
  });
});

describe('a process that nothing ends', () => {
  it('is let go in the end, with an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const kills: string[] = [];
    const kill = (signal: string) => kills.push(signal) > 0;
    const { transport, log } = openShell('', { spawner: () => ({ ...createIdleProcess(), kill }) });
    const over = transport.terminate({ graceMs: 10, killMs: 10 });
    await vi.advanceTimersByTimeAsync(30_000);
    await over;
    expect(kills).toEqual(['SIGTERM', 'SIGKILL']);
    expect(await log.end).toMatchObject({ exitCode: null, signal: null, error: { code: 'PROCESS_STUCK' } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('when all is over', () => {
  it('no listener of ours is left on the streams, and none was ever put on the process', async () => {
    const events = ['exit', 'SIGTERM', 'SIGINT', 'beforeExit', 'uncaughtException'];
    const count = () => events.map((event) => process.listenerCount(event));
    const before = count();
    const child = { current: undefined as ReturnType<typeof spawn> | undefined };
    const { transport, log } = openShell('echo hi; exec cat', {
      spawner: ({ command, args }) => (child.current = spawn(command, args)),
    });
    await log.waitForLines(1);
    expect(count()).toEqual(before);
    await transport.terminate();
    const { stdin, stdout, stderr } = child.current ?? {};
    await waitUntil(() => stdin?.closed === true && stdout?.closed === true && stderr?.closed === true);
    for (const stream of [stdin, stdout, stderr]) {
      expect(['data', 'drain'].map((event) => stream?.listenerCount(event))).toEqual([0, 0]);
    }
    expect(child.current?.listenerCount('exit')).toBe(0);
    expect(count()).toEqual(before);
  });

  it('holds for 50 of them', async () => {
    const countListeners = () =>
      process.eventNames().map((event) => [String(event), process.listenerCount(event)]);
    const before = countListeners();
    const handles = () => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length;
    await openShell('exit 0').log.end;
    const handlesBefore = handles();
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const { transport, log } = openShell('read -r line; echo "$line"');
          transport.write('hello');
          expect(await log.end).toMatchObject({ exitCode: 0 });
          expect(log.lines).toEqual(['hello']);
          await transport.terminate();
        }),
      );
    }
    expect(countListeners()).toEqual(before);
    await waitUntil(() => handles() <= handlesBefore);
  });
});

/** A process that does nothing, for spawners under test; SIGTERM ends it. */
function createIdleProcess() {
  const exits = new Set<(code: number | null, signal: NodeJS.Signals | null) => void>();
  return {
    stdin: new PassThrough().resume(),
    stdout: new PassThrough(),
    killed: false,
    exitCode: null as number | null,
    signalCode: null,
    kill(signal: NodeJS.Signals) {
      queueMicrotask(() => {
        for (const exit of exits) exit(null, signal);
      });
      return true;
    },
    on(event: string, listener: (...args: never[]) => void) {
      if (event === 'exit') exits.add(listener as never);
    },
    once: () => undefined,
    off(_event: string, listener: (...args: never[]) => void) {
      exits.delete(listener as never);
    },
  };
}
