// `openSession` and the object it returns. Checks how the session is opened, and passes each method on to the conversation
// behind it.
import { checkOptions } from '../../options/check/check-options.js';
import type { McpServers, WithContext } from '../../live/tooling/context-option.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import type { PendingPermission } from '../../answer/permissions/open-permission.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { UsageReport } from '../../record/usage/usage-ledger.js';
import type { ReadyOptions } from '../../live/tooling/await-tools.js';
import type { TextStream, TextStreamOptions } from '../../live/output/text-feed.js';
import { installControls } from '../../live/controls/control-methods.js';
import type { Controls } from '../../live/controls/controls.js';
import type { AsyncReader } from '../../util/queues/async-queue.js';
import { HiddenValue } from '../../util/hidden-value.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import { checkCall, checkSessionInput } from './check-session.js';
import { Conversation } from './conversation.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import type { Launch } from '../../live/launch.js';
import { observeSession } from '../../live/session-observer.js';
import { askHereIfWanted } from '../../live/watch/ask-here.js';
import { announceSession, INSPECT_TARGET, type SessionsTarget } from '../../live/watch/session-registry.js';
import { nameTools, type QueryOptions } from '../../live/tooling/name-tools.js';
import { readRestartPolicy, type RestartPolicy } from './restart-policy.js';
import type { SessionEvent, SessionState } from './conversation-event.js';
import type { ToolReport } from '../../live/tooling/tool-report.js';
import type { Turn } from './turns/turn.js';
import type { SendOptions } from './turns/withdrawals.js';
import type { TurnGate, WaitingPolicy } from './conversation-parts.js';
import type { MessageInput } from '../../live/input/user-message.js';

/** When the CLI of a session is started, suspended and restarted, and with which options. */
export interface OpenSessionInput<Schema extends AnySchema = AnySchema> {
  options?: QueryOptions<Schema> | undefined;
  /** Starts a new CLI after one crashed, stalled or was killed. Default: the session ends with its CLI. */
  restart?: boolean | RestartPolicy | undefined;
  /** Starts the CLI with the first message or request, not at once. Default false. */
  lazy?: boolean | undefined;
  /**
   * Sends the CLI a message only after the previous one has been answered, so that no two share a turn. Default false: messages
   * are sent at once, and the CLI may add them to a running turn.
   */
  oneByOne?: boolean | undefined;
  /**
   * With `continue`, the session goes on with a turn of the resumed conversation (`options.resume`) that was cut off because
   * the host or the CLI was killed: see `session.continued`. Default: the turn stays cut off.
   */
  interrupted?: 'continue' | undefined;
  /**
   * Milliseconds without work after which the CLI is ended until it is needed again. A turn that waits only for people,
   * pending calls or detached tools also lets its CLI go after this time. It goes on with the same `Turn` when it has what it
   * waits for. Default: never.
   */
  suspendAfterMs?: number | undefined;
  /**
   * Also lets the CLI of a turn that waits go if MCP servers over stdio end with it. Default false: such a CLI is kept, and
   * the warning `CLI_KEPT_WAITING` says so.
   */
  suspendWithServers?: boolean | undefined;
}

/**
 * A long conversation. It has the controls of a query, which wait for a CLI that is being started and start one that
 * is suspended. The caller that opens a session closes it.
 */
export interface Session<Output = unknown> extends Controls, AsyncDisposable {
  /** Known at once for a new session. For one that resumes or continues another, known from the first turn on. */
  readonly sessionId: string | undefined;
  /** Whether there is a CLI, and what it is doing. */
  readonly state: SessionState;
  /**
   * With `interrupted: 'continue'`, the turn that continues where a crash cut it off. Undefined if the last turn was finished,
   * or stopped on request. Reading this property starts the CLI if necessary. The promise resolves once the CLI is ready. If
   * calls of the turn are completed first, for which a person may be asked, it resolves before that. It rejects with a
   * SessionClosedError if the session ends first.
   */
  readonly continued: Promise<Turn | undefined>;
  /** The CLI's process id, while it runs. */
  readonly pid: number | undefined;
  /**
   * Sends a message. Unless the CLI adds it to the running turn, it waits for the end of that turn. Throws for anything that is
   * not a message. The returned turn reports every other failure.
   */
  send(message: MessageInput, options?: SendOptions): Turn<Output>;
  /**
   * A new reader of all messages from now on, in turns and between them. Readers are independent of each other, and leaving
   * one ends nothing else. Each throws the error that ends the session.
   */
  messages(): AsyncReader<SDKMessage>;
  /**
   * A new reader of the model's text from now on, in all turns. The text comes in pieces if the CLI streams it (see the option
   * `streamText`), otherwise one whole text at a time. Ends and throws as `messages()` does.
   */
  textStream(options?: TextStreamOptions): TextStream;
  /** A new reader of what happens to the session from now on: starts, crashes, restarts, suspension, the end. */
  events(): AsyncReader<SessionEvent>;
  /** The permission questions that are waiting for an answer. */
  pendingPermissions(): PendingPermission[];
  /** What the session has used so far on all its CLIs, each message counted once. */
  usageReport(): UsageReport;
  /**
   * Waits until the MCP servers are connected and their tools listed. Rejects with a ToolsNotReadyError that names the servers
   * and tools that are missing.
   */
  ready(options?: ReadyOptions): Promise<ToolReport>;
  /**
   * Ends the CLI and keeps the conversation for the next message. Returns false while a turn, a request or a background task
   * is in progress. Also returns false for a session that cannot be restarted because it has no transcript or only one
   * transport object.
   */
  suspend(): Promise<boolean>;
  /** Ends the session, whatever it is doing; open turns reject with a SessionClosedError. Resolves when the CLI is gone. */
  close(): Promise<void>;
  /**
   * Ends the session and leaves its turn as a crash would. A session opened with `interrupted: 'continue'` can go on with it.
   * Waits for two seconds at most until the CLI has saved the turn. Open turns reject here with a SessionClosedError.
   */
  abandon(): Promise<void>;
}

/**
 * Opens a conversation of many turns, which survives the end of its CLI. The CLI starts at once, unless the session is
 * lazy. Throws for wrong options; a failed start rejects the first turn and ends every reader.
 * @example
 * ```ts
 * await using session = openSession();
 * console.log(await session.send('Say hello.').text());
 * console.log(await session.send('And once more.').text());
 * ```
 */
export function openSession<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
>(input: OpenSessionInput<Schema> & WithContext<Servers> = {}): Session<OutputOf<Schema>> {
  return presentConversation(createConversation(input)) as Session<OutputOf<Schema>>;
}

/** The input of `openSession`, with fields that only tests and session groups set. */
export interface ConversationInput extends OpenSessionInput {
  launch?: Launch;
  gate?: TurnGate;
  /** Milliseconds after which an idle CLI is suspended, 0 for never. Default: `suspendAfterMs`. */
  idleAfterMs?: number;
  /** Default: `suspendAfterMs`, as `suspendWithServers` says. */
  waiting?: WaitingPolicy;
  /** The session group, as the list of sessions shows it. */
  origin?: object;
}

/** Creates a conversation, and starts its CLI unless `lazy` is set. */
export function createConversation(input: ConversationInput): Conversation {
  checkCall(input);
  const {
    options = {},
    lazy = false,
    oneByOne = false,
    suspendAfterMs,
    idleAfterMs = suspendAfterMs,
    interrupted,
    launch,
    gate,
    origin,
  } = input;
  const withServers = input.suspendWithServers === true;
  const waiting =
    input.waiting ?? (suspendAfterMs === undefined ? undefined : { afterMs: suspendAfterMs, withServers });
  const restart = readRestartPolicy(input.restart);
  checkSessionInput(input, options);
  // A session whose CLI is not started at once must refuse wrong options here. Its warnings come when the CLI starts.
  if (lazy || interrupted !== undefined) checkOptions(nameTools(options));
  const observed = observeSession(options);
  const watched = askHereIfWanted(observed?.options ?? options);
  const setup = { options: watched, restart, oneByOne, interrupted, waiting, launch, gate, origin };
  let conversation: Conversation | undefined;
  try {
    const { onCliEnd, onCallsCompleted } = observed ?? {};
    conversation = new Conversation({ ...setup, onCliEnd, onCallsCompleted }, idleAfterMs || undefined);
    announceSession(conversation, origin);
    if (!lazy) conversation.cli.start();
    return conversation;
  } catch (error) {
    observed?.onRefused(error);
    void conversation?.close();
    throw error;
  }
}

/** Creates the public object of a conversation. */
export function presentConversation(conversation: Conversation): Session {
  // The controls are put on the prototype, where the compiler does not see them.
  return new ConversationSession(conversation) as ConversationSession & Controls;
}

const conversations = new HiddenValue<Conversation>('session');

/** All methods are on this one prototype and work with any receiver that leads to the session. */
class ConversationSession implements Omit<Session, keyof Controls> {
  static {
    installControls(this.prototype, (session) => conversations.of(session).controls);
  }

  constructor(conversation: Conversation) {
    conversations.set(this, conversation);
  }

  get sessionId(): string | undefined {
    return conversations.find(this)?.cli.sessionId;
  }

  get state(): SessionState {
    return conversations.find(this)?.cli.state ?? 'closed';
  }

  get continued(): Promise<Turn | undefined> {
    return conversations.find(this)?.continued ?? Promise.resolve(undefined);
  }

  get pid(): number | undefined {
    return conversations.find(this)?.cli.live?.pid;
  }

  send(message: MessageInput, options?: SendOptions): Turn {
    return conversations.of(this).send(message, options);
  }

  messages(): AsyncReader<SDKMessage> {
    return conversations.of(this).messages.subscribe();
  }

  textStream(options?: TextStreamOptions): TextStream {
    return conversations.of(this).textStream(options);
  }

  events(): AsyncReader<SessionEvent> {
    return conversations.of(this).events.subscribe();
  }

  pendingPermissions(): PendingPermission[] {
    const { cli, recording } = conversations.of(this);
    return [...recording.pending, ...(cli.live?.permissions.pending ?? [])];
  }

  usageReport(): UsageReport {
    return conversations.of(this).usage.report();
  }

  ready(options?: ReadyOptions): Promise<ToolReport> {
    return settleQuietly(conversations.of(this).controls.ready(options));
  }

  suspend(): Promise<boolean> {
    return conversations.of(this).suspend();
  }

  close(): Promise<void> {
    return conversations.of(this).close();
  }

  abandon(): Promise<void> {
    return conversations.of(this).abandon();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return conversations.of(this).close();
  }

  [INSPECT_TARGET](): SessionsTarget {
    return { subject: conversations.of(this) };
  }
}
