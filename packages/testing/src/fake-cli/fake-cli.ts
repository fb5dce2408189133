// The fake CLI. It plays a script in place of the real CLI, as a transport in memory or as an executable. It follows
// the real CLI's protocol. `verify()` throws if the host breaks the protocol or leaves before the script is over.
import { ScriptMismatchError } from '@inboard/core/errors.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { TransportFactory } from '@inboard/core/wire/transport/transport.js';
import { FakeRun } from './fake-run.js';
import { createExecutable, type FakeExecutable } from './pipes/executable.js';
import type { FakeLaunch, FakePipes } from './pipes/fake-pipes.js';
import { createMemoryPipes } from './pipes/memory-pipes.js';
import type { ControlAnswers, FakeLogEntry, RunSettings } from './run-state.js';
import { STEP_KINDS } from './player/play-step.js';
import { warnOfRest } from '../script/left-early.js';
import { checkScript } from './script/check-script.js';
import type { FakeScript } from './script/fake-step.js';

/** How the fake behaves. By default it imitates CLI 2.1.325. */
export interface FakeCliOptions {
  /**
   * The CLI version that the fake imitates. Default 2.1.325. Versions before 2.1.206 send no states and accept no
   * manifests.
   */
  readonly version?: string | undefined;
  /** Also reports answers that only older CLIs refuse, such as a permission without `updatedInput`. Default true. */
  readonly strict?: boolean | undefined;
  /** Whether the host may leave before the script is over, as with `close()` or an abort. Default false. */
  readonly allowEarlyEnd?: boolean | undefined;
  /** Whether messages that the host sends while tools run become part of the turn. Default true, as in the real CLI. */
  readonly foldPrompts?: boolean | undefined;
  /**
   * Whether the script reads every line with `expectLine` and writes every answer. The fake then does nothing by
   * itself. Default false.
   */
  readonly byHand?: boolean | undefined;
  /**
   * Answers to control requests, by subtype, that replace the fake's own. Each is a value or a function. A function
   * that throws refuses the request.
   */
  readonly controls?: ControlAnswers | undefined;
}

/** One run of the fake CLI, as the test sees it. */
export interface FakeCliSession {
  readonly index: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The session id with which the CLI was started, or a random one. */
  readonly sessionId: string;
  /** The texts of the prompts, in order. */
  readonly prompts: readonly string[];
  /** The host's `initialize` request; undefined until it arrives. */
  readonly initialize: WireObject | undefined;
  readonly log: readonly FakeLogEntry[];
  /** Whether the host has ended the input. */
  readonly isInputEnded: boolean;
  /** Whether the CLI is gone. */
  readonly isOver: boolean;
}

/** A control request of the host. */
export interface FakeCliRequest {
  readonly session: number;
  readonly subtype: string;
  readonly request: WireObject;
}

/**
 * A fake CLI. `await using` closes and verifies it. If the host left before the script was over, as when a test fails,
 * it only warns.
 */
export interface FakeCli extends AsyncDisposable {
  /** The value for the option `transport`. Each use starts a session. */
  readonly transport: TransportFactory & { readonly claudeCodeVersion: string };
  /** Writes the fake CLI as a program, once. Resolves with its path, for the option `pathToClaudeCodeExecutable`. */
  executable(): Promise<string>;
  /** Every line in both directions, of all sessions, in order. */
  readonly log: readonly FakeLogEntry[];
  /** The host's control requests, of all sessions, in order. */
  readonly requests: readonly FakeCliRequest[];
  readonly sessions: readonly FakeCliSession[];
  /**
   * Throws a `ScriptMismatchError` if the host broke the protocol, if a prompt was not the expected one, or if steps
   * are left.
   */
  verify(): void;
  /**
   * Ends running sessions and removes the program. Then it verifies, unless `verify` is false or `verify()` has thrown
   * before.
   */
  close(options?: { readonly verify?: boolean }): Promise<void>;
}

const SUBJECT = 'The fake CLI and its host disagree';

/** For scripts that were written for a scripted model, whose sessions share the steps. */
const PLAYED_BY_EACH =
  'Each session of a fake CLI plays the script from the beginning; createFakeCli(({ index }) => scripts[index]) gives each its own';

const DEFAULT_VERSION = '2.1.325';

/**
 * Makes a fake CLI, which plays a script over the real protocol without a process or a model. Each session plays the
 * script from the beginning. A function as the script can play a different script in each session.
 * @example
 * ```ts
 * await using fake = createFakeCli([text('Hello from the fake.')]);
 * assert.equal(
 *   (await run({ prompt: 'Hi', options: { transport: fake.transport } })).text,
 *   'Hello from the fake.',
 * );
 * ```
 */
export function createFakeCli(script: FakeScript, options: FakeCliOptions = {}): FakeCli {
  return new ScriptedFake(script, options);
}

class ScriptedFake implements FakeCli {
  readonly transport: FakeCli['transport'];
  readonly log: FakeLogEntry[] = [];
  readonly #script: FakeScript;
  readonly #settings: RunSettings;
  readonly #runs: FakeRun[] = [];
  #executable: Promise<FakeExecutable> | undefined;
  #closing: Promise<void> | undefined;
  #hasReported = false;
  /** The problems at the moment of closing. Closing may cause further problems, which are not the host's fault. */
  #problems: readonly string[] | undefined;
  /** Whether, at the moment of closing, all problems came from a run that was cut short, as when a test fails. */
  #isCutShort = false;

  constructor(script: FakeScript, options: FakeCliOptions) {
    const version = options.version ?? DEFAULT_VERSION;
    const rules = { kinds: STEP_KINDS, isByHand: options.byHand ?? false };
    if (typeof script !== 'function') checkScript(script, 'script', rules);
    this.#script = script;
    this.#settings = {
      version,
      isStrict: options.strict ?? true,
      mayEndEarly: options.allowEarlyEnd ?? false,
      foldsPrompts: options.foldPrompts ?? true,
      isByHand: options.byHand ?? false,
      answers: options.controls ?? {},
      onLogged: (entry) => void this.log.push(entry),
    };
    const create: TransportFactory = ({ args, env, cwd }) =>
      createMemoryPipes((pipes) => this.#startRun({ args, env, cwd, version }, pipes));
    this.transport = Object.assign(create, { claudeCodeVersion: version });
  }

  async executable(): Promise<string> {
    this.#executable ??= createExecutable(this.#settings, (launch, pipes) => this.#startRun(launch, pipes));
    return (await this.#executable).path;
  }

  get sessions(): readonly FakeCliSession[] {
    return this.#runs.map(describeRun);
  }

  get requests(): readonly FakeCliRequest[] {
    return this.log.flatMap(readRequest);
  }

  verify(): void {
    const problems = this.#problems ?? this.#listProblems();
    if (problems.length === 0) return;
    this.#hasReported = true;
    throw new ScriptMismatchError(SUBJECT, problems);
  }

  async close({ verify = true }: { readonly verify?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#shutDown();
    await this.#closing;
    if (verify && !this.#hasReported) this.verify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close({ verify: false });
    // The test may have thrown an error, which an error thrown here would hide.
    if (this.#isCutShort) warnOfRest(SUBJECT, this.#problems ?? []);
    else if (!this.#hasReported) this.verify();
  }

  #startRun(launch: FakeLaunch, pipes: FakePipes): FakeRun {
    const start = { index: this.#runs.length, launch, settings: this.#settings };
    const run = new FakeRun(start, pipes, this.#script);
    this.#runs.push(run);
    return run;
  }

  #listProblems(): string[] {
    if (this.#runs.length === 0 && !this.#settings.mayEndEarly) return ['it was never started'];
    const problems = this.#runs.flatMap((run, index) =>
      run.listProblems().map((problem) => `session ${index}: ${problem}`),
    );
    const isShared = this.#runs.length > 1 && typeof this.#script !== 'function';
    return isShared && this.#runs.some((run) => run.hasStepsLeft) ? [...problems, PLAYED_BY_EACH] : problems;
  }

  async #shutDown(): Promise<void> {
    this.#problems = this.#listProblems();
    this.#isCutShort = this.#runs.every((run) => run.listProblems().length === 0 || run.isCutShort);
    for (const { parts } of this.#runs) parts.host.leave({ signal: 'SIGKILL' });
    await (await this.#executable)?.close();
  }
}

function readRequest({ session, from, frame }: FakeLogEntry): FakeCliRequest[] {
  if (from !== 'host' || frame?.['type'] !== 'control_request') return [];
  const request = (frame['request'] ?? {}) as WireObject;
  return [{ session, subtype: String(request['subtype']), request }];
}

function describeRun({ parts: { state, writer } }: FakeRun): FakeCliSession {
  const { index, launch, promptTexts: prompts, initialize, log, hasInputEnded: isInputEnded, isOver } = state;
  const { args, env, cwd } = launch;
  const { sessionId } = writer;
  return { index, args, env, cwd, sessionId, prompts, initialize, log, isInputEnded, isOver };
}
