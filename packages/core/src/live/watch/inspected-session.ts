// Types for a running session as the inspector sees it: what the inspector can listen to, and what it can do. Queries and
// conversations implement them with as little code as possible, because every program loads that code. The inspector interprets
// the questions.
import type { RedactOptions } from '../../record/trace/recorder/redact.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { TransportEnd } from '../../wire/transport/transport.js';
import type { LiveKind } from './live-kind.js';

/** What is known of a connected CLI. */
export interface CliFacts {
  claudeCodeVersion: string | null;
  pid: number | null;
  cwd: string | null;
}

/**
 * Hears everything that passes between a session and its CLIs. A session has one CLI at a time. The methods must never
 * throw and must return at once.
 */
export interface WireTap {
  /**
   * Called when a CLI is connected. If one was connected before the tap was added, it is called at once with `isLate`
   * set.
   */
  begin(facts: CliFacts & { isLate: boolean }): void;
  line(direction: 'in' | 'out', line: string): void;
  fault(code: string, message: string): void;
  mark(type: 'input-end' | 'terminate'): void;
  /** Called when a call was completed while there was no CLI. The message stands for the call's result. */
  completed(message: object): void;
  end(end: TransportEnd): void;
  /** Called when a conversation has no CLI because it needs none. `waitsFor` says what its turn waits for, if it has one. */
  suspended(waitsFor: readonly ('person' | 'pending' | 'detached')[]): void;
  warning(code: string, message: string): void;
  /** Called last, when the session is over. */
  over(error: unknown): void;
}

/** A question of the CLI that waits for an answer. It can be answered from outside its callback. */
export interface OpenQuestion {
  /** The id of the control request. */
  id: string;
  kind: 'permission' | 'elicitation' | 'dialog';
  /** The request as the CLI sent it. */
  request: WireObject;
  /** Milliseconds since the epoch. */
  askedAt: number;
  /** Counted from 1. A higher number means that the question was also asked before a restart. */
  attempt: number;
  /**
   * Answers the question in the form that its callback would use, and aborts the callback's signal. Returns false if
   * the question is no longer open.
   */
  settle(answer: unknown, by: string): boolean;
}

/** Is told when a question is asked and when it is settled. */
export interface QuestionListener {
  asked(question: OpenQuestion): void;
  /** `answer` is what the CLI got. Undefined if the CLI no longer wants an answer. */
  settled(id: string, how: { answer: unknown; by: string | undefined }): void;
}

/** A call whose handler returned `pending()`, while its result is still to come. */
export interface PendingView {
  readonly callKey: string;
  readonly toolName: string;
  readonly toolUseId?: string | undefined;
  readonly input: Record<string, unknown>;
  /** What the handler gave to `pending()`. */
  readonly note?: string | undefined;
  /** In milliseconds since 1970. */
  readonly since: number;
}

/** A session that can be inspected. */
export interface InspectedSession {
  /** For a CLI that waits for its prompt, the kind is `warm` until the prompt comes, and `query` after that. */
  readonly kind: LiveKind;
  readonly title: string | undefined;
  /**
   * The environment of this process and of the CLI. Values of secrets in it are hidden wherever they appear, as in
   * traces.
   */
  environment(): Readonly<Record<string, string | undefined>>;
  /** The rule of the option `trace` for hiding values. With `false` none are hidden. Undefined means the default rule. */
  readonly redact: RedactOptions | false | undefined;
  /** The conversation's id, once it is known. */
  sessionId(): string | undefined;
  tap(tap: WireTap): () => void;
  /** The listener is told at once of the questions that already wait. */
  watchQuestions(listener: QuestionListener): () => void;
  /** The calls whose results are pending. A query has none. */
  pendingCalls(): readonly PendingView[];
  /** Calls the listener whenever that list has changed. Returns a function to stop. */
  watchPending(listener: () => void): () => void;
  /** Gives a pending call its result, as `createCalls()` does. Rejects with a CallError. */
  completeCall(callKey: string, how: { value: unknown } | { error: unknown }, by: string): Promise<void>;
  /** Sends a control request to the CLI. */
  request(request: { subtype: string }): Promise<unknown>;
  /** Sends a user message. Rejects if the input has ended. */
  send(text: string): Promise<void>;
  /** What the inspector can do at the moment. */
  can(): { send: boolean; control: boolean; rewind: boolean };
  /** Names of the servers that run in this process. */
  serverNames(): readonly string[];
  /** Sends a message to one of these servers as the CLI would. Resolves with the JSON-RPC reply. */
  askServer(server: string, message: object): Promise<unknown>;
}
