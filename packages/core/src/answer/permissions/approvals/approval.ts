// The types of questions to a person, of their answers, and of the store that keeps both.
import type {
  CanUseToolOptions,
  PermissionResult,
} from '../../../wire/protocol/control/permission-question.js';

/**
 * A question as it is stored. It is plain data. A permission question also has what the CLI says about the call
 * (`suggestions`, `blockedPath`, …).
 */
export interface ApprovalQuestion extends Omit<
  CanUseToolOptions,
  'signal' | 'callKey' | 'attempt' | 'requestId' | 'toolUseID'
> {
  /**
   * Stays the same when the question is asked again after a restart. After an answer that cannot be used, the question is
   * asked with an id that ends in `-again-2`, then `-again-3`, and so on.
   */
  id: string;
  /** Who asks: the CLI, before a tool runs, or a tool's own handler. */
  kind: 'permission' | 'tool';
  /** The number of this attempt to ask, counted from 1. */
  attempt: number;
  /** When it was last asked, in milliseconds since the epoch. */
  askedAt: number;
  /** The name the model knows; undefined for a question outside any call. */
  toolName?: string;
  /** The arguments of the tool call, or the input that the handler wants a person to confirm. */
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

/** A question to a person, with its answer once there is one. */
export interface Approval extends ApprovalQuestion {
  answer?: ApprovalAnswer;
}

/**
 * Keeps questions and answers, for one process or for several. The methods that return a promise may reject. A permission
 * question that could not be stored is asked again a little later.
 */
export interface ApprovalStore {
  /** Stores a question, replacing one with the same id, and returns the answer if there already is one. */
  put(question: ApprovalQuestion): Promise<ApprovalAnswer | undefined>;
  /**
   * Stores an answer. False if the question already has one or is unknown. If two answers come at the same time, only one
   * is stored.
   */
  answer(id: string, answer: ApprovalAnswer): Promise<boolean>;
  /**
   * A question, with its answer once there is one. Undefined if the store does not have the question. A caller that waits
   * for the answer is then told that the question was removed.
   */
  get(id: string): Promise<Approval | undefined>;
  /** All questions, answered or not. */
  list(): Promise<Approval[]>;
  /** Removes a question and its answer. */
  remove(id: string): Promise<void>;
  /** Calls `onChange` whenever something may have changed, in any process. The returned function ends that. */
  watch(onChange: () => void): () => void;
}
