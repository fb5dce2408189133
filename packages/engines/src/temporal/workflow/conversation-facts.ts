// What goes into the workflow of a conversation and comes out of it, as plain JSON. A later version of this code must read what an earlier one
// wrote: a run that began on the old code hands it to the next run.
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { EngineTurn } from '../../turn/engine-turn.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { CarriedTurn } from './open-turn.js';

/** A turn for a conversation. What is not given is as in the input of the workflow. */
export type ConversationMessage = Pick<EngineTurn, 'id' | 'content' | 'data'> & {
  agent?: string | undefined;
};

/** The input of `conversationWorkflow`. */
export interface TemporalConversation extends ConversationSettings {
  /** The key of the conversation in the ledger. */
  conversation: string;
  /** The name of the agent, unless a turn names another one. */
  agent: string;
  /** From the run before. */
  carried?: CarriedConversation | undefined;
}

/** How a turn ended: with an outcome, or with the error after which Temporal stopped trying. With neither, it ended long ago. */
export interface EndedTurn {
  id: string;
  outcome?: AttemptOutcome;
  error?: string;
  /** The `type` of the failure that ended it. */
  type?: string;
}

/** What has become of a turn. */
export type TurnReport =
  | { state: 'ended'; outcome: AttemptOutcome }
  | { state: 'failed'; error: string; type?: string }
  /** It works, waits, or stands in the queue. From this moment on, `inboardNextEnd` waits. */
  | { state: 'open'; moment: string }
  /** It ended long ago, and its outcome is not kept any more. */
  | { state: 'forgotten' }
  | { state: 'unknown' };

/** The next turn that ended after a moment, and the moment after that. Empty if one has to ask about the turn again. */
export type NextEnd =
  { id: string; report: TurnReport; moment: string } | { id?: never; report?: never; moment?: never };

/** What a run hands to the next one. */
export interface CarriedConversation {
  /** The turns that have not ended. The first one may have begun. */
  inbox: ConversationMessage[];
  /** The first turn of the inbox, if it has begun. */
  open?: CarriedTurn | undefined;
  /** The turns that ended last. */
  ended: EndedTurn[];
  /** It was asked to close. */
  isClosing?: boolean;
}

/** What the query for the state returns. */
export interface TemporalConversationState {
  conversation: string;
  /** The id of the turn that is at work or waits. */
  turn?: string;
  /** Whether the turn waits for people or pending calls. */
  isWaiting: boolean;
  /** The ids of the turns behind it. */
  queue: string[];
  /** The ids of the turns that ended last. */
  ended: string[];
  /** Whether it completes as soon as it has no turn. */
  isClosing: boolean;
  settings: ConversationSettings;
}
