// The type of the options of a stream.
import type { UiMetadata } from './ui-chunk.js';

/** Which parts of an answer are sent, and how. */
export interface UiStreamOptions {
  /** Whether the model's reasoning is sent. Default true. */
  reasoning?: boolean | undefined;
  /** Whether the work of subagents is sent as preliminary output of their call, or not at all. Default `preliminary`. */
  subagents?: 'preliminary' | 'hide' | undefined;
  /**
   * Chooses what the page gets as `messageMetadata`. With false, it gets none. Default: session, model, tokens, cost, duration.
   */
  metadata?: false | ((metadata: UiMetadata) => unknown) | undefined;
  /**
   * Returns the text that a visitor gets for an error. Default: a sentence for its kind that reveals nothing else about it. By
   * default, the error itself becomes a process warning (`ANSWER_FAILED`).
   */
  onError?: ((error: unknown) => string) | undefined;
}
