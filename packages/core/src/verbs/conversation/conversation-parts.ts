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

/** The limits of a session group: when a turn may begin and when a CLI may start. With a gate, turns run one by one. */
export interface TurnGate extends TurnSlot, TurnPlaces {
  /** Awaited before each start of a CLI. For each call of it, `onGone` is called once. */
  beforeStart(): Promise<void>;
  /** The CLI is gone, or was not started after all. */
  onGone(): void;
  /** Called whenever the conversation may have become idle. */
  onChange(): void;
}

/** When a turn that waits lets its CLI go. */
export interface WaitingPolicy {
  /** Milliseconds without a break in which the turn waited only for people, pending calls or detached tools. */
  readonly afterMs: number;
  /** Whether the CLI is also let go if MCP servers over stdio end with it. */
  readonly withServers: boolean;
}

/** How a conversation was opened. */
export interface ConversationSetup {
  options: QueryOptions;
  restart: RestartPolicy | undefined;
  oneByOne: boolean;
  /** Whether a turn that is still open in the transcript is continued when the session is opened. */
  interrupted?: 'continue' | undefined;
  /** When a turn that waits lets its CLI go. Default: never. */
  waiting?: WaitingPolicy | undefined;
  launch?: Launch | undefined;
  gate?: TurnGate | undefined;
  /** The session group, as the list of sessions shows it. */
  origin?: object | undefined;
  /** Called when a CLI is gone. `error` is the error that ended its messages, if there was one. */
  onCliEnd?: ((error: unknown) => void) | undefined;
  /** Called when calls were completed while there was no CLI. There is one message for each. */
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
