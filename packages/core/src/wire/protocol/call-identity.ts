// The types that identify a call, in its permission question and in its handler, by a key that outlives the process. The
// ids on the wire do not: they are new after each resume.

/** Identifies a call. It is the same in the permission question and in the tool's handler, before and after a restart. */
export interface CallIdentity {
  /** Derived from the conversation, the user's message, the tool, its input, and the position among equal calls. */
  readonly callKey: string;
  /**
   * The number of this attempt at the call, from 1, as far as the transcript shows. If it is above 1, an earlier attempt
   * was cut off and may have had effects.
   */
  readonly attempt: number;
}

/** A call as the CLI names it. */
export interface NamedCall {
  readonly toolUseId: string | undefined;
  /** The tool's name as the model knows it. */
  readonly toolName: string;
  readonly input: unknown;
}

/** Finds the identity of a call. */
export type IdentifyCall = (call: NamedCall) => CallIdentity;
