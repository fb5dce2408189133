// Translates permission decisions (`allow()`, `deny()`) into answers of hooks. A hook may therefore return the same
// decisions as a permission callback.
import { hasFields, asString } from '../../util/guards.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { describeValue, findDecisionProblem } from './answer-fields.js';
import { createAllowAnswer, createBlockAnswer } from './block-answer.js';

/** The hook's answer for a decision, or why there is none. */
export type TranslatedDecision = { output: WireObject; ignored: string[] } | { problem: string };

/** Translates an answer with a `behavior` at the top. Its other fields must not be null. */
export function translateDecision(event: string, given: WireObject): TranslatedDecision {
  const { behavior, message, interrupt, updatedInput, updatedPermissions, ...others } = given;
  if (behavior !== 'allow' && behavior !== 'deny')
    return { problem: `"behavior": ${describeValue(behavior)}; expected "allow" or "deny"` };
  // Some events can block nothing. Those that can only end the turn come after the tool has run, too late for a decision.
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
  // The hook did not allow the call with its old input, so a lost input is a problem. A lost permission rule is not: it
  // only leads to another question.
  if (hasFields(updatedInput) && allowed?.lost.includes('updatedInput'))
    return { problem: `"updatedInput", which ${event} does not accept` };
  return { output: allowed?.answer ?? {}, ignored: [...ignored, ...(allowed?.lost ?? [])] };
}

/** Fields of a permission result that say nothing about the call, and are left out. */
const RESULT_ONLY = new Set(['toolUseID', 'decisionClassification']);
