// What a live CLI is made with.
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { Prompt } from './input/prompt-source.js';
import type { QueryOptions } from './tooling/name-tools.js';
import type { Launch } from './launch.js';
import type { CallLedger } from './tooling/call-ledger.js';
import type { CallRecorder } from './tooling/call-recorder.js';
import type { TurnSlot } from './slot-watch.js';

/** One process, and who owns it. */
export interface LiveCliOptions {
  /** Undefined where messages come through `begin` or `streamInput` alone. */
  prompt?: Prompt | undefined;
  options: QueryOptions;
  launch?: Launch | undefined;
  /** Of a conversation that has several CLIs, one after the other. */
  calls?: CallLedger | undefined;
  /** Of a conversation that records its calls; undefined as long as there is nothing to record. */
  recorder?: (() => CallRecorder | undefined) | undefined;
  /** Messages for calls that were completed before this start. */
  completed?: readonly SDKUserMessage[] | undefined;
  /** Of a conversation in a group: its place among those that may run. */
  slot?: TurnSlot | undefined;
  /** Whether the reader of the messages takes partial ones too, asked for or not, and tells them apart. */
  readsPartials?: boolean | undefined;
  /** The CLI did not take up the message with this uuid. Default: a warning, and an error at the end if nothing was answered. */
  onIgnored?: ((uuid: string) => void) | undefined;
}
