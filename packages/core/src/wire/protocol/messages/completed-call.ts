// What became of a call that was cut off, as outcomes, events, messages and traces tell it.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../codec.js';

/**
 * How a call that was cut off was completed: its recorded result was delivered, its handler ran (or ended) after the CLI was gone,
 * somebody denied it, it did not run, or nobody knows whether it did.
 */
export type CompletionKind = 'recorded' | 'ran' | 'denied' | 'notRun' | 'unknown';

/** A call that was cut off with its CLI or its host, and what became of it before the turn went on. */
export interface CompletedCall {
  callKey: string;
  toolUseId: string;
  /** The name the model knows. */
  toolName: string;
  /** What the model asked for. */
  input: unknown;
  /** What its handler ran with, where somebody changed the input. */
  ranInput?: Record<string, unknown>;
  how: CompletionKind;
  /** Whether somebody had allowed it. With `notRun` or `unknown`, something that was allowed has not happened, or perhaps not. */
  allowed?: boolean;
  /** Who decided, where that is known. */
  by?: string;
  /** Whether the model was told before it went on; false where nothing could be written, and the CLI says that the outcome is unknown. */
  delivered: boolean;
  /** Why it did not run, or could not be delivered. */
  reason?: string;
}

/** The call that a message completes: read from whoever wrote the message, so that its fields are looked at first. */
export function completedOf(message: WireObject): CompletedCall | undefined {
  const { completed } = message;
  if (message['type'] !== 'user' || !isRecord(completed)) return undefined;
  const { toolUseId, toolName, how } = completed;
  const isNamed = typeof toolUseId === 'string' && typeof toolName === 'string';
  return isNamed && typeof how === 'string' ? (completed as unknown as CompletedCall) : undefined;
}

/** Whether the handler of a completed call ran, so that its result is one of the tool. */
export function hasRun({ how }: Pick<CompletedCall, 'how'>): boolean {
  return how === 'ran' || how === 'recorded';
}

const WORDS: Readonly<Record<CompletionKind, string>> = {
  recorded: 'its recorded result was delivered',
  ran: 'it ran',
  denied: 'it was denied',
  notRun: 'it did not run',
  unknown: 'its outcome is unknown',
};

/** What became of it, in a few words: "it ran, allowed by anna, with an edited input". */
export function describeCompleted({ how, allowed, by, ranInput, reason }: CompletedCall): string {
  const decided = how === 'denied' || by === undefined ? '' : allowed === false ? ', denied' : ', allowed';
  const who = by === undefined ? '' : `${decided} by ${by}`;
  const edited = ranInput === undefined ? '' : ', with an edited input';
  return `${WORDS[how] ?? how}${who}${edited}${reason === undefined ? '' : ` (${reason})`}`;
}
