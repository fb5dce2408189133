// Presents one live CLI as a query: an async generator of messages, with controls. `live-cli` runs and ends that CLI.
import type { PendingPermission } from '../../answer/permissions/open-permission.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import type { UsageReport } from '../../record/usage/usage-ledger.js';
import { installControls } from '../../live/controls/control-methods.js';
import type { Controls, UnlistedControls } from '../../live/controls/controls.js';
import { INSPECT_TARGET, type SessionsTarget } from '../../live/watch/session-registry.js';
import { HiddenValue } from '../../util/hidden-value.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { LiveCliOptions } from '../../live/live-cli-options.js';
import { startLiveCli } from '../../live/session-observer.js';
import type { TextStream, TextStreamOptions } from '../../live/output/text-feed.js';
import type { ReadyOptions } from '../../live/tooling/await-tools.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import type { ToolReport } from '../../live/tooling/tool-report.js';
import type { Prompt } from '../../live/input/prompt-source.js';
import type { McpServers, WithContext } from '../../live/tooling/context-option.js';
import { readQueryInput } from './query-input.js';

const liveClis = new HiddenValue<LiveCli>('query');

type AllControls = Controls & UnlistedControls;

/** A running query. Iterate it to read its messages. Leaving the loop ends it. */
export interface Query<Output = unknown>
  extends AsyncGenerator<SDKMessage, void>, Controls, Omit<UnlistedControls, keyof Controls> {
  /** The CLI's process id, once it has been started. */
  readonly pid: number | undefined;
  /**
   * Waits until the MCP servers are connected and their tools listed. Rejects with a ToolsNotReadyError that names the servers
   * and tools that are missing.
   */
  ready(options?: ReadyOptions): Promise<ToolReport>;
  /**
   * The open permission questions: those that a callback is still handling, and those that it left to `answerPermission` by
   * returning null.
   */
  pendingPermissions(): PendingPermission[];
  /**
   * The answer, parsed with the schema in the option `output`. It is the answer of the last result so far, or of the first one
   * to arrive if there is none yet. Rejects with an OutputValidationError if it does not match, with a RunError if the turn failed
   * or was interrupted, and with the session's error if the session ends without an answer.
   */
  output(): Promise<Output>;
  /** The tokens and cost used so far, each message counted once. */
  usageReport(): UsageReport;
  /**
   * A new reader of the model's text from now on. The text comes piece by piece if you call this in the same tick as `query()`
   * or partial messages are on, otherwise one whole text at a time. Ends and throws as the iteration does. Leaving its loop
   * ends the query, unless the query has another reader.
   */
  textStream(options?: TextStreamOptions): TextStream;
  /** Sends more user messages and resolves when they have been written. The input stays open as long as the prompt does. */
  streamInput(stream: Prompt): Promise<void>;
  /** Ends the query, whatever it is doing. Resolves when the CLI is gone. The iteration then ends without an error. */
  close(): Promise<void>;
}

/** What to ask, and how. */
export interface QueryInput<Schema extends AnySchema = AnySchema> {
  prompt: Prompt;
  options?: QueryOptions<Schema> | undefined;
}

/**
 * Sends a prompt to the model and yields the messages as they arrive. The CLI starts at once, and leaving the loop ends it.
 * Throws for wrong options. The iteration throws all later errors.
 * @example
 * ```ts
 * for await (const message of query({ prompt: 'Say hello.' })) console.log(message.type);
 * ```
 */
export function query<const Schema extends AnySchema = undefined, Servers extends McpServers = McpServers>(
  input: QueryInput<Schema> & WithContext<Servers>,
): Query<OutputOf<Schema>> {
  return createQuery(readQueryInput('query', input)) as Query<OutputOf<Schema>>;
}

/** `query` with a launcher of the caller, for tests. */
export function createQuery(input: LiveCliOptions): Query {
  return presentQuery(startLiveCli(input));
}

/** Creates the query of a live CLI. Each live CLI has one. */
export function presentQuery(live: LiveCli): Query {
  // The controls are put on the prototype, where the compiler does not see them.
  return new LiveQuery(live) as LiveQuery & AllControls;
}

/**
 * All methods are on this one prototype, where programs look for them. They work with any receiver that leads to the query,
 * such as a proxy or an object that inherits from it.
 */
class LiveQuery implements Omit<Query, keyof AllControls> {
  static {
    installControls(this.prototype, (query) => liveClis.of(query), { unlisted: true });
  }

  constructor(live: LiveCli) {
    liveClis.set(this, live);
  }

  get pid(): number | undefined {
    // Programs that list the members of the prototype read this too, without a query. It must not throw.
    return liveClis.find(this)?.pid;
  }

  pendingPermissions(): PendingPermission[] {
    return liveClis.of(this).permissions.pending;
  }

  output(): Promise<unknown> {
    return settleQuietly(liveClis.of(this).awaitOutput());
  }

  usageReport(): UsageReport {
    return liveClis.of(this).usage.report();
  }

  textStream(options?: TextStreamOptions): TextStream {
    const live = liveClis.of(this);
    live.streamText();
    return live.texts.read(options, async () => {
      if (!live.messages.wasAsked && live.texts.readers === 0) await leave(live);
    });
  }

  ready(options?: ReadyOptions): Promise<ToolReport> {
    return settleQuietly(liveClis.of(this).ready(options));
  }

  streamInput(stream: Prompt): Promise<void> {
    return settleQuietly(liveClis.of(this).streamInput(stream));
  }

  close(): Promise<void> {
    return liveClis.of(this).close({ kind: 'closed' });
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return liveClis.of(this).next();
  }

  async return(): Promise<IteratorResult<SDKMessage, void>> {
    await leave(liveClis.of(this));
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<never> {
    await leave(liveClis.of(this));
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await leave(liveClis.of(this));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [INSPECT_TARGET](): SessionsTarget {
    return { subject: liveClis.of(this) };
  }
}

/** Ends a query whose consumer reads no more. Resolves when the CLI is gone. */
async function leave(live: LiveCli): Promise<void> {
  await live.messages.return();
  await live.close({ kind: 'closed' });
}
