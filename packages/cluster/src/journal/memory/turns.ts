// The methods of the journal in memory with which the owner of a lease takes, ends and parks turns.
import type { FinishedTurn, Journal, TurnFinish } from '../journal.js';
import type { Fence, TurnRecord } from '../records.js';
import { endStoredTurn } from './end-turn.js';
import { addEvent, addTurnEvent } from './events.js';
import { isOver, requireFence, requireValidFence } from './fence.js';
import { whyNot } from './leases.js';
import { countCost } from './limits.js';
import { findHeadTurn, requireTurn, type MemoryState } from './memory-state.js';
import { dropReservation } from './reservations.js';
import { requireUnderWay } from './under-way.js';

/** `Journal.next`. */
export function next(state: MemoryState, fence: Fence): TurnRecord | undefined {
  const conversation = requireValidFence(state, fence);
  const turn = findHeadTurn(conversation);
  if (!turn || turn.state === 'parked') return undefined;
  if (turn.state === 'queued' && whyNot(state, conversation)) return undefined;
  if (turn.state === 'running' && turn.epoch === fence.epoch) return turn;
  turn.state = 'running';
  turn.attempt += 1;
  turn.tries += 1;
  turn.epoch = fence.epoch;
  turn.startedAt ??= state.now();
  addTurnEvent(state, conversation, turn, fence.epoch);
  return turn;
}

/** `Journal.finish`. */
export function finish(
  state: MemoryState,
  fence: Fence,
  id: string,
  { outcome, events = [] }: TurnFinish,
): boolean {
  const conversation = requireFence(state, fence);
  const turn = requireTurn(conversation, id);
  if (turn.state === 'ended') return false;
  requireUnderWay(conversation, turn);
  for (const event of events) addEvent(state, conversation, { ...event, epoch: fence.epoch });
  endStoredTurn(state, conversation, turn, { epoch: fence.epoch, outcome });
  return true;
}

/** `Journal.finishAndNext`. */
export function finishAndNext(state: MemoryState, fence: Fence, id: string, end: TurnFinish): FinishedTurn {
  const ended = finish(state, fence, id, end);
  // A lease that has expired gets no other turn, but the turn that was just finished stays ended.
  return { ended, next: isOver(state, requireFence(state, fence)) ? undefined : next(state, fence) };
}

/** `Journal.park`. */
export function park(
  state: MemoryState,
  fence: Fence,
  id: string,
  { questions, turnCostUsd }: Parameters<Journal['park']>[2],
): boolean {
  const conversation = requireFence(state, fence);
  const turn = requireTurn(conversation, id);
  if (turn.state !== 'running' || turn.stop || questions.length === 0) return false;
  const isOpen = (question: string): boolean => {
    const found = state.questions.get(question);
    return found?.conversation === fence.key && found.turn === id && !found.answer;
  };
  if (!questions.every(isOpen)) return false;
  countCost(state, conversation, turn, turnCostUsd);
  turn.state = 'parked';
  turn.tries -= 1;
  addTurnEvent(state, conversation, turn, fence.epoch);
  dropReservation(state, conversation);
  return true;
}
