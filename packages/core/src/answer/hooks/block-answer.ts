// Writes a yes or a no in answer to a hook event. The event's row in `hook-events` names the field that the CLI reads.
import { withoutUndefined } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import type { BlockingField } from '../../wire/protocol/hooks/hook-facts.js';

/** What a yes may change about a tool call. */
export interface AllowedChanges {
  updatedInput?: unknown;
  updatedPermissions?: unknown;
}

interface AnswerForm {
  no(hookEventName: string, reason: string | undefined, interrupt: boolean): WireObject;
  yes(hookEventName: string, changes: AllowedChanges): WireObject;
}

const FORMS: Record<BlockingField, AnswerForm> = {
  decision: {
    no: (_, reason, interrupt) => ({ ...stop(reason, interrupt), decision: 'block', reason }),
    // An empty answer counts as a yes.
    yes: () => ({}),
  },
  continue: {
    no: (_, reason) => stop(reason, true),
    yes: () => ({}),
  },
  behavior: {
    no: (hookEventName, message, interrupt) => ({
      hookSpecificOutput: {
        hookEventName,
        decision: withoutUndefined({ behavior: 'deny', message, interrupt: interrupt || undefined }),
      },
    }),
    yes: (hookEventName, changes) => ({
      hookSpecificOutput: { hookEventName, decision: withoutUndefined({ behavior: 'allow', ...changes }) },
    }),
  },
  permissionDecision: {
    no: (hookEventName, permissionDecisionReason, interrupt) => ({
      ...stop(permissionDecisionReason, interrupt),
      hookSpecificOutput: withoutUndefined({
        hookEventName,
        permissionDecision: 'deny',
        permissionDecisionReason,
      }),
    }),
    yes: (hookEventName, { updatedInput }) => ({
      hookSpecificOutput: withoutUndefined({ hookEventName, permissionDecision: 'allow', updatedInput }),
    }),
  },
  action: {
    // CLI 2.1.325 ignores `action` in the answer of a callback, and reads `decision`.
    no: (hookEventName, reason) => ({
      decision: 'block',
      reason,
      hookSpecificOutput: { hookEventName, action: 'decline' },
    }),
    yes: () => ({}),
  },
};

function stop(reason: string | undefined, interrupt: boolean): WireObject {
  return interrupt ? { continue: false, stopReason: reason } : {};
}

/** The answer that stops what the event is about; undefined where nothing can be stopped. */
export function createBlockAnswer(
  event: string,
  reason: string | undefined,
  { interrupt = false }: { interrupt?: boolean } = {},
): WireObject | undefined {
  const field = findBlockingField(event);
  return field && withoutUndefined(FORMS[field].no(event, reason, interrupt));
}

/**
 * The answer that allows what the event is about, and the names of the changes that no field of the answer can carry.
 * Undefined where nothing can be stopped.
 */
export function createAllowAnswer(
  event: string,
  changes: AllowedChanges,
): { answer: WireObject; lost: string[] } | undefined {
  const field = findBlockingField(event);
  if (field === undefined) return undefined;
  const accepted = findHookEvent(event)?.accepts ?? {};
  const isCarried = (name: string): boolean => field === 'behavior' || Object.hasOwn(accepted, name);
  const carried = Object.entries(changes).filter(([name]) => isCarried(name));
  return {
    answer: FORMS[field].yes(event, Object.fromEntries(carried)),
    lost: Object.keys(changes).filter((name) => !isCarried(name)),
  };
}

/** Whether a hook can stop what the event is about. */
export function canBlock(event: string): boolean {
  return findBlockingField(event) !== undefined;
}

function findBlockingField(event: string): BlockingField | undefined {
  return findHookEvent(event)?.blockedBy?.[0];
}
