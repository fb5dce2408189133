// The entry point `inboard/durable`: attempts at turns that any process can make again, on a ledger that keeps the conversation. It
// is for programs that have a queue or an engine of their own. Experimental: it may change in a minor release.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { attemptTurn } from '@inboard/durable/attempt/attempt-turn.js';
export type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
export type {
  AttemptAgent,
  AttemptContext,
  AttemptTurnInput,
} from '@inboard/durable/attempt/attempt-input.js';
export type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
export type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
export type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
export type {
  BusyConversation,
  Ledger,
  LedgerFence,
  LedgerStore,
  TakenConversation,
} from '@inboard/durable/ledger/ledger.js';
export { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
