// Begins a turn: looks for it in the transcript, and reports how it begins. Also decides when a failed turn is tried again.
import { pauseBefore } from '@inboard/core/util/back-off.js';
import type { HeldSessionStart } from '@inboard/durable/attempt/held-session.js';
import { findTurn } from '@inboard/durable/attempt/turn-start.js';
import type { TurnOutcome, TurnRecord } from '../../journal/records.js';
import type { LeasedTurn } from './leased-turn.js';
import type { RunContext } from './run-context.js';
import { countFound } from './turn-admission.js';
import { foundOutcome, lostOutcome } from './turn-outcomes.js';

/**
 * Reads the transcript. Returns how the turn ended, or how a CLI takes it up. What earlier attempts have cost is added to the
 * turn's cost.
 */
export async function readTranscript(
  state: LeasedTurn,
): Promise<{ outcome: TurnOutcome } | { start: HeldSessionStart }> {
  const { record: turn } = state;
  const { store, conversation } = state.context;
  if (turn.attempt > 1) await countFound(state);
  const found = findTurn((await store.loadMain(conversation.sessionId)) ?? [], turn.uuid);
  switch (found.found) {
    case 'answered':
      return { outcome: foundOutcome(turn, found) };
    case 'stopped':
      return { outcome: foundOutcome(turn, 'stopped') };
    case 'passed':
      return { outcome: lostOutcome(turn) };
    default:
      return { start: found.found };
  }
}

/** Reports that a turn has begun, and how. */
export function tellStart({ host }: RunContext, turn: TurnRecord, how: 'new' | 'continued' | 'found'): void {
  const { key, id, attempt, sentAt, startedAt } = turn;
  const queuedMs = Math.max(0, (startedAt ?? sentAt) - sentAt);
  host.emit({ type: 'turn-started', key, turn: id, attempt, how, queuedMs });
}

const PAUSES = { firstMs: 250, longestMs: 30_000 };

/** Milliseconds before a failed turn is tried again. They are doubled each time, up to half a minute. */
export function pauseBeforeRetry({ tries }: TurnRecord): number {
  return pauseBefore(tries - 1, PAUSES);
}
