// Owns `prewarm`, which starts a CLI before its folder is known. The CLI waits until it is claimed for a folder. `claim-cli`
// sends the claim.
import { isAbsolute, resolve } from 'node:path';
import {
  ClaimError,
  InvalidOptionsError,
  ProcessExitError,
  SessionClosedError,
  UnsupportedOptionError,
} from '../../errors.js';
import type { McpServers, WithContext } from '../../live/tooling/context-option.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { isInProcess } from '../../wire/protocol/config/mcp-config.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { claimCli } from './claim-cli.js';
import type { ClaimedSession, ClaimOptions } from './claim.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { LiveCliOptions } from '../../live/live-cli-options.js';
import { startLiveCli } from '../../live/session-observer.js';
import { leaveSource } from '../../live/input/prompt-pump.js';
import { readPrompt, type Prompt } from '../../live/input/prompt-source.js';
import { INSPECT_TARGET, type SessionsTarget } from '../../live/watch/session-registry.js';
import { presentQuery, type Query } from '../query/query.js';
import { readQueryInput } from '../query/query-input.js';
import { awaitHandshake, type StartupInput } from './startup.js';

/** The first CLI that can be started without a folder. */
const MIN_VERSION = '2.1.281';

/** A parked CLI. The caller of `prewarm` claims it or closes it. */
export interface SpareProcess<Output = unknown> extends AsyncDisposable {
  /**
   * Binds the CLI to a folder and gives it its prompt. Can be called once. If the CLI refuses, the iteration throws and
   * `claimed` rejects with the same error.
   */
  claim(input: { prompt: Prompt; options: ClaimOptions }): Query<Output>;
  /** Resolves when the CLI is bound to the folder. Rejects with a ClaimError if it was not bound, or not as requested. */
  readonly claimed: Promise<ClaimedSession>;
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<void>;
  /** Ends the CLI, claimed or not. Resolves when it is gone. */
  close(): Promise<void>;
  /** The CLI's process id. */
  readonly pid: number | undefined;
}

/**
 * Starts a CLI that can be claimed for a folder later. Rejects with a typed error if the start fails, and leaves no process
 * behind.
 */
export function prewarm<const Schema extends AnySchema = undefined, Servers extends McpServers = McpServers>(
  input: StartupInput<Schema> & WithContext<Servers> = {},
): Promise<SpareProcess<OutputOf<Schema>>> {
  return parkCli(input) as Promise<SpareProcess<OutputOf<Schema>>>;
}

/** `prewarm` with a launcher of the caller, for tests. */
export async function parkCli(
  { options = {}, initializeTimeoutMs }: StartupInput,
  launch?: LiveCliOptions['launch'],
): Promise<SpareProcess> {
  const live = startLiveCli({
    prompt: undefined,
    options: {
      ...options,
      handshakeTimeoutMs: initializeTimeoutMs ?? options.handshakeTimeoutMs,
      extraArgs: { ...options.extraArgs, 'await-claim': null },
    },
    launch,
  });
  await awaitHandshake(live).catch(async (error: unknown) => {
    throw await explainExit(error, live);
  });
  const { mcpServers = {} } = options;
  return new Spare(
    live,
    Object.keys(mcpServers).filter((name) => isInProcess(mcpServers[name])),
  );
}

class Spare implements SpareProcess {
  readonly #live: LiveCli;
  readonly #serverNames: readonly string[];
  readonly #claim: Deferred<ClaimedSession> = createDeferred();
  readonly claimed = settleQuietly(this.#claim.promise);
  #isUsed = false;
  #isClosed = false;
  #isGone = false;

  constructor(live: LiveCli, serverNames: readonly string[]) {
    this.#live = live;
    this.#serverNames = serverNames;
    void live.over.then(() => {
      this.#isGone = true;
      this.#claim.reject(this.#describeEnd());
    });
  }

  get pid(): number | undefined {
    return this.#live.pid;
  }

  get exited(): Promise<void> {
    return this.#live.over;
  }

  claim(input: { prompt: Prompt; options: ClaimOptions }): Query {
    const { prompt, options } = readQueryInput('claim', input);
    if (this.#isUsed)
      throw new SessionClosedError('A spare process can be claimed only once, and this one has been');
    if (this.#isClosed || this.#isGone) throw this.#describeEnd();
    if (typeof options.cwd !== 'string' || options.cwd === '') {
      throw new InvalidOptionsError(['cwd'], 'A claim needs "cwd", the folder in which the session works');
    }
    const source = readPrompt(prompt);
    this.#isUsed = true;
    const cwd = isAbsolute(options.cwd) ? options.cwd : resolve(options.cwd);
    void this.#run(source, { ...options, cwd });
    return presentQuery(this.#live);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#claim.reject(this.#describeEnd());
    await this.#live.close({ kind: 'closed' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [INSPECT_TARGET](): SessionsTarget {
    return { subject: this.#live };
  }

  /** Sends the prompt after the claim, so that it never runs in another folder or under other settings. */
  async #run(source: AsyncIterator<SDKUserMessage>, options: ClaimOptions): Promise<void> {
    const live = this.#live;
    try {
      const request = (asked: { subtype: string }): Promise<unknown> => live.request(asked);
      const claim = await claimCli({ request, serverNames: this.#serverNames }, options);
      if (claim.initialize) live.noteInitialized(claim.initialize);
      if (claim.unapplied) this.#claim.reject(claim.unapplied);
      else this.#claim.resolve(claim.session);
    } catch (error) {
      this.#claim.reject(error instanceof ClaimError ? error : this.#describeEnd(error));
      leaveSource(source);
      await live.close({ kind: 'failed', error });
      return;
    }
    live.begin({ [Symbol.asyncIterator]: () => source as AsyncIterableIterator<SDKUserMessage> });
  }

  #describeEnd(cause?: unknown): ClaimError<ClaimedSession> {
    return this.#isClosed
      ? new ClaimError('spare_closed', 'the spare process was closed before it was claimed', { cause })
      : new ClaimError('spare_exited', 'the spare process ended before it was claimed', { cause });
  }
}

/** Explains the exit of a CLI that does not know the flag `--await-claim`. Returns any other error as it is. */
async function explainExit(error: unknown, live: LiveCli): Promise<unknown> {
  if (
    !(error instanceof ProcessExitError) ||
    !/unknown option.{0,200}--await-claim/.test(error.stderrTail ?? '')
  )
    return error;
  await live.learnVersion();
  return new UnsupportedOptionError(
    'prewarm',
    live.version ?? 'older',
    MIN_VERSION,
    'startup() works with this CLI if the folder is already known.',
  );
}
