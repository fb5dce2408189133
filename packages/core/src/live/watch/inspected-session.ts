// A running session as the inspector sees it: what it can listen to, and what it can do. Types only; verbs provide them, as
// thin as they can, because they are loaded with every program; the inspector itself finds out what a question means.
import type { RedactOptions } from '../../record/trace/recorder/redact.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { TransportEnd } from '../../wire/transport/transport.js';
import type { LiveKind } from './live-kind.js';

/** What is known of a CLI when it is connected. */
export interface CliFacts {
  claudeCodeVersion: string | null;
  pid: number | null;
  cwd: string | null;
}

/** Hears what passes between a session and its CLIs, one after another. Its methods never throw, and return at once. */
export interface WireTap {
  /** A CLI is connected; also told at once where one was when the tap was put on: then `isLate` is set. */
  begin(facts: CliFacts & { isLate: boolean }): void;
  line(direction: 'in' | 'out', line: string): void;
  fault(code: string, message: string): void;
  mark(type: 'input-end' | 'terminate'): void;
  /** A call was completed while there was no CLI; the message stands for its result. */
  completed(message: object): void;
  /** The CLI is gone. */
  end(end: TransportEnd): void;
  warning(code: string, message: string): void;
  /** The session is over; the last call. */
  over(error: unknown): void;
}

/** A question of the CLI that waits for an answer, and can be given one from outside its callback. */
export interface OpenQuestion {
  /** Of its control request. */
  id: string;
  kind: 'permission' | 'elicitation' | 'dialog';
  /** As the CLI asked. */
  request: WireObject;
  /** Milliseconds since the epoch. */
  askedAt: number;
  /** From 1; above it, it was asked before a restart. */
  attempt: number;
  /** Answers it in the form its callback would; false when it is over. The callback's signal aborts. */
  settle(answer: unknown, by: string): boolean;
}

/** Hears of questions. */
export interface QuestionListener {
  asked(question: OpenQuestion): void;
  /** `answer` is what the CLI got; undefined where it wants none any more. */
  settled(id: string, how: { answer: unknown; by: string | undefined }): void;
}

/** A session that can be inspected. */
export interface InspectedSession {
  /** A CLI that waits for its prompt becomes a query. */
  readonly kind: LiveKind;
  readonly title: string | undefined;
  /** Of this process's environment and the CLI's: values of secrets in them are hidden wherever they stand, as in traces. */
  environment(): Readonly<Record<string, string | undefined>>;
  /** What the session's own trace hides; undefined where it says nothing. */
  readonly redact: RedactOptions | false | undefined;
  /** The conversation's id, once it is known. */
  sessionId(): string | undefined;
  tap(tap: WireTap): () => void;
  /** Those that wait now are told at once. */
  watchQuestions(listener: QuestionListener): () => void;
  /** Sends a control request to the CLI. */
  request(request: { subtype: string }): Promise<unknown>;
  /** Sends a user message; rejects where the input has ended. */
  send(text: string): Promise<void>;
  /** What can be done now. */
  can(): { send: boolean; control: boolean; rewind: boolean };
  /** Names of the servers that run in this process. */
  serverNames(): readonly string[];
  /** Puts a message to one of them as the CLI would; resolves with the JSON-RPC reply. */
  askServer(server: string, message: object): Promise<unknown>;
}
