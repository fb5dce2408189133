// Compares what the views say of one session at one moment: state, time, calls, questions, turns and cost. It knows the views, and
// nothing of the events that led here.
import { wordOfState } from '../../src/model/state-words.js';
import { groupOf } from '../../src/model/fleet/session-filter.js';
import type { SessionModel } from '../../src/model/session-model.js';
import type { SessionSummary } from '../../src/model/session-summary.js';
import { isGoing } from '../../src/model/session-time.js';
import { figuresOfTurn, listOutline } from '../../src/model/story/outline.js';
import { callTimes } from '../../src/model/story/call-lines.js';
import type { CallItem, QuestionItem } from '../../src/model/story/story-item.js';
import { listRows } from '../../src/model/story/story-rows.js';
import type { SummaryLedger } from '../../src/model/summary-ledger.js';
import { spanOutcomeOf, type TimeSpan } from '../../src/model/time/time-span.js';
import { listToolEntries } from '../../src/model/tools/list-entries.js';
import type { ObservedCall } from '../../src/model/tools/tool-entry.js';

/** Two views that say different things. */
export interface Contradiction {
  kind: string;
  says: string;
}

const GOING = new Set(['starting', 'working', 'waiting']);
const OPEN = new Set(['streaming', 'asking', 'running', 'pending']);

/** All that two views say differently. `server` got the same events as `model`. */
export function findContradictions(model: SessionModel, server: SummaryLedger): Contradiction[] {
  const found: Contradiction[] = [];
  const same = (kind: string, one: unknown, other: unknown, more: unknown = ''): void => {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) found.push({ kind, says: `${a} and ${b} ${more === '' ? '' : JSON.stringify(more)}` });
  };
  const header = model.summary.read();
  const row = server.read();
  same('header, fleet row', header, row);
  checkState(same, model, row);
  checkCalls(same, model, header);
  checkTurns(same, model, header);
  return found;
}

type Same = (kind: string, one: unknown, other: unknown, more?: unknown) => void;

function checkState(same: Same, model: SessionModel, header: SessionSummary): void {
  const { state, stateText, waiting, current } = header;
  const isOn = isGoing({ now: 0, current });
  same('state, clock', GOING.has(state), isOn, { state, stateText, current });
  same('state, fleet group', state === 'waiting', groupOf(header) === 'waiting', { state, waiting });
  same('state, questions', waiting > 0 ? 'waiting' : state, state);
  same(
    'state word, what is waited for',
    wordOfState(header).word.startsWith('waiting'),
    state === 'waiting',
    wordOfState(header),
  );
  same(
    'clock of header, of timeline',
    [header.current, header.durationMs],
    [model.time.current, model.time.durationMs],
  );
  if (model.time.isOver) same('timeline is over, clock', false, isOn);

  const rows = listRows(model.story.items, () => false);
  const calls = rows.filter((item) => item.kind === 'call');
  const asks = calls.filter((call) => call.state === 'asking').length;
  const pends = calls.filter((call) => call.state === 'pending').length;
  const questions = rows.filter(
    (item): item is QuestionItem => item.kind === 'question' && item.settledT === undefined,
  );
  same('questions in header, in story', waiting, asks + pends + questions.length, {
    asks,
    pends,
    questions: questions.length,
  });
  const open = openOnTimeline(model).filter(({ kind }) => kind === 'question').length;
  same('questions in story, on timeline', asks + questions.length, open);
  const streams = rows.some((item) => (item.kind === 'text' || item.kind === 'thinking') && item.isStreaming);
  // Without a CLI, an open call that no answer is about waits until the turn goes on.
  const isOpen = ({ state, isBackground }: CallItem): boolean =>
    (header.isSuspended === true ? state === 'asking' || state === 'pending' : OPEN.has(state)) &&
    isBackground !== true;
  const works = streams || calls.some(isOpen) || questions.length > 0;
  if (works) same('story is at work, clock', works, isOn, { state, streams });

  const runs = calls.filter((call) => call.state === 'running' && call.isBackground !== true);
  const [, more] = /and (\d+) more run$/.exec(stateText) ?? [];
  const told = more !== undefined ? Number(more) + 1 : stateText.endsWith(' runs') ? 1 : 0;
  if (state === 'working' && header.isSuspended !== true)
    same('running calls in header, in story', told, runs.length, { stateText });
}

/** What lasts on the timeline, with what belongs to a call. */
function openOnTimeline(model: SessionModel): TimeSpan['activity'][] {
  return spansOf(model)
    .flatMap(({ activity, parts }) => [activity, ...parts])
    .filter(({ end }) => end === undefined);
}

function spansOf({ time }: SessionModel): TimeSpan[] {
  return time.groups.flatMap(({ model, lanes }) => [...model, ...lanes.flat()]);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  denied: 'denied',
  failed: 'failed',
  'cut off': 'cut',
  'not over': 'open',
};

function checkCalls(same: Same, model: SessionModel, { errors }: SessionSummary): void {
  const inStory = new Map(
    listRows(model.story.items, () => false).flatMap((item): [string, CallItem][] =>
      item.kind === 'call' ? [[item.toolUseId, item]] : [],
    ),
  );
  const { servers, cliTools } = model.tools.read(listToolEntries);
  const entries = [...servers.flatMap(({ tools }) => tools), ...cliTools];
  const inTools = new Map(
    entries.flatMap(({ calls }) => calls.map((call): [string, ObservedCall] => [call.toolUseId, call])),
  );
  same('calls in story, in tools', [...inStory.keys()].toSorted(), [...inTools.keys()].toSorted());
  const stateOf = ({ state }: CallItem): string => (OPEN.has(state) ? 'open' : state);
  for (const [id, { state }] of inTools) {
    const call = inStory.get(id);
    if (call)
      same('state of a call in story, in tools', stateOf(call), state === 'running' ? 'open' : state, id);
  }
  const states = [...inStory.values()].map(stateOf);
  const count = (state: string): number => states.filter((one) => one === state).length;
  same('denied calls in story, in tools', count('denied'), sum(entries.map(({ denied }) => denied)));
  same('failed calls in story, in tools', count('failed'), sum(entries.map((entry) => entry.errors)));
  same('errors in header, failed calls', errors >= count('failed'), true);

  const spans = new Map<string, TimeSpan>();
  // A call that was cut off and goes on has another bar.
  const again = new Set<string>();
  for (const span of spansOf(model).toSorted((one, other) => one.n - other.n)) {
    const id = span.activity.toolUseId;
    if (span.kind !== 'call' || id === undefined) continue;
    if (spans.has(id)) again.add(id);
    spans.set(id, span);
  }
  for (const [id, call] of inStory) {
    const span = spans.get(id);
    same('made calls in story, on timeline', call.madeT !== undefined, span !== undefined, id);
    if (!span) continue;
    same(
      'state of a call in story, on timeline',
      stateOf(call),
      OUTCOMES[spanOutcomeOf(span) ?? ''] ?? 'done',
      id,
    );
    if (again.has(id)) continue;
    const { end } = span.activity;
    same('end of a call in story, on timeline', call.endT, end, [id, call.state]);
    same('start of a call in story, on timeline', call.madeT, span.activity.start, [id, call.state]);
    if (call.endT !== undefined && inTools.get(id)?.wholeMs !== undefined)
      same('time of a call in story, in tools', callTimes(call).whole, inTools.get(id)?.wholeMs, [
        id,
        call.state,
      ]);
  }
}

function checkTurns(same: Same, model: SessionModel, header: SessionSummary): void {
  const { cost, time, story } = model;
  same('turns', [cost.turns.length, time.turns.length], [header.turns, header.turns]);
  const outline = listOutline(model);
  const last = outline.at(-1);
  same('turns in outline', outline.filter(({ number }) => number > 0).length, header.turns);
  const figures = outline.map((turn) => figuresOfTurn(model, turn, header.durationMs));
  same('errors in outline', sum(figures.map(({ errors }) => errors)), header.errors);
  const calls = listRows(story.items, () => false).filter(({ kind }) => kind === 'call');
  same('calls in outline', sum(figures.map((each) => each.calls)), calls.length);
  const isOpen = cost.turns.at(-1)?.isOver === false;
  if (isOpen && last?.answer) same('open turn in cost, in outline', isOpen, false);
  same('cost', cost.totalUsd, header.costUsd);
  same('tokens', cost.tokens, header.tokens);
  const answers = story.items.filter((item) => item.kind === 'answer');
  const answer = answers.at(-1);
  const turn = cost.turns.findLast(({ isOver }) => isOver);
  if (answer && turn && turn.n === answer.n)
    same(
      'cost of the last turn in story, in cost',
      [answer.costUsd, answer.tokens],
      [turn.costUsd, turn.tokens],
    );
  const told = sum(answers.map(({ costUsd = 0 }) => costUsd));
  same('sum of costs in story', Math.abs(told - (header.costUsd ?? 0)) < 1e-9, true);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
