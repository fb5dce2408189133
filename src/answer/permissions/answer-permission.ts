// Answers `can_use_tool` by calling the host's callback. It fails closed: a throw, an invalid return value or a missing
// callback becomes a denial that says why, because an error reply would leave the decision to the CLI.
import { messageOf } from '../../util/message-of.js';
import { isRecord } from '../../util/guards.js';
import { withoutNulls } from '../../util/without-undefined.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
  PermissionResult,
} from '../../wire/protocol/control/permission-question.js';

/** The answerer for `can_use_tool`; without a callback every call is denied. */
export function createPermissionAnswerer(canUseTool: CanUseTool | undefined): Answerer {
  return (request, context) => {
    const asked = request as unknown as CanUseToolRequest;
    if (!canUseTool) return deny(asked, 'No permission callback (canUseTool) is set, so the call was denied');
    let decision: PromiseLike<PermissionResult | null> | PermissionResult | null;
    try {
      decision = canUseTool(asked.tool_name, asked.input, describeQuestion(request, context));
    } catch (error) {
      return deny(asked, `The permission callback failed: ${messageOf(error)}`);
    }
    return Promise.resolve(decision).then(
      (result) => (result === null ? LEFT_OPEN : encodeDecision(asked, result)),
      (error: unknown) => deny(asked, `The permission callback failed: ${messageOf(error)}`),
    );
  };
}

/** A decision as the CLI takes it: without null fields, which it rejects, and with the tool's input, which 2.1.33 needs. */
export function encodeDecision(asked: CanUseToolRequest, result: unknown): WireObject {
  const found = isRecord(result) ? result['behavior'] : undefined;
  if (!isRecord(result) || (found !== 'allow' && found !== 'deny')) {
    return deny(
      asked,
      `The permission callback returned ${describeReturn(result)}; expected { behavior: 'allow' } or { behavior: 'deny', message }`,
    );
  }
  const { behavior, ...rest } = result;
  const kept = withoutNulls(rest);
  if (behavior === 'deny') {
    const message =
      typeof kept['message'] === 'string' ? kept['message'] : 'The permission callback denied the call';
    return { ...kept, behavior, message, toolUseID: asked.tool_use_id };
  }
  if (kept['updatedInput'] !== undefined && !isRecord(kept['updatedInput'])) {
    return deny(asked, 'The permission callback allowed the call with an updatedInput that is no object');
  }
  return { behavior, updatedInput: asked.input, ...kept, toolUseID: asked.tool_use_id };
}

function deny(asked: CanUseToolRequest, message: string): WireObject {
  return { behavior: 'deny', message, toolUseID: asked.tool_use_id };
}

function describeQuestion(request: WireObject, context: AnswerContext): CanUseToolOptions {
  return {
    // A getter, so that no abort controller is created for a callback that never reads it.
    get signal() {
      return context.signal;
    },
    ...describeAsked(request as unknown as CanUseToolRequest, context.requestId),
  };
}

/** A question as the callback receives it, without the signal; what the CLI left out is undefined. */
export function describeAsked(
  asked: CanUseToolRequest,
  requestId: string,
): Omit<CanUseToolOptions, 'signal'> {
  const rule = asked.matched_ask_rule;
  return {
    toolUseID: asked.tool_use_id,
    requestId,
    suggestions: asked.permission_suggestions,
    blockedPath: asked.blocked_path,
    decisionReason: asked.decision_reason,
    decisionReasonType: asked.decision_reason_type,
    agentID: asked.agent_id,
    title: asked.title,
    displayName: asked.display_name,
    description: asked.description,
    mcpServer: asked.mcp_server,
    defaultToNo: asked.default_to_no,
    suppressAlwaysAllowRule: asked.suppress_always_allow_rule,
    serverPolicyAskOnly: asked.server_policy_ask_only,
    requiresUserInteraction: asked.requires_user_interaction,
    classifierApprovable: asked.classifier_approvable,
    matchedAskRule: rule && { source: rule.source, toolName: rule.tool_name, ruleContent: rule.rule_content },
  };
}

function describeReturn(result: unknown): string {
  if (isRecord(result)) return `an object whose behavior is ${JSON.stringify(messageOf(result['behavior']))}`;
  return typeof result === 'string' ? JSON.stringify(result) : messageOf(result);
}
