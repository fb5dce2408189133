// Questions to a person, their answers, and the store that keeps both. Types only.
import type {
  CanUseToolOptions,
  PermissionResult,
} from '../../../wire/protocol/control/permission-question.js';

/**
 * A question as it is stored: plain data. Permission questions also have what the CLI says about a call (`suggestions`,
 * `blockedPath`, …).
 */
export interface ApprovalQuestion extends Omit<
  CanUseToolOptions,
  'signal' | 'callKey' | 'attempt' | 'requestId' | 'toolUseID'
> {
  /**
   * Stays the same when the question is asked again after a restart. After an answer that cannot be used, it ends in
   * `-again-2`, and so on.
   */
  id: string;
  /** Who asks: the CLI, before a tool runs, or a tool's own handler. */
  kind: 'permission' | 'tool';
  /** How often it was asked, from 1. */
  attempt: number;
  /** When it was last asked, in milliseconds since the epoch. */
  askedAt: number;
  /** The name the model knows; undefined for a question outside any call. */
  toolName?: string;
  /** What the tool was called with, or what the handler wants to have confirmed. */
  input: Record<string, unknown>;
  /** The session id, if it is known. */
  sessionId?: string;
}

/** An answer as it is stored. */
export interface ApprovalAnswer {
  result: PermissionResult;
  /** When it was answered, in milliseconds since the epoch. */
  answeredAt: number;
  /** Who answered. */
  by?: string;
}

/** A question, and its answer once there is one. */
export interface Approval extends ApprovalQuestion {
  answer?: ApprovalAnswer;
}

/**
 * Keeps questions and answers, for one process or for several. Every method may reject. The question is then asked
 * again a little later.
 */
export interface ApprovalStore {
  /** Stores a question, replacing one with the same id, and returns the answer if there already is one. */
  put(question: ApprovalQuestion): Promise<ApprovalAnswer | undefined>;
  /**
   * Stores an answer. False if there already is one, or no such question. Of two answers at the same time, only one
   * is stored.
   */
  answer(id: string, answer: ApprovalAnswer): Promise<boolean>;
  /**
   * A question with its answer. Undefined if there is none. A caller that waits for the question is then told that it
   * was removed.
   */
  get(id: string): Promise<Approval | undefined>;
  /** All questions, answered or not. */
  list(): Promise<Approval[]>;
  /** Removes a question and its answer. */
  remove(id: string): Promise<void>;
  /** Calls `onChange` whenever something may have changed, in any process. The returned function ends that. */
  watch(onChange: () => void): () => void;
}
