// What a caller can choose about a stream. Types only.
import type { UiMetadata } from './ui-chunk.js';

/** Which parts of an answer are sent. */
export interface UiStreamOptions {
  /** The model's reasoning. Default true. */
  reasoning?: boolean | undefined;
  /** What subagents do: as preliminary output of their call, or not at all. Default `preliminary`. */
  subagents?: 'preliminary' | 'hide' | undefined;
  /** Chooses what the page gets as `messageMetadata`; false sends none. Default: session, model, tokens, cost. */
  metadata?: false | ((metadata: UiMetadata) => unknown) | undefined;
  /**
   * The text a visitor gets for an error. Default: a sentence for its kind that reveals nothing about it; the error itself
   * becomes a process warning (`ANSWER_FAILED`).
   */
  onError?: ((error: unknown) => string) | undefined;
}
