// Converts a question of the CLI or of a queue to the form that pages see: with a title and without secrets.
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { CanUseToolRequest } from '@inboard/core/wire/protocol/control/permission-question.js';
import type {
  PermissionUpdate,
  PermissionUpdateDestination,
} from '@inboard/core/wire/protocol/control/permissions.js';
import type { Question, PersonQuestionKind } from '../../stream/question.js';
import type { OpenQuestion } from '@inboard/core/live/watch/inspected-session.js';
import { findHidden } from './hidden-values.js';

/** A question before anything is hidden. */
export interface AskedFacts extends Omit<
  Question,
  'session' | 'hidden' | 'canAnswer' | 'suggestions' | 'schema'
> {
  suggestions: readonly PermissionUpdate[];
  /** The schema of the input, or of the values that an elicitation asks for. */
  schema?: Record<string, unknown> | undefined;
}

/** The tool by which the model asks a person. */
const ASK_USER = 'AskUserQuestion';

/** Reads a question of the CLI. */
export function readOpenQuestion({ id, kind, request, askedAt, attempt }: OpenQuestion): AskedFacts {
  const common = { id, askedAt, attempt };
  if (kind === 'permission') return { ...common, ...readPermission(request as unknown as CanUseToolRequest) };
  const text = (field: string): string | undefined =>
    typeof request[field] === 'string' ? request[field] : undefined;
  if (kind === 'elicitation') {
    const server = text('mcp_server_name') ?? 'A server';
    const url = text('url');
    return {
      ...common,
      kind,
      subject: server,
      title: text('title') ?? text('display_name') ?? `${server} asks`,
      description: text('message') ?? text('description'),
      input: url === undefined ? {} : { url },
      schema: isRecord(request['requested_schema']) ? request['requested_schema'] : undefined,
      suggestions: [],
    };
  }
  const dialog = text('dialog_kind') ?? 'dialog';
  return {
    ...common,
    kind,
    subject: dialog,
    title: `The CLI shows a dialog: ${dialog}`,
    input: isRecord(request['payload']) ? request['payload'] : {},
    suggestions: [],
    toolUseId: text('tool_use_id'),
  };
}

function readPermission(asked: CanUseToolRequest): Omit<AskedFacts, 'id' | 'askedAt' | 'attempt'> {
  const kind: PersonQuestionKind = asked.tool_name === ASK_USER ? 'ask-user' : 'permission';
  const name = asked.display_name ?? asked.tool_name;
  return {
    kind,
    subject: asked.tool_name,
    title: asked.title ?? (kind === 'ask-user' ? 'The model asks' : `${name} wants to run`),
    description: asked.description,
    input: isRecord(asked.input) ? asked.input : {},
    suggestions: asked.suppress_always_allow_rule === true ? [] : (asked.permission_suggestions ?? []),
    toolUseId: asked.tool_use_id,
    agentId: asked.agent_id,
    reason: asked.decision_reason,
    blockedPath: asked.blocked_path,
  };
}

/** Reads a question of a queue or of a journal. Either a tool's handler waits for its answer, or a CLI does. */
export function readApproval(approval: Approval): AskedFacts {
  const isHeld = approval.kind === 'tool';
  const subject = approval.toolName ?? 'A program';
  return {
    id: approval.id,
    askedAt: approval.askedAt,
    attempt: approval.attempt,
    kind: isHeld ? 'held' : subject === ASK_USER ? 'ask-user' : 'permission',
    subject,
    title: approval.title ?? (isHeld ? `${subject} asks` : `${subject} wants to run`),
    description: approval.description,
    input: approval.input,
    suggestions: approval.suppressAlwaysAllowRule === true ? [] : (approval.suggestions ?? []),
    agentId: approval.agentID,
    reason: approval.decisionReason,
    blockedPath: approval.blockedPath,
  };
}

/** The question as a page sees it. */
export function presentQuestion(
  { suggestions, ...facts }: AskedFacts,
  { session, redactor, canAnswer }: { session: string; redactor: Redactor; canAnswer: boolean },
): Question {
  const hide = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : redactor.redactText(text);
  const input = redactor.redactValue(facts.input);
  return withoutUndefined({
    ...facts,
    session,
    title: redactor.redactText(facts.title),
    description: hide(facts.description),
    reason: hide(facts.reason),
    blockedPath: hide(facts.blockedPath),
    input,
    hidden: findHidden(facts.input, input),
    schema: facts.schema && redactor.redactValue(facts.schema),
    suggestions: suggestions.map((suggestion) => redactor.redactText(describeSuggestion(suggestion))),
    canAnswer,
  });
}

const WHERE: Readonly<Record<PermissionUpdateDestination, string>> = {
  session: 'for this session',
  localSettings: 'in this project, for you',
  projectSettings: 'in this project, for everybody',
  userSettings: 'in all your projects',
  cliArg: 'for this run',
};

/** What "always" would remember, as a sentence that a person can agree to. */
function describeSuggestion(update: PermissionUpdate): string {
  const where = WHERE[update.destination] ?? `in ${update.destination}`;
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const rules = (update.rules ?? []).map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
      );
      const what =
        update.type === 'removeRules' ? `No longer ${update.behavior}` : `Always ${update.behavior}`;
      return `${what} ${rules.join(', ')} ${where}`;
    }
    case 'setMode':
      return `Change to the mode ${update.mode} ${where}`;
    case 'addDirectories':
      return `Let tools use ${(update.directories ?? []).join(', ')} ${where}`;
    case 'removeDirectories':
      return `No longer let tools use ${(update.directories ?? []).join(', ')} ${where}`;
    default:
      return `Remember it ${where}`;
  }
}
