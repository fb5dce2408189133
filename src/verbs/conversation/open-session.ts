// The public face of a long session: open it once, send messages, read turns or everything, change things on
// the way, close it.
import { InvalidOptionsError } from '../../errors.js';
import { checkOptions } from '../../options/check/check-options.js';
import type { PendingPermission } from '../../answer/permissions/permission-questions.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { UsageReport } from '../../record/usage/usage-ledger.js';
import type { ReadyOptions } from '../../live/tooling/await-tools.js';
import { createControls } from '../../live/controls/control-methods.js';
import type { Controls } from '../../live/controls/controls.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import { Conversation, type SendOptions } from './conversation.js';
import type { Launch } from '../../live/launch.js';
import { nameTools, type QueryOptions } from '../../live/tooling/name-tools.js';
import { readRestartPolicy, type RestartPolicy } from './restart-policy.js';
import type { SessionState } from './conversation-event.js';
import type { SessionEvent } from './conversation-event.js';
import type { ToolReport } from '../../live/tooling/tool-check.js';
import type { Turn } from './turns/turn.js';
import type { TurnGate } from './conversation-parts.js';
import type { MessageInput } from '../../live/input/user-message.js';

/** How a session is opened. */
export interface OpenSessionInput {
  options?: QueryOptions;
  /** Goes on after a crash, a stall or a kill of the CLI. Default: the session ends with its CLI. */
  restart?: boolean | RestartPolicy;
  /** Starts the CLI with the first message or request, not at once. Default false. */
  lazy?: boolean;
  /** Gives the CLI a message only when the one before is answered, so that no two share a turn. Default false: they go to the CLI at once, which may take them into a running turn. */
  oneByOne?: boolean;
  /** Milliseconds without work after which the CLI is ended until it is needed again. Default: never. */
  suspendAfterMs?: number;
}

/**
 * A long conversation. The controls of a query are at hand, wait for a CLI that is being started, and start
 * one that is suspended. Whoever opens a session closes it.
 */
export interface Session extends Controls, AsyncDisposable {
  /** Known at once for a session of one's own; for one that is continued, with the first turn. */
  readonly sessionId: string | undefined;
  readonly state: SessionState;
  /** The process id of the CLI there is now. */
  readonly pid: number | undefined;
  /** Sends a message; while a turn runs, it waits. Throws for what is no message; all else is told by the turn. */
  send(message: MessageInput, options?: SendOptions): Turn;
  /** A reader of all messages from now on, of every turn and between them; any number, each at its own pace. Leaving one ends nothing else; the error that ends the session is thrown to each. */
  messages(): AsyncIterableIterator<SDKMessage, undefined>;
  /** A reader of what happens to the session from now on: starts, crashes, restarts, suspension, the end. */
  events(): AsyncIterableIterator<SessionEvent, undefined>;
  /** The permission questions that wait for an answer. */
  pendingPermissions(): PendingPermission[];
  /** What the conversation used so far, each message counted once, whichever CLI it had. */
  usageReport(): UsageReport;
  /** Waits until MCP servers and tools are there, or rejects with a ToolsNotReadyError. */
  ready(options?: ReadyOptions): Promise<ToolReport>;
  /** Ends the CLI and keeps the conversation for the next message; false when a turn, a request or a background task is under way, and for a session that could not be started again: without a transcript, or on one transport object. */
  suspend(): Promise<boolean>;
  /** Ends the session, whatever it is doing; open turns reject with a SessionClosedError. Resolves when the CLI is gone. */
  close(): Promise<void>;
}

/** Opens a session and starts its CLI, unless it is lazy. Throws for wrong options; a start that fails is told by the first turn and by every reader. */
export function openSession(input: OpenSessionInput = {}): Session {
  return presentConversation(createConversation(input));
}

/** What only tests and groups add. */
export interface ConversationInput extends OpenSessionInput {
  launch?: Launch;
  gate?: TurnGate;
}

/** The inside of a session, started unless it is lazy. */
export function createConversation(input: ConversationInput): Conversation {
  const { options = {}, lazy = false, oneByOne = false, suspendAfterMs, launch, gate } = input;
  const restart = readRestartPolicy(input.restart);
  checkSessionInput(input, options);
  // A lazy one is told of wrong options here, too; of doubtful ones when it starts.
  if (lazy) checkOptions(nameTools(options));
  const conversation = new Conversation({ options, restart, oneByOne, launch, gate }, suspendAfterMs);
  if (lazy) return conversation;
  try {
    conversation.cli.start();
  } catch (error) {
    void conversation.close();
    throw error;
  }
  return conversation;
}

function checkSessionInput({ restart, suspendAfterMs }: OpenSessionInput, options: QueryOptions): void {
  const mustResume = suspendAfterMs === undefined ? (restart ? 'restart' : undefined) : 'suspendAfterMs';
  if (mustResume === undefined) return;
  if (suspendAfterMs !== undefined && !(suspendAfterMs > 0)) {
    throw new InvalidOptionsError(
      ['suspendAfterMs'],
      '"suspendAfterMs" must be a number of milliseconds above 0',
    );
  }
  if (options.persistSession === false) {
    throw new InvalidOptionsError(
      [mustResume, 'persistSession'],
      `"${mustResume}" resumes the conversation from its transcript, and persistSession: false keeps none`,
    );
  }
  if (options.transport !== undefined && typeof options.transport !== 'function') {
    throw new InvalidOptionsError(
      [mustResume, 'transport'],
      `"${mustResume}" starts the CLI more than once: give "transport" as a function that makes one each time`,
    );
  }
}

/** A conversation as its users see it. */
export function presentConversation(conversation: Conversation): Session {
  const { cli } = conversation;
  const close = (): Promise<void> => conversation.close();
  return {
    ...createControls(conversation.controls),
    get sessionId() {
      return cli.sessionId;
    },
    get state() {
      return cli.state;
    },
    get pid() {
      return cli.live?.pid;
    },
    send: (message, options) => conversation.send(message, options),
    messages: () => conversation.messages.subscribe(),
    events: () => conversation.events.subscribe(),
    pendingPermissions: () => cli.live?.permissions.pending ?? [],
    usageReport: () => conversation.usage.report(),
    ready: (options) => settleQuietly(conversation.controls.ready(options)),
    suspend: () => conversation.suspend(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
