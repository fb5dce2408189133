// Decides the kind of a turn's end, mainly from three fields of the CLI's `result`: `subtype`, `is_error` and
// `terminal_reason`. The fields do not always agree. API errors come as "success", an interrupted turn may come with
// is_error false and without a terminal_reason (2.1.33), and newer CLIs may add reasons.

import { asString } from '../../util/guards.js';

/** How a turn ended, with one word for each case that a program may want to treat differently. */
export type OutcomeKind =
  | 'ok'
  | 'interrupted'
  | 'max_turns'
  | 'budget'
  | 'api_error'
  | 'structured_output'
  | 'stopped_by_hook'
  | 'blocked'
  | 'execution_error';

const KIND_OF_REASON: ReadonlyMap<string, OutcomeKind> = listKinds({
  completed: 'ok',
  tool_deferred: 'ok',
  background_requested: 'ok',
  aborted_streaming: 'interrupted',
  aborted_tools: 'interrupted',
  max_turns: 'max_turns',
  budget_exhausted: 'budget',
  api_error: 'api_error',
  model_error: 'api_error',
  image_error: 'api_error',
  prompt_too_long: 'api_error',
  malformed_tool_use_exhausted: 'api_error',
  structured_output_retry_exhausted: 'structured_output',
  hook_stopped: 'stopped_by_hook',
  stop_hook_prevented: 'stopped_by_hook',
  blocking_limit: 'blocked',
  rapid_refill_breaker: 'blocked',
  tool_deferred_unavailable: 'execution_error',
  turn_setup_failed: 'execution_error',
});

const KIND_OF_SUBTYPE: ReadonlyMap<string, OutcomeKind> = listKinds({
  success: 'ok',
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'structured_output',
});

/** The kind of a `result`, given the errors it lists. */
export function outcomeKindOf(raw: Record<string, unknown>, errors: string[]): OutcomeKind {
  const subtype = asString(raw['subtype']) ?? '';
  const reason = raw['terminal_reason'];
  const byReason = typeof reason === 'string' ? KIND_OF_REASON.get(reason) : undefined;
  const bySubtype = KIND_OF_SUBTYPE.get(subtype);
  // The reason is more precise than the subtype. But an error subtype outranks a reason that calls the turn completed.
  if (byReason !== undefined && byReason !== 'ok') return byReason;
  if (bySubtype !== undefined && bySubtype !== 'ok') return bySubtype;
  // 2.1.33 reports an interrupted turn as an execution error with is_error false and no errors.
  if (subtype === 'error_during_execution' && raw['is_error'] === false && errors.length === 0)
    return 'interrupted';
  if (raw['is_error'] === true) {
    return subtype === 'success' || raw['api_error_status'] != null ? 'api_error' : 'execution_error';
  }
  return bySubtype ?? (subtype.startsWith('error') ? 'execution_error' : 'ok');
}

/** A map, because a word such as "constructor" is no field of one. */
function listKinds(kinds: Record<string, OutcomeKind>): ReadonlyMap<string, OutcomeKind> {
  return new Map(Object.entries(kinds));
}
