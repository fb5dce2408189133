// The entry point `inboard/dbos`: turns as workflows of DBOS. Experimental: it may change in a minor release.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { dbosTurns, type DbosTurnsOptions } from '@inboard/engines/dbos/dbos-turns.js';
export {
  dbosTurnsClient,
  type DbosTurns,
  type DbosTurnsClientOptions,
} from '@inboard/engines/dbos/turn-client.js';
export type {
  DbosClient,
  DbosEnqueueOptions,
  DbosHandle,
  DbosStep,
  DbosWorkflowStatus,
} from '@inboard/engines/dbos/dbos-library.js';
export type { DbosRetries } from '@inboard/engines/dbos/turn-workflow.js';
export type { EngineAgent, EngineAttempt, EngineOptions } from '@inboard/engines/turn/engine-agents.js';
export type { EngineTurn } from '@inboard/engines/turn/engine-turn.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
