// Owns `startup`, which starts a CLI and completes its handshake before there is a prompt, so that the prompt need not wait.
import { SessionClosedError } from '../../errors.js';
import { warnOfMisplacedOptions } from '../../options/check/misplaced-options.js';
import type { McpServers, WithContext } from '../../live/tooling/context-option.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import type { LiveCli } from '../../live/live-cli.js';
import { startLiveCli } from '../../live/session-observer.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { Prompt } from '../../live/input/prompt-source.js';
import { INSPECT_TARGET, type SessionsTarget } from '../../live/watch/session-registry.js';
import { presentQuery, type Query } from '../query/query.js';

/** A started CLI that is waiting for its only prompt. The caller of `startup` uses it or closes it. */
export interface WarmQuery<Output = unknown> extends AsyncDisposable {
  /** Starts the query. Can be called once. */
  query(prompt: Prompt): Query<Output>;
  /** Ends an unused CLI and resolves when it is gone. A used CLI is ended by its query. */
  close(): Promise<void>;
  /** The CLI's process id. */
  readonly pid: number | undefined;
}

/** How a CLI is started before its prompt is known. */
export interface StartupInput<Schema extends AnySchema = AnySchema> {
  options?: QueryOptions<Schema> | undefined;
  /** How long the handshake may take. Default 60 000 ms; 0 for no limit. */
  initializeTimeoutMs?: number | undefined;
}

/** Starts the CLI and waits for its handshake. Rejects with a typed error if the start fails, and leaves no process behind. */
export async function startup<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
>(input: StartupInput<Schema> & WithContext<Servers> = {}): Promise<WarmQuery<OutputOf<Schema>>> {
  warnOfMisplacedOptions('startup', input);
  const { options = {}, initializeTimeoutMs } = input;
  const handshakeTimeoutMs = initializeTimeoutMs ?? options.handshakeTimeoutMs;
  const live = startLiveCli({ prompt: undefined, options: { ...options, handshakeTimeoutMs } });
  await awaitHandshake(live);
  let isUsed = false;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (!isUsed) await (closing ??= live.close({ kind: 'closed' }));
  };
  const warm: WarmQuery<OutputOf<Schema>> = {
    query: (prompt) => {
      if (isUsed || closing)
        throw new SessionClosedError('A warm query serves one prompt, and this one has been used or closed');
      // A wrong prompt throws here. The caller can then still use the CLI.
      live.begin(prompt);
      isUsed = true;
      return presentQuery(live) as Query<OutputOf<Schema>>;
    },
    close,
    get pid() {
      return live.pid;
    },
    [Symbol.asyncDispose]: close,
  };
  // The property is not enumerable, so that a program that prints or spreads the object does not see it.
  const target = (): SessionsTarget => ({ subject: live });
  return Object.defineProperty(warm, INSPECT_TARGET, { value: target });
}

/** Waits for the handshake of a CLI without a prompt. When this rejects, the CLI is gone. */
export async function awaitHandshake(live: LiveCli): Promise<void> {
  try {
    await live.initialized;
  } catch (error) {
    await live.close({ kind: 'closed' });
    throw error;
  }
}
