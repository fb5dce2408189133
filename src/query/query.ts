// The public face of a session: an async generator of messages with controls. What happens inside is the
// live session's business.
import type { PendingPermission } from '../permissions/permission-desk.js';
import type { SDKMessage } from '../protocol/messages.js';
import { createControls, settleQuietly, type Controls } from './controls.js';
import { LiveSession, type LiveSessionOptions } from './live-session.js';
import type { ReadyOptions } from './await-tools.js';
import type { QueryOptions } from './name-tools.js';
import type { ToolReport } from './tool-check.js';
import type { Prompt } from './prompt-source.js';

/** A running query: iterate it for messages; leaving the loop ends it. */
export interface Query extends AsyncGenerator<SDKMessage, void>, Controls {
  /** The CLI's process id, once it has been started. */
  readonly pid: number | undefined;
  /** Waits until the MCP servers are connected and their tools listed; rejects with a ToolsNotReadyError that says which are not. */
  ready(options?: ReadyOptions): Promise<ToolReport>;
  /** The permission questions that wait: for a callback at work, or, when it returned null, for `answerPermission`. */
  pendingPermissions(): PendingPermission[];
  /** Feeds more user messages; resolves when they are written. Does not end the input while the prompt is still open. */
  streamInput(stream: Prompt): Promise<void>;
  /** Ends the query whatever it is doing; resolves when the CLI is gone. Iteration then ends without an error. */
  close(): Promise<void>;
}

/** What to ask, and how. */
export interface QueryInput {
  prompt: Prompt;
  options?: QueryOptions;
}

/** Starts the CLI at once and gives its messages. Wrong options throw here; what goes wrong later is thrown by the iteration. */
export function query({ prompt, options = {} }: QueryInput): Query {
  return createQuery({ prompt, options });
}

/** The same with a launcher of one's own. */
export function createQuery(input: LiveSessionOptions): Query {
  return presentSession(new LiveSession(input));
}

/** A session as its consumers see it. */
export function presentSession(session: LiveSession): Query {
  const close = (): Promise<void> => session.close({ kind: 'closed' });
  const leave = async (): Promise<IteratorResult<SDKMessage, void>> => {
    await session.messages.return();
    await close();
    return { done: true, value: undefined };
  };
  return {
    ...createControls(session),
    get pid() {
      return session.pid;
    },
    pendingPermissions: () => session.pendingPermissions,
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
