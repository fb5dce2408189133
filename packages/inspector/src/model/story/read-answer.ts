// Reads the result of a turn as an item of the story.
import { asString } from '@inboard/core/util/guards.js';
import { isInterruption, isSuccess } from '@inboard/core/record/trace/timeline/tool-outcome.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { MeteredTurn } from '../facts/token-meter.js';
import type { AnswerItem } from './story-item.js';

/** Facts about the turn that its result does not contain. */
export interface TurnFacts {
  n: number;
  t: number;
  used: MeteredTurn;
  /** How long it took, given the time that its result reports. */
  timeOf: (reported: number) => number;
  wasInterrupted: boolean;
  /** The last text of the model in the main conversation. */
  lastText: string | undefined;
}

/** The answer in a result. */
export function readAnswerItem(frame: WireObject, facts: TurnFacts): AnswerItem {
  const { n, t, used, timeOf, wasInterrupted, lastText } = facts;
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
    durationMs: timeOf(readNumber(frame['duration_ms'])),
    costUsd: used.costUsd,
    tokens: used.tokens,
  };
}

function readNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
