// The options from which a live CLI is made. Types only.
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { Prompt } from './input/prompt-source.js';
import type { QueryOptions } from './tooling/name-tools.js';
import type { Launch } from './launch.js';
import type { CallLedger } from './tooling/call-ledger.js';
import type { CallRecorder } from './tooling/call-recorder.js';
import type { TurnSlot } from './slot-watch.js';

/** What a live CLI runs with, and what the conversation or the group it belongs to gives it. */
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
  /** Messages for calls that were completed before this start. */
  completed?: readonly SDKUserMessage[] | undefined;
  /** The slot of a conversation in a session group: its place among those that may run. */
  slot?: TurnSlot | undefined;
  /** Whether the reader of the messages accepts partial ones even if nobody asked for them, and tells them apart. */
  readsPartials?: boolean | undefined;
  /**
   * Called when the CLI did not take up the message with this uuid. Default: a warning, and an error at the end if
   * nothing was answered.
   */
  onIgnored?: ((uuid: string) => void) | undefined;
}
