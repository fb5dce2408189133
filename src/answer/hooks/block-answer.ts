// How to say no: the answer that prevents what a hook was asked about. Which form an event takes is in its row.
import type { HookJSONOutput } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent, type HookEventFacts } from '../../wire/protocol/hooks/hook-events.js';

type BlockingField = NonNullable<HookEventFacts['blockedBy']>;

const ANSWERS: Record<BlockingField, (hookEventName: string, reason: string) => object> = {
  decision: (_, reason) => ({ decision: 'block', reason }),
  continue: (_, reason) => ({ continue: false, stopReason: reason }),
  behavior: (hookEventName, reason) => ({
    hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message: reason } },
  }),
  permissionDecision: (hookEventName, reason) => ({
    hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason },
  }),
  action: (hookEventName) => ({ hookSpecificOutput: { hookEventName, action: 'decline' } }),
};

/** The answer that stops what the event is about; undefined where nothing can be stopped. */
export function createBlockAnswer(event: string, reason: string): HookJSONOutput | undefined {
  const field = findHookEvent(event)?.blockedBy;
  return field && ANSWERS[field](event, reason);
}

/** Whether a failed hook of the event can stop what the event is about. */
export function canBlock(event: string): boolean {
  return findHookEvent(event)?.blockedBy !== undefined;
}
