// The decisions of permission callbacks (`allow()`, `deny()`) as answers of hooks: whoever knows the one may write it as
// the other.
import { hasFields, asString } from '../../util/guards.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { describeValue, findDecisionProblem } from './answer-fields.js';
import { createAllowAnswer, createBlockAnswer } from './block-answer.js';

/** The answer that a decision means, or why it means none. */
export type TranslatedDecision = { output: WireObject; ignored: string[] } | { problem: string };

/** Translates what has a `behavior` at the top; the fields beside it have no null. */
export function translateDecision(event: string, given: WireObject): TranslatedDecision {
  const { behavior, message, interrupt, updatedInput, updatedPermissions, ...others } = given;
  if (behavior !== 'allow' && behavior !== 'deny')
    return { problem: `"behavior": ${describeValue(behavior)}; expected "allow" or "deny"` };
  // Where no is said by ending the turn, a decision comes too late: the tool has run.
  if (findHookEvent(event)?.blockedBy?.[0] === 'continue' || !findHookEvent(event)?.blockedBy)
    return { problem: `a permission decision ("${behavior}"), which ${event} does not ask for` };
  const ignored = Object.keys(others).filter((field) => !RESULT_ONLY.has(field));
  if (behavior === 'deny') {
    const output = createBlockAnswer(event, asString(message), { interrupt: interrupt === true });
    return { output: output ?? {}, ignored };
  }
  const problem = findDecisionProblem(given);
  if (problem !== undefined) return { problem };
  const allowed = createAllowAnswer(event, withoutUndefined({ updatedInput, updatedPermissions }));
  // To go on with the old input is not what was allowed; rules that are not remembered only mean another question.
  if (hasFields(updatedInput) && allowed?.lost.includes('updatedInput'))
    return { problem: `"updatedInput", which ${event} does not accept` };
  return { output: allowed?.answer ?? {}, ignored: [...ignored, ...(allowed?.lost ?? [])] };
}

/** Fields of a permission result that say nothing about the call. */
const RESULT_ONLY = new Set(['toolUseID', 'decisionClassification']);
