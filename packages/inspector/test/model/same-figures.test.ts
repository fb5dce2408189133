// One figure, one definition: whatever a session's events are, and however many of them have come, no two views say
// different things about it.
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { isRecord } from '@inboard/core/util/guards.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { buildTimeline } from '@inboard/core/record/trace/timeline/timeline.js';
import type { Trace, TraceEnd, TraceHeader, TraceStep } from '@inboard/core/record/trace/trace-event.js';
import { addTokens, noTokens } from '../../src/model/cost/cost-types.js';
import { SessionModel } from '../../src/model/session-model.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import { readFleetFigures } from '../../src/model/fleet/fleet-figures.js';
import { figuresOfTurn, listOutline } from '../../src/model/story/outline.js';
import { callTimes } from '../../src/model/story/call-lines.js';
import type { CallItem, StoryItem } from '../../src/model/story/story-item.js';
import { listRows } from '../../src/model/story/story-rows.js';
import { listToolEntries } from '../../src/model/tools/list-entries.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { propertyOptions } from '../../../../test/support/seed.js';
import { makeManyCalls, makeLiveSession, readFixture } from '../support/make-events.js';
import { makeRandomSession, randomSteps } from '../support/random-session.js';

const countStates = (states: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

/** The states of calls in the story. While a call is open, the story says more about it than other views do. */
function storyCalls(items: readonly StoryItem[]): string[] {
  const open = new Set(['streaming', 'asking', 'running', 'pending']);
  return listRows(items, () => false).flatMap((item) =>
    item.kind === 'call' ? [open.has(item.state) ? 'running' : item.state] : [],
  );
}

function toolCalls(model: SessionModel): string[] {
  const { servers, cliTools } = model.tools.read(listToolEntries);
  const listed = [...servers.flatMap(({ tools }) => tools), ...cliTools];
  return listed.flatMap(({ calls }) => calls.map(({ state }) => state));
}

/** The cards that are open, by the id of their question, and whether each is of a pending call. */
class OpenCards {
  readonly #cards = new Map<string, { toolUseId: string | undefined; isPending: boolean }>();

  push({ event }: NumberedEvent): void {
    if (event.type === 'asked') {
      const { id, toolUseId, kind } = event.question;
      this.#cards.set(id, { toolUseId, isPending: kind === 'pending' });
    }
    if (event.type === 'settled') this.#cards.delete(event.id);
    if (event.type === 'over') this.#cards.clear();
  }

  /** What the time counts for while there is no CLI; undefined if there is no card. */
  get share(): 'permission' | 'code' | undefined {
    const cards = [...this.#cards.values()];
    if (cards.length === 0) return undefined;
    return cards.every(({ isPending }) => isPending) ? 'code' : 'permission';
  }

  /** The open calls of a story that have a card. */
  callsOf(items: readonly StoryItem[]): string[] {
    const asked = new Set(Array.from(this.#cards.values(), ({ toolUseId }) => toolUseId));
    const open = new Set(['asking', 'running', 'pending', 'streaming']);
    return listRows(items, () => false).flatMap((item) =>
      item.kind === 'call' && open.has(item.state) && asked.has(item.toolUseId) ? [item.toolUseId] : [],
    );
  }
}

/** The trace of the events so far; undefined if they are not those of one CLI. */
function traceOf(events: readonly NumberedEvent[]): Trace | undefined {
  const all = events.map(({ event }) => event);
  const [header, ...more] = all.filter(({ type }) => type === 'header');
  const end = all.findIndex(({ type }) => type === 'end');
  const isOne = header && more.length === 0 && (end < 0 || end === all.length - 1);
  if (!isOne || all.some(({ type }) => type === 'over')) return undefined;
  const steps = all.filter(({ type }) => type !== 'opened' && type !== 'header' && type !== 'end');
  return {
    header: header as TraceHeader,
    steps: steps as TraceStep[],
    end: end < 0 ? undefined : (all[end] as TraceEnd),
    problems: [],
  };
}

/** Compares the outline with the header and with the rest of the story. */
function checkOutline(model: SessionModel, at: string): void {
  const header = model.summary.read();
  const outline = listOutline(model);
  const figures = outline.map((turn) => figuresOfTurn(model, turn, header.durationMs));
  expect(outline.map(({ number }) => number).filter(Boolean), `outline ${at}`).toEqual(
    Array.from({ length: header.turns }, (_, index) => index + 1),
  );
  const sum = (name: 'calls' | 'errors'): number => figures.reduce((all, one) => all + one[name], 0);
  expect(sum('errors'), `outline's errors ${at}`).toBe(header.errors);
  expect(sum('calls'), `outline's calls ${at}`).toBe(storyCalls(model.story.items).length);
  for (const [index, { entries }] of outline.entries())
    expect(entries.filter(({ kind }) => kind === 'call').length, `outline's entries ${at}`).toBe(
      figures[index]?.calls,
    );
  // Each end of a turn in the story is that of one turn here, which took as long.
  const answers = model.story.items.filter((item) => item.kind === 'answer');
  expect(
    outline.flatMap(({ answer }) => answer ?? []),
    `outline's ends ${at}`,
  ).toEqual(answers);
  for (const [index, { answer }] of outline.entries())
    if (answer) expect(figures[index]?.durationMs, `outline's times ${at}`).toBe(answer.durationMs);
  expect(Math.min(0, ...figures.flatMap(({ errors, durationMs }) => [errors, durationMs]))).toBe(0);
}

/**
 * How long calls took that have ended with a result, in story, timeline and tools. Of a call that was cut off with its CLI and completed
 * later, the timeline draws the time up to the cut; and no CLI gives a call two results.
 */
function callTimesOf(
  model: SessionModel,
  results: ReadonlyMap<unknown, number>,
): Record<'story' | 'timeline' | 'tools', Map<string, number>> {
  const ended = listRows(model.story.items, () => false).filter(
    (item) => item.kind === 'call' && ['done', 'failed'].includes(item.state) && !item.isBackground,
  ) as CallItem[];
  const spans = model.time.groups.flatMap(({ lanes }) => lanes.flat()).filter(({ kind }) => kind === 'call');
  const cut = new Set(spans.flatMap(({ activity }) => (activity.isCut ? [activity.toolUseId] : [])));
  // Of a call that was made before the events began, no view says how long it took.
  const known = ended.filter(
    ({ madeT, toolUseId }) => madeT !== undefined && !cut.has(toolUseId) && results.get(toolUseId) === 1,
  );
  const story = new Map(known.map((item) => [item.toolUseId, callTimes(item).whole ?? -1]));
  const only = (entries: [string, number][]) => new Map(entries.filter(([id]) => story.has(id)));
  const { servers, cliTools } = model.tools.read(listToolEntries);
  const listed = [...servers.flatMap(({ tools }) => tools), ...cliTools].flatMap(({ calls }) => calls);
  return {
    story,
    timeline: only(
      spans.map(({ start, activity }) => [activity.toolUseId ?? '', (activity.end ?? -1) - start]),
    ),
    tools: only(listed.map(({ toolUseId, wholeMs }) => [toolUseId, wholeMs ?? -1])),
  };
}

/** Compares everything that two views show, after each event. */
function checkPrefixes(events: readonly NumberedEvent[], isOnWire: boolean): void {
  const model = new SessionModel('s1');
  const server = new SummaryLedger('s1');
  const cards = new OpenCards();
  const results = new Map<unknown, number>();
  for (const [index, event] of events.entries()) {
    cards.push(event);
    const waiting = cards.callsOf(model.story.items);
    model.push(event);
    server.push(event);
    const header = model.summary.read();
    const { cost, time, story } = model;
    const at = `after event ${index + 1}, ${event.event.type}`;

    // The fleet's row is made by the server, the header by the page.
    expect(server.read(), at).toEqual(header);

    expect([cost.turns.length, time.turns.length], `turns ${at}`).toEqual([header.turns, header.turns]);
    const numbered = story.items.flatMap((item) => (item.kind === 'prompt' && item.turn ? [item.turn] : []));
    expect(numbered, `turns ${at}`).toEqual([...new Set(numbered)].filter((turn) => turn <= header.turns));

    expect(cost.tokens, `tokens ${at}`).toEqual(header.tokens);
    const rows = cost.turns.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens());
    if (cost.turns.at(-1)?.isOver === false) expect(rows, `tokens ${at}`).toEqual(header.tokens);

    expect(cost.totalUsd, `cost ${at}`).toBe(header.costUsd);
    expect(cost.turns.at(-1)?.totalUsd, `cost ${at}`).toBe(header.costUsd);
    const answers = story.items.flatMap((item) => (item.kind === 'answer' ? [item.costUsd ?? 0] : []));
    expect(
      answers.reduce((sum, one) => sum + one, 0),
      `cost ${at}`,
    ).toBeCloseTo(header.costUsd ?? 0, 9);

    expect([time.durationMs, time.shares(), time.current], `time ${at}`).toEqual([
      header.durationMs,
      header.shares,
      header.current,
    ]);
    const tally = time.tally();
    expect(Object.fromEntries(tally.map(({ share, ms }) => [share, ms])), `time ${at}`).toEqual(
      header.shares,
    );

    // No occurrence of a share is longer than the share.
    for (const { share, ms, longest } of tally)
      expect(longest?.ms ?? 0, `longest of ${share} ${at}`).toBeLessThanOrEqual(ms);

    const calls = countStates(storyCalls(story.items));
    expect(countStates(toolCalls(model)), `calls ${at}`).toEqual(calls);
    // A denied call did not run, so no view counts it among those that did.
    const ran = toolCalls(model).filter((state) => state !== 'denied').length;
    expect(tally.find(({ share }) => share === 'cliTools')?.count, `calls ${at}`).toBeLessThanOrEqual(ran);

    const frame = 'frame' in event.event && isRecord(event.event.frame) ? event.event.frame : {};
    for (const { tool_use_id: id } of blocksOf(frame)) results.set(id, (results.get(id) ?? 0) + 1);
    const times = callTimesOf(model, results);
    expect(times.tools, `times of calls in the tools ${at}`).toEqual(times.story);
    expect(times.timeline, `times of calls on the timeline ${at}`).toEqual(times.story);
    checkOutline(model, at);
    expect(readFleetFigures(server.read()), `fleet ${at}`).toMatchObject({
      turns: header.turns,
      errors: header.errors,
      waiting: header.waiting,
      durationMs: header.durationMs,
      costUsd: header.costUsd,
      tokens: Object.values(header.tokens).reduce((sum, one) => sum + one, 0),
    });

    // What has a card needs no CLI: it waits on when the CLI ends.
    if (event.event.type === 'end' || event.event.type === 'suspended') {
      expect(cards.callsOf(story.items), `waiting calls ${at}`).toEqual(expect.arrayContaining(waiting));
      if (event.event.type === 'end' && cards.share) expect(header.current, `time ${at}`).toBe(cards.share);
    }

    // A trace is read from its beginning each time, so of a long one not every part is.
    const isLooked = isOnWire && (events.length < 100 || index % 10 === 0);
    const trace = isLooked ? traceOf(events.slice(0, index + 1)) : undefined;
    if (!trace) continue;
    const { totals } = buildTimeline(trace);
    expect([totals.errors, totals.shares], `trace ${at}`).toEqual([header.errors, header.shares]);
  }
}

describe('the figures of a session', () => {
  it.each([true, false])('are the same in every view, after each event (beside the wire: %s)', (isLive) => {
    fc.assert(
      fc.property(randomSteps, (steps) => checkPrefixes(makeRandomSession(steps, { isLive }), !isLive)),
      propertyOptions(150),
    );
  });

  it.each(['story', 'marks', 'old'])('of the recorded session "%s" are', (name) => {
    checkPrefixes(readFixture(name), true);
  });

  it('of a live session, and of one with many calls, are', () => {
    checkPrefixes(makeLiveSession(), false);
    checkPrefixes(makeManyCalls(40), false);
  });
});
