// The page's store: what it looks at first, how it reads history, and that broken connections lose and double nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { effect } from '@preact/signals';
import { SessionModel } from '../src/model/session-model.js';
import { SourceFailure } from '../src/page/source/source-failure.js';
import { mostUrgent } from '../src/page/store/store.js';
import type { NumberedEvent } from '../src/stream/inspector-event.js';
import type { Question } from '../src/stream/question.js';
import { numberOf } from '../src/stream/event-codec.js';
import { begin, ManualSource, settle, summaryOf, UNREACHABLE } from './support/page-store.js';

/** The numbers of the events that reached the model of a session, in order. */
let taken: Map<string, number[]>;

/** Takes the place of a model's reading; a spy of vitest would keep every call, which is slow for tens of thousands. */
function replacePush(push: (this: SessionModel, event: NumberedEvent) => void): void {
  Object.defineProperty(SessionModel.prototype, 'push', { value: push, configurable: true, writable: true });
}
const own = Object.getOwnPropertyDescriptor(SessionModel.prototype, 'push')?.value as (
  this: SessionModel,
  event: NumberedEvent,
) => void;

beforeEach(() => {
  taken = new Map();
  replacePush(function (event) {
    const numbers = taken.get(this.id) ?? [];
    numbers.push(event.n);
    taken.set(this.id, numbers);
    own.call(this, event);
  });
});
afterEach(() => replacePush(own));

const numbersOf = (source: ManualSource, session: string): number[] =>
  (source.lines.get(session) ?? []).map(numberOf);

const question = (id: string, session = 'one'): Question => ({
  id,
  session,
  kind: 'permission',
  subject: 'Bash',
  title: 'Bash wants to run',
  input: {},
  hidden: [],
  suggestions: [],
  askedAt: 0,
  attempt: 1,
  canAnswer: true,
});

describe('where a page begins', () => {
  it('is the story of the only session', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    const { store } = await begin(source);
    expect([store.selected.value, store.view.value]).toEqual(['one', 'story']);
    expect(store.current.value?.model.last).toBe(3);
  });

  it('is the fleet when there are several', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    source.add('two', 3);
    const { store } = await begin(source);
    expect([store.selected.value, store.view.value]).toEqual([undefined, 'fleet']);
    expect(store.isReady.value).toBe(true);
    expect(source.reads).toEqual([]);
  });

  it('is what the address says', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    source.add('two', 3);
    const { store } = await begin(source, '#view=wire&session=two&event=5&with=one');
    expect([store.selected.value, store.view.value, store.compared.value]).toEqual(['two', 'wire', 'one']);
    expect(store.shownEvent.value).toEqual({ session: 'two', n: 5 });
  });

  it('passes over an address that leads nowhere any more', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    const { store } = await begin(source, '#view=cost&session=gone&event=5&with=gone');
    expect([store.selected.value, store.view.value, store.compared.value]).toEqual([
      'one',
      'cost',
      undefined,
    ]);
    expect(store.shownEvent.value).toBeUndefined();
  });

  it('is ready without any session, and looks at the first that begins', async () => {
    const source = new ManualSource();
    const { store } = await begin(source);
    expect([store.isReady.value, store.selected.value]).toEqual([true, undefined]);
    source.add('first', 2);
    source.open.listener.summary(summaryOf('first'));
    await settle();
    expect(store.selected.value).toBe('first');
    expect(taken.get('first')).toEqual([1, 2]);
  });
});

describe('reading history', () => {
  it('takes every event once, in parts, and says how far it is', async () => {
    const source = new ManualSource();
    source.add('one', 10_000);
    const steps: number[] = [];
    const { store } = await begin(source);
    effect(() => {
      steps.push(store.current.value?.progress.value ?? 0);
    });
    for (let round = 0; round < 20; round += 1) await settle();
    expect(taken.get('one')).toEqual(numbersOf(source, 'one'));
    expect(store.current.value?.progress.value).toBe(1);
    expect(source.reads.length).toBeGreaterThan(2);
    expect(source.reads[0]?.limit).toBeLessThan(source.reads[1]?.limit as number);
    expect(source.open).toMatchObject({ session: 'one', after: 10_000 });
  });

  it('lets the page breathe: about 8 ms of work at a time, and one redrawing for all of it', async () => {
    const source = new ManualSource();
    source.add('one', 400);
    const { store, scheduler } = await begin(source, '', 2);
    for (let round = 0; round < 5; round += 1) await settle();
    // 400 events, a look every 16, 2 ms each: a pause after every fourth or fifth look.
    expect(scheduler.pauses).toBeGreaterThanOrEqual(4);
    expect(scheduler.pauses).toBeLessThanOrEqual(7);
    expect(scheduler.frame()).toBe(1);
    expect(store.current.value?.revision.value).toBe(1);
  });

  it('raises the revision once for all that came before a drawing', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    const { store, scheduler } = await begin(source);
    scheduler.frame();
    const before = store.current.value?.revision.value as number;
    for (const line of source.add('one', 50)) source.open.listener.event(line);
    expect(store.current.value?.revision.value).toBe(before);
    scheduler.frame();
    expect(store.current.value?.revision.value).toBe(before + 1);
  });

  it('tells views seldom of a long history while it is read, and of its end', async () => {
    const source = new ManualSource();
    source.add('one', 4000);
    // A look at the clock every 16 events, 1 ms each: about 250 ms in all.
    const { store, scheduler } = await begin(source, '', 1);
    let told = scheduler.frame();
    for (let round = 0; round < 60; round += 1) {
      await settle();
      told += scheduler.frame();
    }
    expect(taken.get('one')?.length).toBe(4000);
    expect(told).toBeGreaterThanOrEqual(2);
    expect(told).toBeLessThanOrEqual(4);
    expect(store.current.value?.revision.value).toBe(told);
  });

  it('hears of questions while a long history is still being read', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    let go = (): void => {};
    const read = source.read.bind(source);
    source.read = async (...given) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return await read(...given);
    };
    const { store, scheduler } = await begin(source);
    await scheduler.pass(300);
    source.open.listener.asked(question('q1'));
    expect(source.open.session).toBeUndefined();
    expect(store.questions.value).toHaveLength(1);
    go();
    await settle();
    expect(source.open.session).toBe('one');
    expect(taken.get('one')).toEqual([1, 2, 3]);
  });

  it('reads on when a session is looked at again, and follows only that', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    source.add('two', 3);
    const { store } = await begin(source, '#session=one');
    store.open('two');
    await settle();
    source.add('one', 4);
    store.open('one');
    await settle();
    expect(taken.get('one')).toEqual(numbersOf(source, 'one'));
    expect(source.open).toMatchObject({ session: 'one', after: 10 });
  });

  it('reads the session beside on when its summary says that there is more', async () => {
    const source = new ManualSource();
    source.add('one', 3);
    source.add('two', 3);
    const { store } = await begin(source, '#session=one');
    store.compared.value = 'two';
    await settle();
    source.add('two', 2);
    source.open.listener.summary(summaryOf('two', { events: 5 }));
    await settle();
    expect(taken.get('two')).toEqual(numbersOf(source, 'two'));
  });
});

describe('broken connections', () => {
  it('lose and double nothing, whatever they repeat and in whatever order they end', async () => {
    const source = new ManualSource();
    source.add('one', 5);
    const { store } = await begin(source);
    const first = source.open;
    const early = source.add('one', 4);
    for (const line of early.slice(0, 2)) first.listener.event(line);
    first.listener.connection('lost');
    expect(store.connection.value).toBe('lost');

    // The source connects again by itself and repeats what it is not sure of.
    first.listener.connection('live');
    for (const line of [...early, ...early]) first.listener.event(line);
    expect(store.connection.value).toBe('live');

    // The reader goes elsewhere and back; what the old connection still says is not listened to.
    store.open('one', 'wire');
    store.selected.value = undefined;
    await settle();
    store.selected.value = 'one';
    await settle();
    const late = source.add('one', 3);
    first.listener.event(late[2] as string);
    first.listener.connection('gone');
    for (const line of late) source.open.listener.event(line);
    expect(taken.get('one')).toEqual(numbersOf(source, 'one'));
    expect(store.connection.value).toBe('live');
  });

  it('leave out lines that are no events, and those of other sessions', async () => {
    const source = new ManualSource();
    source.add('one', 2);
    await begin(source);
    source.open.listener.event('{"n":');
    source.open.listener.event('{"n":3,"s":"two","type":"warning","t":1}');
    expect(taken.get('one')).toEqual([1, 2]);
  });

  it('are tried again while history is read: from where it was', async () => {
    const source = new ManualSource();
    source.add('one', 9000);
    const read = source.read.bind(source);
    let count = 0;
    source.read = async (...given) => {
      count += 1;
      if (count === 3) throw UNREACHABLE();
      return await read(...given);
    };
    const { store, scheduler } = await begin(source);
    for (let round = 0; round < 10; round += 1) await settle();
    expect(store.connection.value).toBe('lost');
    expect(taken.get('one')?.length).toBe(1900);
    await scheduler.pass(500);
    for (let round = 0; round < 10; round += 1) await settle();
    expect(taken.get('one')).toEqual(numbersOf(source, 'one'));
  });

  it('are called gone when nobody answers for longer, and mend all the same', async () => {
    const source = new ManualSource();
    source.add('one', 2);
    source.failures = [UNREACHABLE(), UNREACHABLE(), UNREACHABLE()];
    const { store, scheduler } = await begin(source);
    expect(store.connection.value).toBe('lost');
    await scheduler.pass(500);
    await scheduler.pass(1000);
    expect(store.connection.value).toBe('gone');
    await scheduler.pass(2000);
    expect(taken.get('one')).toEqual([1, 2]);
    source.open.listener.connection('live');
    expect(store.connection.value).toBe('live');
  });

  it('are not tried again when the server refuses', async () => {
    const source = new ManualSource();
    source.failures = [new SourceFailure('refused', 'no')];
    const { store, scheduler } = await begin(source);
    expect(store.connection.value).toBe('refused');
    await scheduler.pass(60_000);
    expect(store.state.value).toBeUndefined();
  });

  it('keep what was read, and questions as the server has them now', async () => {
    const source = new ManualSource();
    source.add('one', 2);
    source.questions = [question('q1'), question('q2')];
    const { store } = await begin(source);
    source.open.listener.settled('one', 'q1');
    source.open.listener.asked(question('q3'));
    source.open.listener.asked(question('q3'));
    expect(store.questions.value.map(({ id }) => id)).toEqual(['q2', 'q3']);
    source.open.listener.connection('lost');
    expect(store.current.value?.model.last).toBe(2);
    source.questions = [question('q4')];
    source.open.listener.state(source.serverState);
    expect(store.questions.value.map(({ id }) => id)).toEqual(['q4']);
  });

  it('stay when only the inspector was closed, and say that they cannot be answered here', async () => {
    const source = new ManualSource();
    source.add('one', 2);
    source.questions = [question('q1')];
    const { store } = await begin(source);
    expect(store.questions.value.map(({ canAnswer }) => canAnswer)).toEqual([true]);
    source.open.listener.ended({ how: 'closed' });
    expect(store.questions.value.map(({ id, canAnswer }) => [id, canAnswer])).toEqual([['q1', false]]);
    source.open.listener.ended({ how: 'silent' });
    expect(store.questions.value).toEqual([]);
  });

  it('stop with the store', async () => {
    const source = new ManualSource();
    source.add('one', 2);
    const { end } = await begin(source);
    end();
    expect(source.connections.some(({ isOpen }) => isOpen)).toBe(false);
  });

  it('are no excuse for a fault of the page: that is said, and not tried again', async () => {
    const source = new ManualSource();
    source.add('one', 2);
    replacePush(() => {
      throw new TypeError('a ledger is broken');
    });
    const { store } = await begin(source);
    expect([store.trouble.value, store.isReady.value]).toEqual(['a ledger is broken', true]);
  });
});

describe('going from view to view', () => {
  it('chooses the session one would look at first when none is chosen', async () => {
    const source = new ManualSource();
    source.add('one', 1);
    source.add('two', 1);
    source.sessions = [
      summaryOf('one', { state: 'working', startedAt: '2026-01-02' }),
      summaryOf('two', { state: 'waiting', startedAt: '2026-01-01' }),
    ];
    const { store } = await begin(source);
    store.show('timeline');
    expect([store.selected.value, store.view.value]).toEqual(['two', 'timeline']);
    store.show('fleet');
    store.open('one');
    expect([store.selected.value, store.view.value]).toEqual(['one', 'story']);
  });

  it('prefers the one that began last among equals', () => {
    const sessions = ['2026-01-01', '2026-01-03', '2026-01-02'].map((startedAt) =>
      summaryOf(startedAt, { startedAt }),
    );
    expect(mostUrgent(sessions)?.id).toBe('2026-01-03');
    expect(mostUrgent([])).toBeUndefined();
  });
});
