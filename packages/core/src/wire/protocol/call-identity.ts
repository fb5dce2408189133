// Identifies the call behind a permission question or a tool call by a name that outlives the process. The ids on the
// wire are new after each resume.

/** Identifies a call: the same in the permission question and in the tool's handler, before and after a restart. */
export interface CallIdentity {
  /** Derived from the conversation, the user's message, the tool, its input, and the position among equal calls. */
  readonly callKey: string;
  /**
   * How often this call was started, from 1, as far as the transcript shows. Above 1, an earlier attempt was cut off
   * and may have had effects.
   */
  readonly attempt: number;
}

/** A call as the CLI names it. */
export interface NamedCall {
  readonly toolUseId: string | undefined;
  /** The name the model knows. */
  readonly toolName: string;
  readonly input: unknown;
}

/** Finds the identity of a call. */
export type IdentifyCall = (call: NamedCall) => CallIdentity;
