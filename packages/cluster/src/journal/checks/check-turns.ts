// The rules about turns, events and answers: turns end once and in order, events are numbered without gaps, and a question is
// answered once.
import { canonicalJson } from '@inboard/core/util/canonical-json.js';
import type { HistoryRule } from './history-rule.js';
import type { ClusterEvent, ConversationHistory, TurnRecord } from '../records.js';

type TurnEvent = Extract<ClusterEvent, { type: 'turn' }>;

/** G1 and G2: every turn has ended with a named outcome, and exactly one event says so. */
export const checkTurns: HistoryRule = function* ({ turns, events }, { settled = true, pruned = false }) {
  for (const turn of turns) {
    const { id, state, outcome } = turn;
    const told = events.filter(isTurnEvent).filter((event) => event.turn === id);
    const ends = told.filter((event) => event.state === 'ended');
    if (state !== 'ended') {
      if (settled)
        yield {
          promise: 'G1',
          what: `The turn "${id}" is ${state} and has not ended.`,
          rows: [turn, ...told],
        };
      if (ends.length > 0)
        yield {
          promise: 'G2',
          what: `The turn "${id}" is ${state}, but an event says that it has ended.`,
          rows: [turn, ...ends],
        };
      continue;
    }
    if (!outcome?.kind)
      yield { promise: 'G1', what: `The turn "${id}" has ended, but has no outcome.`, rows: [turn] };
    if (ends.length > 1)
      yield { promise: 'G2', what: `The turn "${id}" has ended ${ends.length} times.`, rows: ends };
    if (ends.length === 0 && !pruned)
      yield {
        promise: 'G2',
        what: `The turn "${id}" has ended, but no event says so.`,
        rows: [turn, ...told],
      };
    const [end] = ends;
    if (!end) continue;
    if (canonicalJson(end.outcome) !== canonicalJson(outcome)) {
      yield { promise: 'G2', what: `The turn "${id}" has ended in two ways.`, rows: [turn, end] };
    }
    const later = told.filter((event) => event.id > end.id);
    if (later.length > 0)
      yield { promise: 'G2', what: `The turn "${id}" continued after its end.`, rows: [end, ...later] };
  }
};

/** G3: places are counted from 1, and no turn begins before all earlier ones have ended. */
export const checkOrder: HistoryRule = function* ({ turns, events }, { pruned = false }) {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  for (const [at, turn] of turns.entries()) {
    if (turn.place !== at + 1)
      yield {
        promise: 'G3',
        what: `The turn "${turn.id}" is number ${at + 1}, but has place ${turn.place}.`,
        rows: [turn],
      };
  }
  const ended = new Set<TurnRecord>();
  for (const event of events.filter(isTurnEvent)) {
    const turn = byId.get(event.turn);
    if (!turn) {
      yield {
        promise: 'G1',
        what: `An event reports a turn "${event.turn}" that is missing.`,
        rows: [event],
      };
      continue;
    }
    if (event.state === 'ended') ended.add(turn);
    if (event.state !== 'running' || pruned) continue;
    const before = turns.filter((other) => other.place < turn.place && !ended.has(other));
    if (before.length > 0)
      yield {
        promise: 'G3',
        what: `The turn "${turn.id}" ran before an earlier one had ended.`,
        rows: [event, ...before],
      };
  }
};

/** G13: the number of each event is one more than that of the previous event. */
export const checkEvents: HistoryRule = function* ({ conversation, events }, { pruned = false }) {
  let last = 0;
  for (const event of events) {
    const isNext = pruned ? event.id > last : event.id === last + 1;
    if (!isNext) yield { promise: 'G13', what: `After the event ${last} comes ${event.id}.`, rows: [event] };
    last = event.id;
  }
  if (conversation.lastEventId < last || (!pruned && conversation.lastEventId !== last)) {
    yield {
      promise: 'G13',
      what: `The newest event is ${last}, but the conversation says ${conversation.lastEventId}.`,
      rows: [conversation],
    };
  }
};

/** G11: no question was answered twice, and each answer that an event reports is stored. */
export const checkAnswers: HistoryRule = function* (
  { events, questions },
  { pruned = false }: { pruned?: boolean | undefined },
) {
  for (const question of questions) {
    const told = events.filter((event) => event.type === 'answer' && event.question === question.id);
    if (told.length > 1)
      yield {
        promise: 'G11',
        what: `The question "${question.id}" was answered ${told.length} times.`,
        rows: told,
      };
    if (!question.answer && told.length > 0)
      yield { promise: 'G11', what: `The answer to "${question.id}" is lost.`, rows: [question, ...told] };
    if (question.answer && told.length === 0 && !pruned)
      yield {
        promise: 'G11',
        what: `The question "${question.id}" has an answer that no event reports.`,
        rows: [question],
      };
  }
};

function isTurnEvent(event: ConversationHistory['events'][number]): event is TurnEvent {
  return event.type === 'turn';
}
