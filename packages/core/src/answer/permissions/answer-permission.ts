// Answers `can_use_tool` by calling the program's callback. If it is missing, throws, or returns something invalid,
// the call is denied, because an error reply would leave the decision to the CLI. The model reads only that something
// failed. The program alone gets the error, which may hold secrets.
import { InboardError, type PermissionUnavailableError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';
import { hasFields, isGiven, isRecord } from '../../util/guards.js';
import { Later } from '../../util/later.js';
import { copyPlainJson } from '../../util/plain-json.js';
import { isShortArrow } from '../../util/short-arrow.js';
import { withoutNulls, withoutUndefined } from '../../util/without-undefined.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { IdentifyCall, NamedCall } from '../../wire/protocol/call-identity.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
  PermissionResult,
} from '../../wire/protocol/control/permission-question.js';

/** Tells the program why a callback gave no answer. */
export type OnPermissionFailure = (error: InboardError) => void;

/**
 * The answerer for `can_use_tool`. Without a callback every call is denied. The answerer throws or rejects only with
 * a PermissionUnavailableError.
 */
export function createPermissionAnswerer(
  canUseTool: CanUseTool | undefined,
  identify: IdentifyCall,
  onFailure: OnPermissionFailure,
  sessionId: () => string | undefined = () => undefined,
): Answerer {
  const denyAfter = (error: unknown, asked: CanUseToolRequest, context: AnswerContext): WireObject => {
    // Whoever could answer is away for a while, which is no reason to deny.
    if (isUnavailable(error)) throw error;
    // A callback whose signal has fired gives up by rejecting, and nobody waits for its answer any more.
    if (context.signal.aborted) return deny(asked, 'The question was withdrawn');
    return denyFailure(asked, `failed: ${messageOf(error)}`, onFailure, error);
  };
  const seesQuestion = canUseTool !== undefined && !isShortArrow(canUseTool, 2);
  return (request, context) => {
    const asked = request as unknown as CanUseToolRequest;
    if (!canUseTool) return deny(asked, 'No permission callback (canUseTool) is set, so the call was denied');
    let decision: PromiseLike<PermissionResult | null> | PermissionResult | null;
    try {
      decision = canUseTool(
        asked.tool_name,
        asked.input,
        // Making the question costs as much as the rest of the answer, so a callback that cannot see it gets none.
        seesQuestion
          ? describeQuestion(asked, context, identify, sessionId())
          : (undefined as unknown as CanUseToolOptions),
      );
    } catch (error) {
      return denyAfter(error, asked, context);
    }
    const answer = new Later<unknown>();
    Promise.resolve(decision).then(
      (result) => answer.give(result === null ? LEFT_OPEN : encodeDecision(asked, result, onFailure)),
      (error: unknown) =>
        answer.give(isUnavailable(error) ? Promise.reject(error) : denyAfter(error, asked, context)),
    );
    return answer;
  };
}

/**
 * Encodes a decision for the CLI. Null fields are left out, because the CLI rejects them. A decision that allows the call
 * without changing its input gets that input, because 2.1.33 needs it. Never throws: a result that cannot be read becomes
 * a denial.
 */
export function encodeDecision(
  asked: CanUseToolRequest,
  result: unknown,
  onFailure: OnPermissionFailure,
): WireObject {
  try {
    return readDecision(asked, result, onFailure);
  } catch (error) {
    // A getter or a proxy threw, or JSON has no text for the value.
    return denyFailure(
      asked,
      `returned something that cannot be read as JSON (${messageOf(error)})`,
      onFailure,
      error,
    );
  }
}

function readDecision(asked: CanUseToolRequest, result: unknown, onFailure: OnPermissionFailure): WireObject {
  // The decision is read from its JSON, because the CLI gets only that. JSON has no inherited fields.
  const read: unknown = isRecord(result)
    ? (copyPlainJson(result) ?? JSON.parse(JSON.stringify(result)))
    : undefined;
  const given = isRecord(read) ? read : {};
  const { behavior } = given;
  if (behavior !== 'allow' && behavior !== 'deny') {
    const problem = `returned ${describeReturn(result)}; expected { behavior: 'allow' } or { behavior: 'deny', message }`;
    return denyFailure(asked, problem, onFailure);
  }
  const kept = withoutNulls(given);
  if (behavior === 'deny') {
    const message =
      typeof kept['message'] === 'string' ? kept['message'] : 'The permission callback denied the call';
    return { ...kept, behavior, message, toolUseID: asked.tool_use_id };
  }
  const input = (result as { updatedInput?: unknown }).updatedInput;
  // JSON turns a Map into an empty object, and the tool would run with that object.
  if (isGiven(input) && !(hasFields(input) && isRecord(kept['updatedInput']))) {
    return denyFailure(asked, 'allowed the call with an updatedInput that is not an object', onFailure);
  }
  return { behavior, updatedInput: asked.input, ...kept, toolUseID: asked.tool_use_id };
}

/** Whether an error is a PermissionUnavailableError, possibly of another copy of this package. */
export function isUnavailable(error: unknown): error is PermissionUnavailableError {
  return error instanceof Error && (error as { code?: unknown }).code === 'PERMISSION_UNAVAILABLE';
}

/** Denies a call and tells the program why. `problem` completes a sentence whose subject is the callback. */
function denyFailure(
  asked: CanUseToolRequest,
  problem: string,
  onFailure: OnPermissionFailure,
  cause?: unknown,
): WireObject {
  const message = `The permission callback (canUseTool), asked about ${asked.tool_name}, ${problem}. The call was denied.`;
  onFailure(new InboardError('PERMISSION_CALLBACK_FAILED', message, { cause }));
  return deny(asked, 'The permission callback failed, so the call was denied');
}

function deny(asked: CanUseToolRequest, message: string): WireObject {
  return { behavior: 'deny', message, toolUseID: asked.tool_use_id };
}

function describeQuestion(
  asked: CanUseToolRequest,
  context: AnswerContext,
  identify: IdentifyCall,
  sessionId: string | undefined,
): CanUseToolOptions {
  const question = describeAsked(asked, context.requestId, sessionId);
  const source: QuestionSource = { asked, context, identify };
  Object.defineProperty(question, SOURCE, { value: source });
  Object.defineProperty(question, 'signal', SIGNAL);
  Object.defineProperty(question, 'callKey', CALL_KEY);
  return Object.defineProperty(question, 'attempt', ATTEMPT) as CanUseToolOptions;
}

/** The source of a question's computed fields. */
interface QuestionSource {
  asked: CanUseToolRequest;
  context: AnswerContext;
  identify: IdentifyCall;
}

// These fields are computed when they are read. They need an abort controller or a digest, and most callbacks do not read
// them. The getters are made once, and find their question by a hidden field. Code that copies the descriptors of a
// question copies that field, too. If each question had getters of its own, making one would take 3.7 us, not 1.3 us.
const SOURCE = Symbol('source');
const SIGNAL = createGetter(({ context }) => context.signal);
const CALL_KEY = createGetter(({ asked, identify }) => identify(namedCall(asked)).callKey);
const ATTEMPT = createGetter(({ asked, identify }) => identify(namedCall(asked)).attempt);

function createGetter(read: (source: QuestionSource) => unknown): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: { [SOURCE]: QuestionSource }) {
      return read(this[SOURCE]);
    },
  };
}

/** The call a question is about. */
export function namedCall({ tool_use_id, tool_name, input }: CanUseToolRequest): NamedCall {
  return { toolUseId: tool_use_id, toolName: tool_name, input };
}

/**
 * A question as the callback receives it, without the signal and the computed fields. A field that the CLI left out
 * is undefined.
 */
export function describeAsked(
  asked: CanUseToolRequest,
  requestId: string,
  sessionId: string | undefined,
): Omit<CanUseToolOptions, 'signal' | 'callKey' | 'attempt'> {
  const rule = asked.matched_ask_rule;
  return {
    toolUseID: asked.tool_use_id,
    requestId,
    sessionId,
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

/** Makes the CLI's request from the question that a callback received. It is the reverse of `describeAsked`. */
export function askedOf(
  question: Omit<
    CanUseToolOptions,
    'signal' | 'callKey' | 'attempt' | 'requestId' | 'toolUseID' | 'sessionId'
  >,
): Omit<CanUseToolRequest, 'tool_name' | 'input' | 'tool_use_id'> {
  const rule = question.matchedAskRule;
  return withoutUndefined({
    permission_suggestions: question.suggestions,
    blocked_path: question.blockedPath,
    decision_reason: question.decisionReason,
    decision_reason_type: question.decisionReasonType,
    agent_id: question.agentID,
    title: question.title,
    display_name: question.displayName,
    description: question.description,
    mcp_server: question.mcpServer,
    default_to_no: question.defaultToNo,
    suppress_always_allow_rule: question.suppressAlwaysAllowRule,
    server_policy_ask_only: question.serverPolicyAskOnly,
    requires_user_interaction: question.requiresUserInteraction,
    classifier_approvable: question.classifierApprovable,
    matched_ask_rule: rule && {
      source: rule.source,
      tool_name: rule.toolName,
      rule_content: rule.ruleContent,
    },
  });
}

function describeReturn(result: unknown): string {
  if (isRecord(result)) return `an object whose behavior is ${JSON.stringify(messageOf(result['behavior']))}`;
  return typeof result === 'string' ? JSON.stringify(result) : messageOf(result);
}
