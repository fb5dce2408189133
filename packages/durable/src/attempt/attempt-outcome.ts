// Makes the outcome of a turn as plain JSON, so that an engine can keep it among its own records.
import type { Outcome } from '@inboard/core/live/output/outcome.js';
import { isPlainJson } from '@inboard/core/util/plain-json.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';

/** How a turn ended, as plain JSON. */
export interface AttemptOutcome {
  ok: boolean;
  /** `ok`, or why the turn failed, as in `Outcome`. `lost` if other turns follow it and its answer is not known. */
  kind: Outcome['kind'] | 'lost';
  /** The text of the answer. For an error, its description. */
  text: string;
  /** What this attempt cost, in US dollars. Earlier attempts are not included. */
  turnCostUsd: number;
  /** The `turns` of the outcome. Missing if the answer was found in the transcript. */
  rounds?: number;
  durationMs?: number;
  structuredOutput?: unknown;
  /** Whether the same prompt can succeed later without a change. Missing if the turn succeeded. */
  retryable?: boolean;
  /** Whether an earlier attempt had the answer, and this one found it in the transcript. */
  recovered?: true;
  /** Calls that were cut off in an earlier attempt, and what became of them. Missing if there were none. */
  completedCalls?: { callKey: string; toolName: string; how: string; delivered: boolean }[];
}

/** What a CLI's result says about its turn, as plain JSON. Attempts and the workers of a cluster keep it. */
export function resultFacts({
  ok,
  kind,
  text,
  turns,
  durationMs,
  structuredOutput,
}: Outcome): Pick<AttemptOutcome, 'ok' | 'text'> &
  Pick<Outcome, 'kind'> & { rounds: number; durationMs: number; structuredOutput?: unknown } {
  return {
    ok,
    kind,
    text,
    rounds: turns,
    durationMs,
    ...(structuredOutput !== undefined && { structuredOutput: copyJson(structuredOutput) }),
  };
}

/** The outcome of the CLI's result. */
export function describeAttemptOutcome(outcome: Outcome): AttemptOutcome {
  const { ok, turnCostUsd, retryable, completedCalls } = outcome;
  return withoutUndefined({
    ...resultFacts(outcome),
    turnCostUsd: turnCostUsd,
    retryable: ok ? undefined : retryable,
    completedCalls: completedCalls?.map(({ callKey, toolName, how, delivered }) => ({
      callKey,
      toolName,
      how,
      delivered,
    })),
  });
}

/** The outcome of a turn that was stopped on request. */
export function interruptedOutcome(turnCostUsd: number): {
  ok: false;
  kind: 'interrupted';
  text: string;
  turnCostUsd: number;
} {
  return { ok: false, kind: 'interrupted', text: 'The turn was ended on request.', turnCostUsd };
}

/** The outcome of a turn that was found in the transcript. */
export function recoveredOutcome(found: { text: string } | 'stopped' | 'passed'): AttemptOutcome {
  const facts = { turnCostUsd: 0, recovered: true } as const;
  if (found === 'stopped') return { ...interruptedOutcome(0), ...facts };
  if (found === 'passed')
    return {
      ok: false,
      kind: 'lost',
      text: 'The conversation already has this message, and other turns after it: its answer is not known.',
      ...facts,
    };
  return { ok: true, kind: 'ok', text: found.text, ...facts };
}

function copyJson(value: unknown): unknown {
  return isPlainJson(value) ? value : (JSON.parse(JSON.stringify(value)) as unknown);
}
