// A running session as the inspector sees it: what it can listen to, and what it can do. Types only; verbs provide them.
import type { TransportEnd } from '../../wire/transport/transport.js';
import type { Decision, Question } from '../stream/question.js';
import type { SessionKind } from '../stream/inspector-event.js';

/** Hears what passes between a session and its CLIs, one after another. */
export interface WireTap {
  /** A CLI is connected; also told at once where one was when the tap was put on: then `isLate` is set. */
  begin(facts: {
    claudeCodeVersion: string | null;
    pid: number | null;
    cwd: string | null;
    isLate: boolean;
  }): void;
  line(direction: 'in' | 'out', line: string): void;
  fault(code: string, message: string): void;
  mark(type: 'input-end' | 'terminate'): void;
  /** The CLI is gone. */
  end(end: TransportEnd): void;
  warning(code: string, message: string): void;
  /** The session is over; the last call. */
  over(error: unknown): void;
}

/** Something that waits for a person, and can be answered from outside its callback. */
export interface OpenQuestion extends Omit<Question, 'session' | 'hidden' | 'canAnswer' | 'suggestions'> {
  /** As the CLI gave them, for permission questions. */
  suggestions: readonly unknown[];
  /** Answers it; false when it is over. Throws for a decision that does not fit its kind. `input` is the real input with all edits. */
  answer(decision: Decision, input: Record<string, unknown>): boolean | Promise<boolean>;
}

/** Hears of questions. */
export interface QuestionListener {
  asked(question: OpenQuestion): void;
  settled(
    id: string,
    how: {
      outcome: string;
      by?: string | undefined;
      message?: string | undefined;
      isEdited?: boolean | undefined;
    },
  ): void;
}

/** A session that can be inspected. */
export interface InspectedSession {
  readonly kind: SessionKind;
  readonly title: string | undefined;
  /** Values that are hidden wherever they stand, as in traces. */
  readonly secrets: readonly string[];
  tap(tap: WireTap): () => void;
  /** Those that wait now are told at once. */
  watchQuestions(listener: QuestionListener): () => void;
  /** What can be done; a method that is missing cannot. */
  readonly controls: {
    send?(text: string): void | Promise<void>;
    interrupt?(): Promise<unknown>;
    setModel?(model: string): Promise<unknown>;
    setPermissionMode?(mode: string): Promise<unknown>;
    rewindFiles?(messageId: string, options: { dryRun: boolean }): Promise<unknown>;
    /** Calls a tool of an in-process server as it is now, outside the conversation. */
    callTool?(server: string, tool: string, input: Record<string, unknown>): Promise<unknown>;
  };
}
