// Finds the host's hooks for an event, and combines their outputs as a CLI does.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { HostReply } from './question-list.js';

/** What the hooks of one event decided together. */
export interface HookVerdict {
  readonly outputs: readonly WireObject[];
  readonly replies: readonly HostReply[];
  /** Why a hook refuses. Undefined if none does. */
  readonly refusal: string | undefined;
  readonly isAllowed: boolean;
  /** Whether a hook demands that the host is asked. It outweighs hooks that allow. */
  readonly isAsked: boolean;
  readonly updatedInput: WireObject | undefined;
  readonly updatedOutput: unknown;
}

/** The ids of the callbacks for an event, and for the tool if the event is about one. */
export function findHooks(initialize: WireObject, event: string, tool: string | undefined): string[] {
  const hooks = initialize['hooks'];
  const matchers = isRecord(hooks) && Array.isArray(hooks[event]) ? hooks[event] : [];
  return matchers
    .filter(isRecord)
    .filter(({ matcher }) => tool === undefined || matchesTool(matcher, tool))
    .flatMap(({ hookCallbackIds }) => (Array.isArray(hookCallbackIds) ? hookCallbackIds.map(String) : []));
}

function matchesTool(matcher: unknown, tool: string): boolean {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*' || matcher === tool) return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool);
  } catch {
    return false;
  }
}

/** Combines the outputs of hooks. A hook that failed or did not answer decides nothing. */
export function judgeHooks(replies: readonly HostReply[]): HookVerdict {
  const outputs = replies.flatMap((reply) =>
    reply.kind === 'success' && isRecord(reply.response) ? [reply.response] : [],
  );
  const specific = outputs.flatMap(({ hookSpecificOutput }) =>
    isRecord(hookSpecificOutput) ? [hookSpecificOutput] : [],
  );
  const blocked = outputs.find(({ decision }) => decision === 'block');
  const denied = specific.find(({ permissionDecision }) => permissionDecision === 'deny');
  const refusal = blocked
    ? readReason(blocked['reason'])
    : denied && readReason(denied['permissionDecisionReason']);
  const isAsked = specific.some(({ permissionDecision }) => permissionDecision === 'ask');
  return {
    outputs,
    replies,
    refusal,
    isAllowed: !isAsked && specific.some(({ permissionDecision }) => permissionDecision === 'allow'),
    isAsked,
    updatedInput: specific.map(({ updatedInput }) => updatedInput).find(isRecord),
    updatedOutput: specific
      .map(({ updatedMCPToolOutput, updatedToolOutput }) => updatedMCPToolOutput ?? updatedToolOutput)
      .find((output) => output !== undefined),
  };
}

function readReason(reason: unknown): string {
  return typeof reason === 'string' ? reason : '';
}
