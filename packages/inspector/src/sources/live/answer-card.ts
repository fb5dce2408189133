// Answers a question with the decision of a person on a page. It checks the decision against the question, and passes the
// answer to the code that waits for it.
import { compileSchema, type SchemaIssue } from '@inboard/core/answer/schema/compile-schema.js';
import { InboardError } from '@inboard/core/errors.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { ActionError } from '../../model/page-contract.js';
import type { Decision } from '../../stream/question.js';
import { toAnswer, UnfitDecision } from './decide.js';
import { applyEditsToRealInput } from './hidden-values.js';
import type { Card } from './card-registry.js';

/** The name under which the page answers. */
export const INSPECTOR = 'inspector';

/** The error for an action that was refused before anything was done. */
export class ActionRefusal extends Error {
  readonly error: ActionError;
  constructor(code: string, message: string, issues?: ActionError['issues']) {
    super(message);
    this.error = { code, message, ...(issues && { issues }) };
  }
}

/** Why an action was not carried out, without secrets. */
export function describeRefusal(error: unknown, redactor: Redactor | undefined): ActionError {
  return redactor ? hideInError(describe(error), redactor) : describe(error);
}

function describe(error: unknown): ActionError {
  if (error instanceof ActionRefusal) return error.error;
  const code =
    error instanceof UnfitDecision ? 'UNFIT_DECISION' : error instanceof InboardError ? error.code : 'FAILED';
  return { code, message: messageOf(error) };
}

function hideInError({ code, message, issues }: ActionError, redactor: Redactor): ActionError {
  const shown = issues?.map((issue) => ({ ...issue, message: redactor.redactText(issue.message) }));
  return { code, message: redactor.redactText(message), ...(shown && { issues: shown }) };
}

/** Answers a question with a decision; throws an ActionRefusal or an UnfitDecision if that is not possible. */
export async function answerCard(card: Omit<Card, 'session'>, decision: Decision): Promise<undefined> {
  const { facts, question, isRevealed } = card;
  const edits = decision.kind === 'allow' ? (decision.edits ?? []) : [];
  const { input, issues } = applyEditsToRealInput(
    { real: facts.input, shown: question.input, isRevealed },
    edits,
  );
  if (issues.length > 0)
    throw new ActionRefusal('BAD_INPUT', 'The input cannot be changed like this.', issues);
  // An input without edits is not checked here: the model is responsible for it, and the tool checks it anyway.
  if (edits.length > 0) await check(input, facts.schema, 'The input');
  if (facts.kind === 'elicitation' && decision.kind === 'submit')
    await check(decision.content, facts.schema, 'The answer');
  const isTaken = await card.settle(toAnswer(facts, decision, input), INSPECTOR);
  if (!isTaken)
    throw new ActionRefusal('QUESTION_OVER', 'Somebody else was first, or the question was withdrawn.');
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
    // A schema that cannot be compiled here is no reason to refuse, because its owner may still accept the value.
    return;
  }
  throw new ActionRefusal('BAD_INPUT', `${what} does not fit its schema.`, issues);
}
