// The types of open permission questions: as programs see them, as the table keeps them, and what connects the table with its live CLI.
import type { IdentifyCall } from '../../wire/protocol/call-identity.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
} from '../../wire/protocol/control/permission-question.js';
import type { OnPermissionFailure } from './answer-permission.js';

/** A waiting question. It has what a permission callback receives, as plain data that can be stored. */
export interface PendingPermission extends Omit<CanUseToolOptions, 'signal'> {
  toolName: string;
  input: Record<string, unknown>;
  /** When the question was asked, in milliseconds since the epoch. */
  askedAt: number;
}

/** A question in the table. */
export interface OpenPermission {
  readonly asked: CanUseToolRequest;
  readonly askedAt: number;
  /** Who gives the answer that the callback is about to return, if it says so. */
  by?: string;
  /** Set once the callback could not answer. Ends the pause before its next attempt. */
  wake?: () => void;
}

/**
 * Why a tool would refuse a call because of its input, in the words that the model would read. Undefined if the tool would
 * accept the input.
 */
export type InputProblem = string | undefined | Promise<string | undefined>;

/** Connects the questions with their live CLI. */
export interface PermissionQuestionsOptions {
  canUseTool: CanUseTool | undefined;
  /** Identifies the call that a question is about. */
  identify: IdentifyCall;
  /** The session id, once it is known. */
  sessionId?: (() => string | undefined) | undefined;
  /** Called when the callback cannot answer for a while. The question stays open. */
  onUnavailable?: ((error: Error, toolName: string) => void) | undefined;
  /** Called when the callback threw, or gave an answer that the CLI could not read. */
  onFailure: OnPermissionFailure;
  /** Why a call of an in-process tool with this input would be refused. */
  findInputProblem?: ((toolName: string, input: unknown) => InputProblem) | undefined;
  /** Called when the callback has decided. Until then the question was open. */
  onDecided?: ((requestId: string, answer: unknown) => void) | undefined;
  /**
   * Sends the answer to an open request. False if the request is no longer open. If a callback still works on the request,
   * its signal aborts with `notice` as the reason. `by` says who answered, if that is known.
   */
  write(requestId: string, response: unknown, notice?: Error, by?: string): boolean;
}
