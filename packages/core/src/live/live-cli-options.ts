// The options from which a live CLI is made. Types only.
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { Prompt } from './input/prompt-source.js';
import type { QueryOptions } from './tooling/name-tools.js';
import type { Launch } from './launch.js';
import type { CallLedger } from './tooling/call-ledger.js';
import type { CallRecorder } from './tooling/call-recorder.js';
import type { TurnSlot } from './slot-watch.js';

/** The options of the caller, and what a conversation or a session group adds to them. */
export interface LiveCliOptions {
  /** Undefined if messages come only through `begin` or `streamInput`. */
  prompt?: Prompt | undefined;
  options: QueryOptions;
  launch?: Launch | undefined;
  /** The call ledger of a conversation that has several CLIs, one after the other. */
  calls?: CallLedger | undefined;
  /**
   * The recorder of a conversation that records its calls. It returns undefined as long as there is nothing to
   * record.
   */
  recorder?: (() => CallRecorder | undefined) | undefined;
  /** Why a conversation does not record its calls, if that is known. */
  unrecorded?: (() => string | undefined) | undefined;
  /** Messages for calls that were completed before this start. */
  completed?: readonly SDKUserMessage[] | undefined;
  /** The slot of a conversation in a session group: its place among those that may run. */
  slot?: TurnSlot | undefined;
  /** Whether the reader of the messages also gets partial ones that come only for text streams. */
  readsPartials?: boolean | undefined;
  /**
   * Called when the CLI did not take up the message with this uuid. By default, that is a warning. If the CLI answers
   * nothing at all, its end is an error in either case.
   */
  onIgnored?: ((uuid: string) => void) | undefined;
}
