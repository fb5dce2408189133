// The entry point `inboard/restate`: a virtual object of Restate for each conversation. Experimental: it may change in a minor release.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export {
  conversations,
  type ConversationHandlers,
  type ConversationsObject,
  type ConversationsOptions,
  type ConversationTurn,
} from '@inboard/engines/restate/conversations.js';
export type { PromisedAnswer, RestateQuestion } from '@inboard/engines/restate/kept-turn.js';
export type { EngineAgent, EngineAttempt, EngineOptions } from '@inboard/engines/turn/engine-agents.js';
export type { EngineTurn } from '@inboard/engines/turn/engine-turn.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
