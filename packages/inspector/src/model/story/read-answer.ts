// Reads the result of a turn as an item of the story.
import { asString } from '@inboard/core/util/guards.js';
import type { TurnSpending } from '@inboard/core/record/usage/turn-meter.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { TokenCount } from '../session-summary.js';
import type { UsageCount } from '@inboard/core/record/usage/usage-count.js';
import type { AnswerItem } from './story-item.js';

/** Facts about the turn that its result does not contain. */
export interface TurnFacts {
  n: number;
  t: number;
  spending: TurnSpending;
  wasInterrupted: boolean;
  /** The last text of the model in the main conversation. */
  lastText: string | undefined;
}

/** The answer in a result. */
export function readAnswerItem(frame: WireObject, facts: TurnFacts): AnswerItem {
  const { n, t, spending, wasInterrupted, lastText } = facts;
  const subtype = asString(frame['subtype']) ?? '';
  const ok = isSuccess(frame);
  const errors = Array.isArray(frame['errors'])
    ? frame['errors'].filter((error) => typeof error === 'string')
    : [];
  const isInterrupted = !ok && isInterruption(frame, wasInterrupted);
  // After an interruption, the CLI's errors are diagnostics for its developers, so they are not shown.
  const text = asString(frame['result']) ?? (isInterrupted ? '' : errors.join('\n'));
  return {
    kind: 'answer',
    key: `answer ${n}`,
    n,
    t,
    depth: 0,
    text,
    isRepeated: text !== '' && text.trim() === lastText?.trim(),
    ok,
    isInterrupted,
    output: frame['structured_output'],
    subtype,
    turns: readNumber(frame['num_turns']),
    durationMs: readNumber(frame['duration_ms']),
    costUsd: typeof frame['total_cost_usd'] === 'number' ? spending.costUsd : undefined,
    tokens: toTokenCount(spending.usage),
  };
}

/** Whether a turn ended without an error. */
export function isSuccess(frame: WireObject): boolean {
  return frame['is_error'] !== true && frame['subtype'] === 'success';
}

/** Whether a turn was interrupted. Older CLIs do not report it; for them, `wasInterrupted` decides. */
export function isInterruption(frame: WireObject, wasInterrupted: boolean): boolean {
  const reason = asString(frame['terminal_reason']);
  return reason === undefined ? wasInterrupted : reason.startsWith('aborted');
}

/** The counts under the names that the page uses. */
export function toTokenCount(usage: UsageCount): TokenCount {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheCreationInputTokens,
  };
}

function readNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
