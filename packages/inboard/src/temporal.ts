// The entry point `inboard/temporal`: activities that make attempts at turns, and a client of conversations, for Temporal. The other
// half, `inboard/temporal/workflow`, is for workflows. Experimental: it may change in a minor release.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { TemporalError } from '@inboard/core/errors.js';
export type { TemporalFault } from '@inboard/core/errors.js';
export {
  conversationClient,
  type ConversationClient,
  type ConversationClientOptions,
  type ConversationStanding,
} from '@inboard/engines/temporal/conversation-client.js';
export type {
  TemporalAttempt,
  TemporalClient,
  TemporalStartOptions,
  TemporalWorkflowHandle,
} from '@inboard/engines/temporal/client-library.js';
export { turnActivities, type TurnActivitiesOptions } from '@inboard/engines/temporal/turn-activities.js';
export { TURN_FAILURES } from '@inboard/engines/temporal/workflow/message-names.js';
export type { TurnActivities, TurnActivityInput } from '@inboard/engines/temporal/turn-activity.js';
export type { EngineAgent, EngineAttempt, EngineOptions } from '@inboard/engines/turn/engine-agents.js';
export type { EngineTurn } from '@inboard/engines/turn/engine-turn.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
