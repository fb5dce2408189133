// What the parts of a conversation share: how it was opened, and the state they all work on. This object is made first and
// handed to each part, so that no two parts hold each other.
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import type { WarningReporter } from '../../options/check/warning-reporter.js';
import type { Launch } from '../../live/launch.js';
import type { CallLedger } from '../../live/tooling/call-ledger.js';
import type { TurnSlot } from '../../live/slot-watch.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { ChangeJournal } from './change-journal.js';
import type { SessionEvent } from './conversation-event.js';
import type { RestartPolicy } from './restart-policy.js';
import type { TurnAdmission, TurnPlaces } from './turn-admission.js';
import type { TurnQueue } from './turns/turn-queue.js';

/** The limits that a session group sets: when a turn may begin and when a CLI may start. With a gate, messages never merge. */
export interface TurnGate extends TurnSlot, TurnPlaces {
  /** Awaited before each start of a CLI; `onGone` follows once for each call. */
  beforeStart(): Promise<void>;
  /** The CLI is gone, or was not started after all. */
  onGone(): void;
  /** Called whenever the conversation may have become idle. */
  onChange(): void;
}

/** How a conversation was opened. */
export interface ConversationSetup {
  options: QueryOptions;
  restart: RestartPolicy | undefined;
  oneByOne: boolean;
  /** Whether a turn that the transcript has open is continued when the session is opened. */
  interrupted?: 'continue' | undefined;
  launch?: Launch | undefined;
  gate?: TurnGate | undefined;
  /** The session group, for the list of sessions. */
  origin?: object | undefined;
  /** A CLI is gone; `error` is what its messages ended with. */
  onCliEnd?: ((error: unknown) => void) | undefined;
  /** Calls were completed while there was no CLI; there is one message for each. */
  onCallsCompleted?: ((messages: readonly SDKUserMessage[]) => void) | undefined;
}

export interface ConversationParts extends ConversationSetup {
  warnings: WarningReporter;
  /** The changes that each new CLI gets again. */
  journal: ChangeJournal;
  turns: TurnQueue;
  admission: TurnAdmission;
  /** Names the tool calls, whichever CLI makes them. */
  calls: CallLedger;
  emit: (event: SessionEvent) => void;
}
