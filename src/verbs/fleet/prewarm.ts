// A CLI that is started before it is known in which folder it will work: it waits, and is claimed for one.
import { isAbsolute, resolve } from 'node:path';
import {
  ClaimError,
  InvalidOptionsError,
  ProcessExitError,
  SessionClosedError,
  UnsupportedOptionError,
} from '../../errors.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { claimCli, listOwnServers, type ClaimedSession, type ClaimOptions } from './claim-cli.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import { LiveCli, type LiveCliOptions } from '../../live/live-cli.js';
import { leaveSource } from '../../live/input/prompt-pump.js';
import { readPrompt, type Prompt } from '../../live/input/prompt-source.js';
import { presentQuery, type Query } from '../query/query.js';
import type { StartupInput } from './startup.js';

export type { ClaimedSession, ClaimOptions } from './claim-cli.js';

/** The first CLI that can be started without a folder. */
const LEAST_VERSION = '2.1.281';

/** A parked CLI. Whoever has it claims it or closes it. */
export interface SpareProcess extends AsyncDisposable {
  /** Binds it to a folder and gives it its prompt; can be called once. A refusal is thrown by the iteration, and `claimed` rejects with it. */
  claim(input: { prompt: Prompt; options: ClaimOptions }): Query;
  /** Resolves when it is bound; rejects with a ClaimError when it was not, or not as asked. */
  readonly claimed: Promise<ClaimedSession>;
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<void>;
  /** Ends it, claimed or not; resolves when it is gone. */
  close(): Promise<void>;
  /** The CLI's process id. */
  readonly pid: number | undefined;
}

/** Starts a CLI that can be claimed for a folder later. Rejects with the typed error of whatever went wrong, having left nothing behind. */
export function prewarm(input: StartupInput = {}): Promise<SpareProcess> {
  return parkCli(input);
}

/** The same with a launcher of one's own. */
export async function parkCli(
  { options = {}, initializeTimeoutMs }: StartupInput,
  launch?: LiveCliOptions['launch'],
): Promise<SpareProcess> {
  const session = new LiveCli({
    prompt: undefined,
    options: {
      ...options,
      handshakeTimeoutMs: initializeTimeoutMs ?? options.handshakeTimeoutMs,
      extraArgs: { ...options.extraArgs, 'await-claim': null },
    },
    ...(launch && { launch }),
  });
  try {
    await session.initialized;
  } catch (error) {
    await session.close({ kind: 'closed' });
    throw explainExit(error, session.capabilities.known.version);
  }
  return new Spare(session, listOwnServers(options));
}

class Spare implements SpareProcess {
  readonly claimed: Promise<ClaimedSession>;
  readonly #session: LiveCli;
  readonly #serverNames: readonly string[];
  #resolve: (claimed: ClaimedSession) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #isUsed = false;
  #isClosed = false;
  #isGone = false;

  constructor(session: LiveCli, serverNames: readonly string[]) {
    this.#session = session;
    this.#serverNames = serverNames;
    this.claimed = settleQuietly(
      new Promise((claim, refuse) => {
        this.#resolve = claim;
        this.#reject = refuse;
      }),
    );
    void session.over.then(() => {
      this.#isGone = true;
      this.#reject(this.#describeEnd());
    });
  }

  get pid(): number | undefined {
    return this.#session.pid;
  }

  get exited(): Promise<void> {
    return this.#session.over;
  }

  claim({ prompt, options }: { prompt: Prompt; options: ClaimOptions }): Query {
    if (this.#isUsed) throw new SessionClosedError('A spare process can be claimed once, and this one was');
    if (this.#isClosed || this.#isGone) throw this.#describeEnd();
    if (typeof options?.cwd !== 'string' || options.cwd === '') {
      throw new InvalidOptionsError(['cwd'], 'A claim needs "cwd", the folder the session is to work in');
    }
    const source = readPrompt(prompt);
    this.#isUsed = true;
    const cwd = isAbsolute(options.cwd) ? options.cwd : resolve(options.cwd);
    void this.#run(source, { ...options, cwd });
    return presentQuery(this.#session);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reject(this.#describeEnd());
    await this.#session.close({ kind: 'closed' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The prompt waits for the claim: it must not run in a folder, or under settings, that were not agreed to. */
  async #run(source: AsyncIterator<SDKUserMessage>, options: ClaimOptions): Promise<void> {
    const session = this.#session;
    try {
      const request = (asked: { subtype: string }): Promise<unknown> => session.request(asked);
      const claim = await claimCli({ request, serverNames: this.#serverNames }, options);
      if (claim.initialize) session.noteInitialized(claim.initialize);
      if (claim.unapplied) this.#reject(claim.unapplied);
      else this.#resolve(claim.session);
    } catch (error) {
      this.#reject(error instanceof ClaimError ? error : this.#describeEnd(error));
      leaveSource(source);
      await session.close({ kind: 'failed', error });
      return;
    }
    session.begin({ [Symbol.asyncIterator]: () => source as AsyncIterableIterator<SDKUserMessage> });
  }

  #describeEnd(cause?: unknown): ClaimError<ClaimedSession> {
    return this.#isClosed
      ? new ClaimError('spare_closed', 'the spare process was closed before it was claimed', { cause })
      : new ClaimError('spare_exited', 'the spare process ended before it was claimed', { cause });
  }
}

/** A CLI that does not know the flag says so on stderr, and ends. */
function explainExit(error: unknown, version: string | undefined): unknown {
  if (!(error instanceof ProcessExitError) || !/unknown option.*--await-claim/.test(error.stderrTail ?? ''))
    return error;
  return new UnsupportedOptionError(
    'prewarm',
    version ?? 'older',
    LEAST_VERSION,
    'startup() works with this one, for a folder that is known.',
  );
}
