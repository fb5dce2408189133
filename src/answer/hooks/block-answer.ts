// How to say no, event by event: the answer that keeps from happening what a hook was asked about.
// Events that are not here only report something; there is nothing to keep from happening.
import type { HookEvent, HookJSONOutput } from '../../wire/protocol/hooks/hook-payload.js';

const ANSWERS: Partial<Record<HookEvent, (reason: string) => HookJSONOutput>> = {
  PreToolUse: (reason) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  }),
  PermissionRequest: (reason) => ({
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'deny', message: reason },
    },
  }),
  PreModelSwitch: (reason) => ({
    hookSpecificOutput: {
      hookEventName: 'PreModelSwitch',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  }),
  UserPromptSubmit: (reason) => ({ decision: 'block', reason }),
  UserPromptExpansion: (reason) => ({ decision: 'block', reason }),
  PreCompact: (reason) => ({ decision: 'block', reason }),
  // The tool has run, and a block would only comment on its result: the model must not get to see it.
  PostToolUse: (reason) => ({ continue: false, stopReason: reason }),
  PostToolBatch: (reason) => ({ continue: false, stopReason: reason }),
  Elicitation: () => ({ hookSpecificOutput: { hookEventName: 'Elicitation', action: 'decline' } }),
  ElicitationResult: () => ({
    hookSpecificOutput: { hookEventName: 'ElicitationResult', action: 'decline' },
  }),
};

/** The answer that stops what the event is about; undefined where nothing can be stopped. */
export function createBlockAnswer(event: string, reason: string): HookJSONOutput | undefined {
  return canBlock(event) ? ANSWERS[event as HookEvent]?.(reason) : undefined;
}

/** Whether a hook of the event can keep something from happening. */
export function canBlock(event: string): boolean {
  return Object.hasOwn(ANSWERS, event);
}
