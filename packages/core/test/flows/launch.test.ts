// From query() to a running CLI and back, with the real launcher: what cannot be started is said at once, what
// is wrong is thrown by query() itself, and what was put on disk for the CLI is gone after it.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ExecutableNotFoundError,
  InvalidOptionsError,
  LaunchError,
  ResultError,
  RunError,
  UnsupportedOptionError,
} from '../../src/errors.js';
import { LEAST_VERSIONS } from '../options/least-versions.js';
import type { Options } from '../../src/options/options.js';
import { query } from '../../src/verbs/query/query.js';
import { run } from '../../src/verbs/query/run.js';
import { recallVersion } from '../../src/wire/process/find/version-memory.js';
import { interceptSpawn } from '../../../../test/support/intercept-spawn.js';
import { createPortableHead } from '../../../../test/support/fake-operating-system.js';
import { isRunning } from '../../../../test/support/is-running.js';
import { outcomeOf, runToEnd } from '../../../../test/support/scene.js';
import { stageCli, type ScriptedCli } from '../../../../test/support/scripted-cli.js';
import {
  badResult,
  emit,
  expectLine,
  handshake,
  init,
  SESSION_ID,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';
import { watchHost, type HostWatch } from '../../../../test/support/watch-host.js';

/** A CLI that the project starts by itself, and the folder in which its program lies. */
type StagedCli = ScriptedCli & { path: string; folder: string };

let host: HostWatch;
const clis: ScriptedCli[] = [];

beforeEach(() => {
  host = watchHost();
});

afterEach(async () => {
  try {
    for (const cli of clis.splice(0)) await cli.dispose();
    await host.expectClean();
  } finally {
    host.stop();
  }
});

async function stage(
  steps: readonly Step[] = [...handshake(), ...turn()],
  version?: string,
): Promise<StagedCli> {
  const cli = stageCli('process', steps, version);
  clis.push(cli);
  const path = await cli.executable();
  return Object.assign(cli, { path, folder: dirname(path) });
}

const optionsOf = (cli: StagedCli, more: Options = {}): Options => ({
  pathToClaudeCodeExecutable: cli.path,
  env: { PATH: process.env['PATH'] ?? '', ...more.env },
  ...more,
});

describe('a CLI that can be started', () => {
  it('is started in the folder, and gone at the end', async () => {
    const cli = await stage();
    const q = query({ prompt: 'hi', options: optionsOf(cli, { cwd: cli.folder }) });
    const first = await q.next();
    expect(first.done).toBe(false);
    const { pid } = q;
    expect(pid).toBeGreaterThan(0);
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(isRunning(pid ?? 0)).toBe(false);
    expect(cli.run).toMatchObject({
      cwd: cli.folder,
      args: expect.arrayContaining(['--output-format', 'stream-json', '--input-format']) as string[],
    });
  });

  it('finds values that are too long for a command line in a private file, which is removed', async () => {
    const cli = await stage([...handshake(), ...turn(), { do: 'awaitEnd' }, { do: 'exit', code: 0 }]);
    const settings = { env: { LONG: 'x'.repeat(200_000) } };
    const q = query({ prompt: 'hi', options: optionsOf(cli, { settings }) });
    await q.next();
    const { args = [] } = cli.run ?? {};
    const path = args[args.indexOf('--settings') + 1] ?? '';
    expect(path.startsWith(tmpdir())).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(settings);
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(existsSync(path)).toBe(false);
  });

  it('is started before anybody iterates', async () => {
    const cli = await stage();
    const q = query({ prompt: 'hi', options: optionsOf(cli, { claudeCodeVersion: '2.1.325' }) });
    await q.initializationResult();
    expect(q.pid).toBeGreaterThan(0);
    await q.close();
  });
});

describe('a CLI whose place does not tell its version', () => {
  /** Runs a query and tells what was started for it: a CLI, or one that is asked for its version. Not the guardian. */
  async function countStarts(cli: StagedCli, more: Options = {}): Promise<string[]> {
    const starts: string[] = [];
    interceptSpawn((_child, { file, args }) => {
      if (args.includes('--version')) starts.push('version');
      else if (file === cli.path) starts.push('cli');
      return false;
    });
    const q = query({ prompt: 'hi', options: optionsOf(cli, more) });
    expect((await runToEnd(q)).error).toBeUndefined();
    return starts;
  }

  it('is started at once where every CLI is told the same', async () => {
    expect(await countStarts(await stage())).toEqual(['cli']);
    const hooks = { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] };
    const plain: Options = { model: 'm', maxTurns: 3, systemPrompt: 'Be brief.', hooks };
    const cli = await stage();
    expect(await countStarts(cli, plain)).toEqual(['cli']);
    // What every CLI takes for this prompt: a list is none to the oldest.
    expect(cli.lines().find((line) => line.includes('initialize'))).toContain('"systemPrompt":"Be brief."');
  });

  it('is asked first where an option is said differently, or by no CLI that is too old', async () => {
    expect(await countStarts(await stage(), { effort: 'low' })).toEqual(['version', 'cli']);
    expect(await countStarts(await stage(), { thinking: { type: 'disabled' } })).toEqual(['version', 'cli']);
    expect(await countStarts(await stage(), { systemPrompt: ['A', 'B'] })).toEqual(['version', 'cli']);
    // A recording names the version at its head.
    const trace = { write: () => {} };
    expect(await countStarts(await stage(), { trace })).toEqual(['version', 'cli']);
  });

  it('is not asked where somebody says it, or where it has said it itself before', async () => {
    expect(await countStarts(await stage(), { effort: 'low', claudeCodeVersion: '2.1.325' })).toEqual([
      'cli',
    ]);
    const told = { claude_code_version: '2.1.325' };
    const cli = await stage([...handshake(told), ...turn()]);
    expect(await countStarts(cli)).toEqual(['cli']);
    expect(recallVersion(cli.path)).toBe('2.1.325');
    // Another file, though under the same name.
    writeFileSync(cli.path, `${readFileSync(cli.path, 'utf8')}\n`);
    expect(recallVersion(cli.path)).toBeUndefined();
  });
});

describe('a CLI that cannot be started', () => {
  const endOf = async (options: Options): Promise<unknown> => {
    const cancel = vi.fn();
    const q = query({ prompt: new ReadableStream<string>({ cancel }), options });
    const control = outcomeOf(q.setModel('m'));
    const handshakeAnswer = outcomeOf(q.initializationResult());
    const { messages, error } = await runToEnd(q);
    expect(messages).toEqual([]);
    expect(await control).toEqual({ error });
    expect(await handshakeAnswer).toEqual({ error });
    expect(q.pid).toBeUndefined();
    // The prompt will not be read any more, so it is cancelled.
    expect(cancel).toHaveBeenCalledTimes(1);
    return error;
  };

  it('because it is not there: the places that were looked at', async () => {
    const path = join((await stage()).folder, 'nothing-here');
    const error = await endOf({ pathToClaudeCodeExecutable: path });
    expect(error).toBeInstanceOf(ExecutableNotFoundError);
    expect(error).toMatchObject({
      code: 'EXECUTABLE_NOT_FOUND',
      errorClass: 'executable_not_found',
      phase: 'launch',
      tried: [path],
    });
  });

  it.each<[string, string, (cli: StagedCli) => Options]>([
    [
      'the folder does not exist',
      'CWD_NOT_FOUND',
      (cli) => ({ pathToClaudeCodeExecutable: cli.path, cwd: join(cli.folder, 'nowhere') }),
    ],
    [
      'it may not be executed',
      'EXECUTABLE_NOT_PERMITTED',
      ({ folder }) => {
        const path = join(folder, 'other');
        writeFileSync(path, '#!/bin/sh\n');
        chmodSync(path, 0o600);
        return { pathToClaudeCodeExecutable: path };
      },
    ],
    [
      'it is for another system',
      'WRONG_PLATFORM',
      ({ folder }) => {
        const path = join(folder, 'other');
        // The first bytes of a program for Windows, or, there, of one for Linux.
        writeFileSync(path, process.platform === 'win32' ? '\x7fELF' : createPortableHead('x64'));
        chmodSync(path, 0o755);
        return { pathToClaudeCodeExecutable: path };
      },
    ],
    [
      'its runtime is not there',
      'RUNTIME_NOT_FOUND',
      ({ folder }) => {
        const path = join(folder, 'cli.mjs');
        writeFileSync(path, '');
        return { pathToClaudeCodeExecutable: path, executable: 'bun', env: { PATH: folder } };
      },
    ],
    [
      'an argument is too long',
      'ARGUMENTS_TOO_LONG',
      ({ path }) => ({
        pathToClaudeCodeExecutable: path,
        claudeCodeVersion: '2.1.325',
        extraArgs: { long: 'x'.repeat(300_000) },
      }),
    ],
    [
      'a spawner of the caller’s own fails',
      'SPAWN_FAILED',
      ({ path }) => ({
        pathToClaudeCodeExecutable: path,
        onWarning: () => {},
        spawnClaudeCodeProcess: () => {
          throw new Error('no container');
        },
      }),
    ],
  ])('because %s: %s', async (_, code, makeOptions) => {
    const error = await endOf(makeOptions(await stage()));
    expect(error).toBeInstanceOf(LaunchError);
    expect(error).toMatchObject({ code, errorClass: 'executable_launch_failed', phase: 'launch' });
  });
});

describe('options', () => {
  it.each<[string, Options, string[]]>([
    ['of a wrong kind', { maxTurns: 'many' as never }, ['maxTurns']],
    [
      'that contradict each other',
      { canUseTool: () => Promise.resolve(null), permissionPromptToolName: 'mcp__x__y' },
      ['canUseTool', 'permissionPromptToolName'],
    ],
    ['that need another one', { supportedDialogKinds: ['k'] }, ['supportedDialogKinds']],
  ])('%s are thrown by query() itself', (_, options, names) => {
    let thrown: unknown;
    try {
      query({ prompt: 'hi', options });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidOptionsError);
    expect(thrown).toMatchObject({ code: 'INVALID_OPTIONS', phase: 'options' });
    expect((thrown as InvalidOptionsError).options).toEqual(expect.arrayContaining(names.slice(0, 1)));
  });

  it('that are no prompt are, too', () => {
    expect(() => query({ prompt: 7 as never })).toThrow(InvalidOptionsError);
  });

  it('that need a newer CLI end the query before anything is started', async () => {
    const cli = await stage(undefined, '2.1.33');
    const q = query({ prompt: 'hi', options: optionsOf(cli, { effort: 'high' }) });
    const { error } = await runToEnd(q);
    expect(error).toBeInstanceOf(UnsupportedOptionError);
    expect(error).toMatchObject({
      code: 'UNSUPPORTED_OPTION',
      phase: 'options',
      option: 'effort',
      versionFound: '2.1.33',
      versionNeeded: LEAST_VERSIONS.effort,
    });
    expect(cli.run).toBeUndefined();
  });
});

describe('run()', () => {
  const version = { claudeCodeVersion: '2.1.325' };

  it('gives the outcome of the last turn, and of all', async () => {
    const seen: string[] = [];
    const outcome = await run({
      prompt: 'hi',
      options: optionsOf(await stage(), version),
      onMessage: ({ type }) => {
        seen.push(type);
      },
    });
    expect(outcome).toMatchObject({ ok: true, kind: 'ok', text: 'done', sessionId: SESSION_ID });
    expect(outcome.all).toHaveLength(1);
    expect(seen).toEqual(['system', 'assistant', 'result']);
  });

  it('throws a RunError with the outcome of a turn that did not end well', async () => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init(), badResult(), state('idle')),
      { do: 'awaitEnd' },
      { do: 'exit', code: 1 },
    ] as Step[];
    const { error } = await outcomeOf(run({ prompt: 'hi', options: optionsOf(await stage(steps), version) }));
    expect(error).toBeInstanceOf(RunError);
    expect(error).not.toBeInstanceOf(ResultError);
    expect(error).toMatchObject({
      code: 'API_ERROR',
      outcome: { kind: 'api_error', text: 'API Error: 400' },
    });
  });

  it('throws what its listener throws, and ends the CLI', async () => {
    const mine = new Error('mine');
    const { error } = await outcomeOf(
      run({
        prompt: 'hi',
        options: optionsOf(await stage(), version),
        onMessage: () => {
          throw mine;
        },
      }),
    );
    expect(error).toBe(mine);
  });

  it('with nothing to say is no success', async () => {
    const { error } = await outcomeOf(
      run({ prompt: [], options: optionsOf(await stage(handshake()), version) }),
    );
    expect(error).toMatchObject({ code: 'NO_RESULT' });
  });
});
