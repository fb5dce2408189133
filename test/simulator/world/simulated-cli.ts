// A CLI of a simulated host: the program of the chaos runs, as a process of its own with its own time, behind two pipes. It is no part of
// its host: it goes on while the host is frozen, and ends soon after the host has died.
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { Pipe } from './pipe.js';
import type { Program, Sandbox } from './sandbox.js';
import type { Host } from './world.js';

/** The programs, by their file names. */
export type CliPrograms = Readonly<Record<'fake-cli' | 'fake-together' | 'fake-transcript', Program>>;

/** What a transport is asked for, and gives (packages/core/src/wire/transport/transport.ts). */
interface Request {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}
interface End {
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
}
interface Receiver {
  line(text: string): void;
  closed(end: End): void;
}

/** A CLI that was started, for the judge. */
export interface StartedCli {
  readonly name: string;
  readonly owner: Host;
  readonly host: Host;
  readonly args: readonly string[];
  /** Its session, if it was given one. */
  readonly session: string | undefined;
  readonly startedAt: number;
  endedAt: number | undefined;
  stderr: string;
  exitCode: number | null | undefined;
  kill(signal: string): void;
}

const GRACE_MS = 2000;
const TERM_MS = 5000;
/** How long a CLI takes until what it has is in its file, and how often that is longer. */
const BEAT_MS = 150;
const SLOW_BEAT_MS = 2000;
const SLOW_SHARE = 0.15;
/** How long a CLI may live without its host. */
const ORPHAN_MS = 300;

/** Starts CLIs on the hosts of one world. */
export class CliStarter {
  readonly started: StartedCli[] = [];
  readonly #sandbox: Sandbox;
  readonly #programs: CliPrograms;

  constructor(sandbox: Sandbox, programs: CliPrograms) {
    this.#sandbox = sandbox;
    this.#programs = programs;
  }

  /** Ends what a dead host leaves. */
  orphan(owner: Host): void {
    for (const cli of this.started)
      if (cli.owner === owner && cli.endedAt === undefined)
        this.#sandbox.world.on(cli.host, () =>
          this.#sandbox.world.after(cli.host.chance.next() * ORPHAN_MS, 'orphan ends', () =>
            cli.kill('SIGKILL'),
          ),
        );
  }

  /** A transport to a CLI of the present host. */
  createTransport(request: Request): object {
    const { world } = this.#sandbox;
    const owner = world.host;
    if (!owner) throw new Error('A CLI is started by a host');
    const name = `${owner.name}/cli${this.started.length}`;
    const early: string[] = [];
    let input: Pipe<string | undefined> | undefined;
    let cli: StartedCli | undefined;
    let closed: (() => void) | undefined;
    const whenClosed = new Promise<void>((resolve) => void (closed = resolve));
    let isEnding = false;
    let hasEndedInput = false;
    const endInput = (): void => {
      if (hasEndedInput) return;
      hasEndedInput = true;
      input?.put(undefined);
    };
    return {
      pid: undefined,
      claudeCodeVersion: '2.1.325',
      open: (receiver: Receiver) => {
        const begun = this.#start(
          request,
          owner,
          name,
          (end) => {
            receiver.closed(end);
            closed?.();
          },
          (line) => receiver.line(line),
        );
        ({ input, cli } = begun);
        for (const line of early.splice(0)) input.put(line);
        if (hasEndedInput) input.put(undefined);
        if (isEnding) cli.kill('SIGKILL');
      },
      write: (line: string) => {
        if (hasEndedInput) return true;
        if (input) input.put(line);
        else early.push(line);
        return true;
      },
      drained: () => Promise.resolve(),
      endInput,
      terminate: ({ graceMs = GRACE_MS, killMs = TERM_MS } = {}) => {
        isEnding = true;
        endInput();
        if (!cli) return Promise.resolve();
        const known = cli;
        world.after(graceMs, 'terminate', () => known.kill('SIGTERM'));
        world.after(graceMs + killMs, 'kill', () => known.kill('SIGKILL'));
        return whenClosed;
      },
    };
  }

  /** A child process of the present host, as `node:child_process` gives it. */
  spawn(command: string, args: readonly string[], { env = {}, cwd = '/desk' }: Partial<Request>): object {
    const { world } = this.#sandbox;
    const owner = world.host;
    if (!owner) throw new Error('A process is started by a host');
    const child = new EventEmitter();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const plain = {
      stdout,
      stderr,
      ref() {},
      unref() {},
      exitCode: null as number | null,
      signalCode: null as string | null,
    };
    // Tells that it runs; what it does is done by the world itself.
    if (args.includes('inboard-guardian')) {
      world.after(world.draw({ usual: 20, rare: 500 }), 'guardian', () => stdout.write('ready'));
      return Object.assign(child, plain, { pid: 2, stdin: new PassThrough().resume(), kill: () => true });
    }
    const name = `${owner.name}/cli${this.started.length}`;
    const end = ({ exitCode, signal }: End): void => {
      Object.assign(child, { exitCode, signalCode: signal });
      stdout.end();
      stderr.end();
      child.emit('exit', exitCode, signal);
      child.emit('close', exitCode, signal);
    };
    const { cli, input, pid } = this.#start(
      { args: args.slice(args.findIndex((word) => word.endsWith('.cjs')) + 1), env, cwd },
      owner,
      name,
      end,
      (line) => stdout.write(`${line}\n`),
    );
    let rest = '';
    const stdin = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) input.put(line);
        done();
      },
      final(done) {
        input.put(undefined);
        done();
      },
    });
    world.note(`spawn ${command}`);
    world.after(0, 'spawned', () => child.emit('spawn'));
    return Object.assign(child, plain, {
      pid,
      stdin,
      stdio: [stdin, stdout, stderr],
      kill: (signal = 'SIGTERM') => (cli.kill(signal), true),
    });
  }

  #start(
    request: Request,
    owner: Host,
    name: string,
    onEnd: (end: End) => void,
    onLine: (line: string) => void,
  ) {
    const sandbox = this.#sandbox;
    const { world } = sandbox;
    const host = world.addHost(name);
    const pid = sandbox.describeHost(host, owner);
    host.signal = (name) => cli.kill(name);
    const output = new Pipe<string | End>(world, `to ${owner.name}`, owner, (item) => {
      if (typeof item === 'string') onLine(item);
      else onEnd(item);
    });
    const listeners: Record<string, ((line: string) => void)[]> = { line: [], close: [] };
    let waiting: (string | undefined)[] | undefined = [];
    const take = (line: string | undefined): void => {
      if (waiting) waiting.push(line);
      else
        for (const listener of listeners[line === undefined ? 'close' : 'line'] ?? []) listener(line ?? '');
    };
    const input = new Pipe<string | undefined>(world, `to ${name}`, host, take);
    const end = (exitCode: number | null, signal: string | null): void => {
      if (cli.endedAt !== undefined) return;
      cli.endedAt = world.now;
      cli.exitCode = exitCode;
      world.bury(host);
      world.note(`${name} ended ${exitCode ?? signal}`);
      output.put({ exitCode, signal, stderrTail: cli.stderr });
    };
    const cli: StartedCli = {
      name,
      owner,
      host,
      args: request.args,
      session: readSession(request.args),
      startedAt: world.now,
      endedAt: undefined,
      stderr: '',
      exitCode: undefined,
      kill: (signal) => end(null, signal),
    };
    host.crash = (error) => {
      cli.stderr += String(error);
      end(null, 'SIGABRT');
    };
    this.started.push(cli);
    // What its host did in the moment of its death.
    if (owner.isDead) this.orphan(owner);
    const reader = {
      on(event: string, listener: (line: string) => void) {
        listeners[event]?.push(listener);
        return reader;
      },
    };
    const env = {
      ...request.env,
      CHAOS_BEAT_MS: String(10 + host.chance.below(host.chance.next() < SLOW_SHARE ? SLOW_BEAT_MS : BEAT_MS)),
      FAULTS_REQUESTS: '/desk/requests',
      FAULTS_LATE_FILE: process.env['SIMULATOR_LATE_FILES'],
    };
    let rest = '';
    const facts = {
      argv: ['node', 'fake-cli', ...request.args],
      env,
      cwd: request.cwd,
      exit: (code: number) => end(code, null),
      stdout: (text: string, done?: () => void) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        if (cli.endedAt === undefined) for (const line of lines) output.put(line);
        done?.();
      },
      stderr: (text: string) => {
        cli.stderr += text;
        // The real CLI says this on its output, as the result of a turn.
        if (text.startsWith('No conversation found')) output.put(JSON.stringify(createRefusal(text.trim())));
      },
      modules: { 'node:readline': { createInterface: () => reader } },
    };
    const load = (program: Program, modules = {}): object => sandbox.load(program, modules, facts);
    world.on(host, () =>
      world.after(world.draw({ usual: 100, rare: 1500 }), `start ${name}`, () => {
        const transcript = load(this.#programs['fake-transcript']);
        const together = load(this.#programs['fake-together']);
        load(this.#programs['fake-cli'], {
          './fake-transcript.cjs': transcript,
          './fake-together.cjs': together,
        });
        const early = waiting ?? [];
        waiting = undefined;
        early.forEach(take);
      }),
    );
    return { cli, input, pid };
  }
}

function readSession(args: readonly string[]): string | undefined {
  for (const [at, word] of args.entries()) {
    const [name, value] = word.split('=');
    if (name === '--resume' || name === '--session-id') return value ?? args[at + 1];
  }
  return undefined;
}

function createRefusal(error: string): object {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: [error],
    duration_ms: 1,
    duration_api_ms: 0,
    num_turns: 0,
    total_cost_usd: 0,
    stop_reason: null,
    session_id: '',
    uuid: '00000000-0000-4000-8000-00000000dead',
    usage: {},
    modelUsage: {},
    permission_denials: [],
  };
}
