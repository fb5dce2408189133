// What a page may do with a session of this process: answer, send, interrupt, change, rewind, call a tool.
import { compileSchema, type SchemaIssue } from '../../../answer/schema/compile-schema.js';
import { InboardError } from '../../../errors.js';
import type { Redactor } from '../../../record/trace/recorder/redact.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import type { Action, ActionError, ActionResult } from '../../model/page-contract.js';
import type { Decision } from '../../stream/question.js';
import type { InspectedSession } from '../inspected-session.js';
import { toAnswer, UnfitDecision } from './decide.js';
import { applyEdits } from './hidden-values.js';
import type { LiveSession } from './live-session.js';
import type { Card, QuestionDesk } from './question-desk.js';

/** As whom the page answers. */
const INSPECTOR = 'inspector';

type SessionAction = Exclude<Action, { action: 'create-link' }>;

/** Refused before anything was done. */
class Refusal extends Error {
  readonly error: ActionError;
  constructor(code: string, message: string, issues?: ActionError['issues']) {
    super(message);
    this.error = { code, message, ...(issues && { issues }) };
  }
}

/** What actions work on. */
export interface ActionScope {
  find(session: string): LiveSession | undefined;
  desk: QuestionDesk;
}

/** Carries out what a page asks for; never rejects. */
export async function actOnSession(action: SessionAction, scope: ActionScope): Promise<ActionResult> {
  try {
    const result = await carryOut(action, scope);
    return { ok: true, ...(result !== undefined && { result }) };
  } catch (error) {
    // What tools, the CLI and schemas say may quote what they were given.
    const redactor = scope.find(action.session)?.redactor;
    return { ok: false, error: redactor ? hideInError(describe(error), redactor) : describe(error) };
  }
}

function describe(error: unknown): ActionError {
  if (error instanceof Refusal) return error.error;
  const code =
    error instanceof UnfitDecision ? 'UNFIT_DECISION' : error instanceof InboardError ? error.code : 'FAILED';
  return { code, message: messageOf(error) };
}

function hideInError({ code, message, issues }: ActionError, redactor: Redactor): ActionError {
  const shown = issues?.map((issue) => ({ ...issue, message: redactor.redactText(issue.message) }));
  return { code, message: redactor.redactText(message), ...(shown && { issues: shown }) };
}

async function carryOut(action: SessionAction, scope: ActionScope): Promise<unknown> {
  const { desk } = scope;
  const session = scope.find(action.session);
  if (!session) throw new Refusal('NO_SESSION', 'There is no such session here any more.');
  if (action.action === 'answer') return await answer(findCard(desk, action), action.decision);
  if (action.action === 'reveal') {
    const card = findCard(desk, action);
    card.isRevealed = true;
    return card.facts.input;
  }
  const { inspected } = session;
  if (!inspected || session.isOver) throw new Refusal('SESSION_OVER', 'The session is over.');
  switch (action.action) {
    case 'send':
      await inspected.send(action.text);
      return undefined;
    case 'interrupt':
      await inspected.request({ subtype: 'interrupt' });
      return undefined;
    case 'set-model':
      await inspected.request(asRequest('set_model', { model: action.model }));
      return undefined;
    case 'set-mode':
      await inspected.request(asRequest('set_permission_mode', { mode: action.mode }));
      return undefined;
    case 'rewind': {
      const fields = { user_message_id: action.messageId, dry_run: action.dryRun };
      return session.redactor.redactValue(await inspected.request(asRequest('rewind_files', fields)));
    }
    default:
      return session.redactor.redactValue(await callTool(inspected, action));
  }
}

function asRequest(subtype: string, fields: object): { subtype: string } {
  return { subtype, ...fields };
}

function findCard(desk: QuestionDesk, { session, id }: { session: string; id: string }): Card {
  const card = desk.find(session, id);
  if (!card) throw new Refusal('QUESTION_OVER', 'The question was answered or withdrawn already.');
  return card;
}

async function answer(card: Card, decision: Decision): Promise<undefined> {
  const { facts, question, isRevealed } = card;
  const edits = decision.kind === 'allow' ? (decision.edits ?? []) : [];
  const { input, issues } = applyEdits({ real: facts.input, shown: question.input, isRevealed }, edits);
  if (issues.length > 0) throw new Refusal('BAD_INPUT', 'The input cannot be changed like this.', issues);
  // What nobody changed is the caller's business; the tool looks at it again anyway.
  if (edits.length > 0) await check(input, facts.schema, 'The input');
  if (facts.kind === 'elicitation' && decision.kind === 'submit')
    await check(decision.content, facts.schema, 'The answer');
  const isTaken = await card.settle(toAnswer(facts, decision, input), INSPECTOR);
  if (!isTaken) throw new Refusal('QUESTION_OVER', 'Somebody else was first, or the question was withdrawn.');
  return undefined;
}

async function check(
  value: Record<string, unknown>,
  schema: Record<string, unknown> | undefined,
  what: string,
): Promise<void> {
  if (!schema) return;
  let issues: readonly SchemaIssue[];
  try {
    const found = await compileSchema(schema, { tool: '', side: 'input', subject: what }).validate(value);
    if (found.ok) return;
    issues = found.issues;
  } catch {
    // A schema that we cannot compile is no reason to refuse what its owner may take.
    return;
  }
  throw new Refusal('BAD_INPUT', `${what} does not fit its schema.`, issues);
}

async function callTool(
  inspected: InspectedSession,
  { server, tool, input }: Extract<SessionAction, { action: 'call-tool' }>,
): Promise<unknown> {
  if (!inspected.serverNames().includes(server))
    throw new Refusal(
      'NO_SERVER',
      `No server "${server}" runs in this process, so its tools cannot be called from here.`,
    );
  const params = { name: tool, arguments: input };
  const startedAt = performance.now();
  const reply = await inspected.askServer(server, {
    jsonrpc: '2.0',
    id: `inspector ${Math.random()}`,
    method: 'tools/call',
    params,
  });
  const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
  const { result, error } = isRecord(reply) ? reply : {};
  if (isRecord(error)) throw new Refusal('TOOL_REFUSED', String(error['message']));
  return { ...(isRecord(result) ? result : {}), durationMs };
}
