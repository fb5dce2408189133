// The public face of a session: an async generator of messages with controls. What happens inside is the
// live session's business.
import type { PendingPermission } from '../../answer/permissions/permission-questions.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { AnySchema, InferOutput } from '../../answer/schema/infer.js';
import type { UsageReport } from '../../record/usage/usage-ledger.js';
import { createControls, createUnlistedControls } from '../../live/controls/control-methods.js';
import type { Controls, UnlistedControls } from '../../live/controls/controls.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import { LiveCli, type LiveCliOptions } from '../../live/live-cli.js';
import type { ReadyOptions } from '../../live/tooling/await-tools.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { ToolReport } from '../../live/tooling/tool-check.js';
import type { Prompt } from '../../live/input/prompt-source.js';

/** A running query: iterate it for messages; leaving the loop ends it. */
export interface Query<Output = unknown>
  extends AsyncGenerator<SDKMessage, void>, Controls, Omit<UnlistedControls, keyof Controls> {
  /** The CLI's process id, once it has been started. */
  readonly pid: number | undefined;
  /** Waits until the MCP servers are connected and their tools listed; rejects with a ToolsNotReadyError that says which are not. */
  ready(options?: ReadyOptions): Promise<ToolReport>;
  /** The permission questions that wait: for a callback at work, or, when it returned null, for `answerPermission`. */
  pendingPermissions(): PendingPermission[];
  /** The answer as the schema in the option `output` made it: of the last result, or of the first that will come. Rejects with an OutputValidationError when it does not fit, and with the error of a session that ended without one. */
  output(): Promise<Output>;
  /** What the session used so far, each message counted once. */
  usageReport(): UsageReport;
  /** Feeds more user messages; resolves when they are written. Does not end the input while the prompt is still open. */
  streamInput(stream: Prompt): Promise<void>;
  /** Ends the query whatever it is doing; resolves when the CLI is gone. Iteration then ends without an error. */
  close(): Promise<void>;
}

/** What to ask, and how. */
export interface QueryInput<Schema extends AnySchema = AnySchema> {
  prompt: Prompt;
  options?: QueryOptions<Schema>;
}

/** What a schema makes of an answer; nothing where there is no schema. */
export type OutputOf<Schema> = [Schema] extends [undefined] ? never : InferOutput<Schema>;

/** Starts the CLI at once and gives its messages. Wrong options throw here; what goes wrong later is thrown by the iteration. */
export function query<const Schema extends AnySchema = undefined>({
  prompt,
  options = {},
}: QueryInput<Schema>): Query<OutputOf<Schema>> {
  return createQuery({ prompt, options }) as Query<OutputOf<Schema>>;
}

/** The same with a launcher of one's own. */
export function createQuery(input: LiveCliOptions): Query {
  return presentSession(new LiveCli(input));
}

/** A session as its consumers see it. */
export function presentSession(session: LiveCli): Query {
  const close = (): Promise<void> => session.close({ kind: 'closed' });
  const leave = async (): Promise<IteratorResult<SDKMessage, void>> => {
    await session.messages.return();
    await close();
    return { done: true, value: undefined };
  };
  return {
    ...createUnlistedControls(session),
    ...createControls(session),
    get pid() {
      return session.pid;
    },
    pendingPermissions: () => session.permissions.pending,
    output: () => settleQuietly(session.output.value()),
    usageReport: () => session.usage.report(),
    ready: (options) => settleQuietly(session.ready(options)),
    streamInput: (stream) => settleQuietly(session.streamInput(stream)),
    close,
    next: () => session.messages.next(),
    return: leave,
    throw: async (error: unknown) => {
      await leave();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: async () => {
      await leave();
    },
  };
}
