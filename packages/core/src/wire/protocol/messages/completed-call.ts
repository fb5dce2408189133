// Says how a call that was cut off was completed, for outcomes, events, messages and traces.
import { describeChanges } from '../../../util/diff-values.js';
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../codec.js';

/**
 * How a call that was cut off was completed. `recorded`: its recorded result was delivered. `ran`: its handler ran, or
 * finished running, after the CLI was gone. `denied`: a person or a callback denied it. `notRun`: it did not run.
 * `unknown`: it is not known whether it ran.
 */
export type CompletionKind = 'recorded' | 'ran' | 'denied' | 'notRun' | 'unknown';

/** A call that was cut off with its CLI or its host, and what became of it before the turn went on. */
export interface CompletedCall {
  callKey: string;
  toolUseId: string;
  /** The tool's name as the model knows it. */
  toolName: string;
  /** The input that the model asked for. */
  input: unknown;
  /** The input that its handler ran with, if a person or a hook changed it. */
  ranInput?: Record<string, unknown>;
  how: CompletionKind;
  /** Whether the call was allowed. A call that was allowed may still not have run; see `how`. */
  allowed?: boolean;
  /** Who decided, if that is known. */
  by?: string;
  /**
   * Whether the model got the result before it went on. False if nothing could be written into the transcript. The CLI
   * then tells the model that the outcome is unknown.
   */
  delivered: boolean;
  /** Why it did not run, or could not be delivered. */
  reason?: string;
}

/** The completed call in a message, if there is one. Fields are checked, because the message may come from any program. */
export function completedOf(message: WireObject): CompletedCall | undefined {
  const { completed } = message;
  if (message['type'] !== 'user' || !isRecord(completed)) return undefined;
  const { toolUseId, toolName, how } = completed;
  const isNamed = typeof toolUseId === 'string' && typeof toolName === 'string';
  return isNamed && typeof how === 'string' ? (completed as unknown as CompletedCall) : undefined;
}

/** Whether the handler of a completed call ran, so that the result is the tool's own. */
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

/** What became of a call, in a few words: "it ran, allowed by anna, with an edited input (amount: 84 → 50)". */
export function describeCompleted({ how, allowed, by, input, ranInput, reason }: CompletedCall): string {
  const decided = how === 'denied' || by === undefined ? '' : allowed === false ? ', denied' : ', allowed';
  const who = by === undefined ? '' : `${decided} by ${by}`;
  const changes = ranInput === undefined ? '' : describeChanges(input, ranInput);
  const edited = ranInput === undefined ? '' : `, with an edited input${changes && ` (${changes})`}`;
  return `${WORDS[how] ?? how}${who}${edited}${reason === undefined ? '' : ` (${reason})`}`;
}
