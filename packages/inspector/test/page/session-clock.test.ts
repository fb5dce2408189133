// The clock of the page: the time of a session goes on while a person is awaited, in every view alike.
import { describe, expect, it } from 'vitest';
import { followTime } from '../../src/page/views/timeline/follow-time.js';
import { TimelineState } from '../../src/page/views/timeline/timeline-state.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import { encodeNumbered } from '../../src/stream/event-codec.js';
import { EventMaker } from '../support/make-events.js';
import { begin, ManualSource, settle } from '../support/page-store.js';

const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'rm -r build' } };

/** A session that has waited for a person since its last event, which was 25 seconds before the page asks. */
function waitingSource() {
  const maker = new EventMaker().open().prompt('Clean up.').init().wait(500).assistant(CALL);
  maker.asks('q', { subtype: 'can_use_tool', tool_name: 'Bash', input: CALL.input, tool_use_id: CALL.id });
  maker.asked({ id: 'q', toolUseId: CALL.id, subject: 'Bash' });
  const source = new ManualSource();
  const ledger = new SummaryLedger('s1');
  for (const event of maker.events) ledger.push(event);
  source.lines.set('s1', maker.events.map(encodeNumbered));
  source.sessions.push({ ...ledger.read(), now: ledger.read().durationMs + 25_000 });
  return { source, asked: maker.t - 2, last: ledger.read().durationMs };
}

async function open(isCalm = false) {
  const { source, asked, last } = waitingSource();
  const { store, scheduler, end } = await begin(source);
  scheduler.isCalm = isCalm;
  source.open.listener.connection('live');
  await settle();
  return { source, store, scheduler, end, asked, last };
}

describe('the time of a session that waits for a person', () => {
  it('goes on from the last event, not from the moment at which the page or a view was opened', async () => {
    const { store, scheduler, end, asked, last } = await open();
    expect(store.figures.value?.durationMs).toBeCloseTo(last + 25_000);
    await scheduler.pass(250);
    expect(store.figures.value?.shares.permission).toBeCloseTo(last - asked + 25_250);

    await scheduler.pass(250);
    const { model, revision } = store.load('s1');
    const state = new TimelineState(model.time, revision);
    const stop = followTime(store, 's1', state);
    expect(state.now.value).toBe(store.figures.value?.durationMs);
    const [, you] = model.time.tally(state.now.value);
    expect(you).toMatchObject({ share: 'permission', count: 1 });
    expect(you?.ms).toBeCloseTo(store.figures.value?.shares.permission ?? 0);
    expect(you?.longest?.ms).toBeCloseTo(you?.ms ?? 0);
    stop();
    end();
  });

  it('is the same in the header and in the fleet', async () => {
    const { store, scheduler, end } = await open();
    await scheduler.pass(250);
    const [row] = store.sessions.value.map((session) => store.clock.summaryNow(session));
    const { durationMs, shares } = store.figures.value ?? {};
    expect(row).toMatchObject({ durationMs, shares });
    end();
  });

  it('is that of its card, whatever the clock of the reader says', async () => {
    const { store, scheduler, end, asked } = await open();
    await scheduler.pass(250);
    const { value: figures } = store.figures;
    const askedAt = Date.parse('2026-11-16T09:00:00.000Z') + asked;
    const wait = figures && store.clock.waitOf(figures, askedAt);
    expect(wait).toBeCloseTo(figures?.shares.permission ?? 0);
    expect(wait).toBeGreaterThan(25_000);
    expect(figures && store.clock.waitOf({ ...figures, startedAt: '' }, askedAt)).toBeUndefined();
    end();
  });

  it('is counted once a second if the reader prefers reduced motion', async () => {
    const { store, scheduler, end, last } = await open(true);
    await scheduler.pass(250);
    const first = store.figures.value?.durationMs;
    for (let quarter = 0; quarter < 4; quarter += 1) await scheduler.pass(250);
    expect(first).toBeCloseTo(last + 25_000);
    expect(store.figures.value?.durationMs).toBeGreaterThanOrEqual(last + 26_000);
    end();
  });

  it('stands still without a connection, and at the last event when the session is over', async () => {
    const { source, store, scheduler, end, last } = await open();
    source.open.listener.connection('lost');
    await scheduler.pass(5000);
    expect(store.figures.value?.durationMs).toBeLessThan(last + 25_500);
    const [summary] = source.sessions;
    if (summary)
      source.open.listener.summary({
        ...summary,
        state: 'ended',
        current: 'idle',
        now: undefined,
        events: 99,
      });
    expect(store.figures.value?.durationMs).toBe(last);
    end();
  });
});
