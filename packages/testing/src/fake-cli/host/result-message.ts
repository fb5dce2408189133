// Creates the `result` message that ends a turn, with the fields that each CLI version has.
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { TurnEnd } from '../script/fake-step.js';

/** What a result reports about its turn. */
export interface ResultFacts {
  /** The uuids of the prompts that the turn answers. */
  readonly uuids: readonly string[];
  readonly origin: WireObject | undefined;
  readonly userLines: number;
  readonly apiMessages: number;
  readonly lastText: string;
  readonly stopReason: string | null;
  readonly denials: readonly WireObject[];
}

/** What a result reports about the whole run. */
export interface RunTotals {
  readonly isOld: boolean;
  readonly model: string;
  /** How many messages the model has sent so far, including this turn. */
  readonly apiMessages: number;
  /** How many results came before this one. */
  readonly results: number;
}

/** The tokens each message of the model uses. */
export const TOKENS = { input_tokens: 10, output_tokens: 5 };

const COST_PER_MESSAGE = 0.00014;

const TERMINAL_REASONS: Readonly<Record<string, string>> = {
  success: 'completed',
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget_exhausted',
};

// The results that are no errors for the older CLI: those of turns that succeeded, were interrupted or had too many
// rounds.
const NO_ERROR_WHEN_OLD = ['success', 'error_during_execution', 'error_max_turns'];

export function createResult(turn: ResultFacts, end: TurnEnd, totals: RunTotals): WireObject {
  const { subtype = 'success', apiError } = end;
  const { isOld, apiMessages } = totals;
  const isFailure = isOld ? !NO_ERROR_WHEN_OLD.includes(subtype) : subtype !== 'success';
  const structured = end.structuredOutput === undefined ? undefined : JSON.stringify(end.structuredOutput);
  const text = end.text ?? apiErrorText(apiError) ?? structured ?? turn.lastText;
  return {
    type: 'result',
    subtype,
    is_error: end.isError ?? (apiError !== undefined || isFailure),
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1 + turn.userLines,
    stop_reason: end.stopReason ?? (apiError ? 'stop_sequence' : isOld ? null : turn.stopReason),
    total_cost_usd: apiMessages * COST_PER_MESSAGE,
    usage: {
      input_tokens: turn.apiMessages * TOKENS.input_tokens,
      output_tokens: turn.apiMessages * TOKENS.output_tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: 'standard',
    },
    modelUsage: apiMessages === 0 ? {} : { [totals.model]: modelUsage(apiMessages) },
    permission_denials: turn.denials,
    ...(subtype === 'success' ? { result: text } : { errors: end.errors ?? defaultErrors(subtype, isOld) }),
    ...(structured === undefined ? {} : { structured_output: end.structuredOutput }),
    ...(isOld ? {} : newerFields(turn, end, totals)),
    ...end.fields,
  };
}

/** The fields with which the newer CLI names the prompts a message answers. */
export function namePrompts(uuids: readonly string[]): WireObject {
  return uuids.length === 0 ? {} : { user_message_uuid: uuids.at(-1), user_message_uuids: uuids };
}

function newerFields(turn: ResultFacts, { subtype, apiError }: TurnEnd, { results }: RunTotals): WireObject {
  return {
    ...withoutUndefined({
      terminal_reason: apiError ? 'api_error' : TERMINAL_REASONS[subtype ?? 'success'],
      api_error_status: apiError?.status ?? null,
      api_error_type: apiError?.type,
      queued_turn_count: 0,
      result_index: results,
      origin: turn.origin,
    }),
    ...namePrompts(turn.uuids),
  };
}

function modelUsage(apiMessages: number): WireObject {
  return {
    inputTokens: apiMessages * TOKENS.input_tokens,
    outputTokens: apiMessages * TOKENS.output_tokens,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: apiMessages * COST_PER_MESSAGE,
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
  };
}

function apiErrorText(apiError: TurnEnd['apiError']): string | undefined {
  if (!apiError) return undefined;
  return `API Error: ${apiError.status === null ? '' : `${apiError.status} `}${apiError.message}`;
}

function defaultErrors(subtype: string, isOld: boolean): string[] {
  if (isOld) return [];
  return subtype === 'error_max_turns'
    ? ['Reached maximum number of turns']
    : [`The script ended the turn with ${subtype}`];
}
