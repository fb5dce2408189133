// Advice about errors of tools, hooks and permissions.
import type { Advice } from './advice.js';

export const ANSWER_ADVICE: Advice<
  | 'ToolServerNotFoundError'
  | 'ToolTimeoutError'
  | 'ToolResultError'
  | 'ToolsNotReadyError'
  | 'HookError'
  | 'PermissionUnavailableError'
> = {
  ToolServerNotFoundError: {
    TOOL_SERVER_NOT_FOUND: {
      when: 'The CLI called an in-process server that this session does not have. The CLI gets the error as an answer.',
      advice: 'Give a resumed session the same `mcpServers` as before.',
    },
  },
  ToolTimeoutError: {
    TOOL_TIMEOUT: {
      when: 'One of your tools ran longer than its `timeoutMs`. Its signal aborts with this error, and the model reads that the call failed.',
      advice: 'Stop the work when `extra.signal` aborts, or raise `timeoutMs`.',
    },
  },
  ToolResultError: {
    TOOL_RESULT_UNUSABLE: {
      when: 'One of your tools or prompts returned something that cannot be sent. The call fails, and the model reads why.',
      advice: 'Return a string, a plain object, or content blocks: see [tools](tools.md).',
    },
  },
  ToolsNotReadyError: {
    TOOLS_NOT_READY: {
      when: 'Servers or tools that you waited for with `ready()` are missing, or a turn began without a tool and `missingTools` is `error`.',
      advice: 'Look at `report`: it names each server with its state, and each missing tool with the cause.',
      retryable: true,
    },
  },
  HookError: {
    HOOK_FAILED: {
      when: "A hook callback threw. A warning. With `hookFailure: 'refuse'`, or `failClosed` on its matcher, this counts as a refusal; otherwise the CLI continues without the hook.",
      advice:
        'Fix the callback; `cause` is what it threw. If it guards something, set `hookFailure` ([guards that fail](hooks.md#guards-that-fail)).',
    },
    HOOK_TIMEOUT: {
      when: 'A hook callback did not answer within its `timeout`. A warning.',
      advice: 'Answer sooner, or raise `timeout`, which is in seconds.',
    },
    HOOK_OUTPUT_INVALID: {
      when: 'A hook callback returned something that is not an answer. A warning; in an event before an action it counts as a refusal.',
      advice: 'Return what the message suggests, or `{}` to have no effect.',
    },
    HOOK_FIELD_UNKNOWN: {
      when: 'The answer of a hook has a field that the event does not have. A warning; the answer is sent.',
      advice: 'Correct the name of the field.',
    },
    HOOK_DECISION_MISSING: {
      when: 'The answer of a hook gives a reason for a decision, but no decision. A warning.',
      advice: 'Add the decision that the message names.',
    },
  },
  PermissionUnavailableError: {
    PERMISSION_UNAVAILABLE: {
      when: 'Thrown by a permission callback, yours or that of `createApprovals()`, because nobody can answer right now. The question stays open.',
      advice:
        'Nothing: the callback is called again after `retryAfterMs`. The error is reported as a warning.',
      retryable: true,
    },
  },
};
