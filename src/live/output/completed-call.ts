// What became of a call that was cut off, as outcomes and events tell it. Types only.

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
