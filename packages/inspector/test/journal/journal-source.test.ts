// The conversations of a cluster as sessions of the inspector: what is listed, told and done, by its journal alone.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import { Story } from '../../src/model/story/story.js';
import { JournalSource, type JournalSourceOptions } from '../../src/sources/journal/journal-source.js';
import { decodeNumbered } from '../../src/stream/event-codec.js';
import { ClusterScene, result, says } from '../support/cluster-scene.js';
import { RememberingListener } from '../support/remembering-listener.js';

const open = async (
  journal: Journal,
  options: Partial<JournalSourceOptions> = {},
): Promise<JournalSource> => {
  const source = await JournalSource.open({ journal, title: 'desk', isReadOnly: false, ...options });
  onTestFinished(() => source.close());
  return source;
};
const watch = (source: JournalSource, session?: string): RememberingListener => {
  const listener = new RememberingListener(session);
  onTestFinished(source.watch(listener));
  return listener;
};
const storyOf = async (source: JournalSource, session: string): Promise<string[]> => {
  const story = new Story();
  const { lines } = await source.read(session, 0, 1000);
  for (const line of lines) {
    const event = decodeNumbered(line);
    if (event) story.push(event);
  }
  return story.items.map(
    (item) => `${item.kind}: ${'text' in item ? item.text : 'name' in item ? item.name : ''}`,
  );
};

describe('the list', () => {
  it('says of each conversation where it stands, and who has it', async () => {
    const scene = new ClusterScene();
    await scene.send('idle/1', 'Hello');
    const one = await scene.take('idle/1');
    await scene.finish(one.fence, one.turn, { turnCostUsd: 0.5 });
    await scene.send('failed/1', 'Hello');
    const failed = await scene.take('failed/1');
    const error = { code: 'AGENT_UNKNOWN', message: 'No worker knows it.' };
    await scene.finish(failed.fence, failed.turn, { ok: false, kind: 'failed', error, turnCostUsd: 0 });
    await scene.send('queued/1', 'Hello', { tenant: 'acme' });
    await scene.send('running/1', 'Hello');
    await scene.take('running/1', 'worker-b');
    await scene.send('running/1', 'And this');
    await scene.send('parked/1', 'Pay');
    const parked = await scene.take('parked/1');
    await scene.ask(parked.fence, parked.turn, 'q1');
    await scene.journal.park(parked.fence, parked.turn, { questions: ['q1'], turnCostUsd: 0 });
    await scene.journal.release(parked.fence);
    await scene.send('closed/1', 'Hello');
    await scene.journal.closeConversation('closed/1');
    const source = await open(scene.journal);
    const lines = source
      .sessions()
      .map(({ id, state, stateText, waiting, costUsd }) => [id, state, stateText, waiting, costUsd]);
    expect(lines.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
      ['closed/1', 'ended', 'closed', 0, 0],
      ['failed/1', 'idle', 'the last turn failed (AGENT_UNKNOWN), ready for the next message', 0, 0],
      ['idle/1', 'idle', 'ready for the next message', 0, 0.5],
      ['parked/1', 'waiting', 'parked: 1 question to answer', 1, 0],
      ['queued/1', 'queued', '1 message waiting for a worker', 0, 0],
      ['running/1', 'working', 'runs on worker-b, 1 message behind it', 0, 0],
    ]);
    expect(source.sessions().filter(({ errors }) => errors > 0)).toMatchObject([{ id: 'failed/1' }]);
    expect(source.cluster()).toMatchObject({
      stats: { leases: 1, conversations: { parked: 1 } },
      leftOut: undefined,
      trouble: undefined,
    });
    // The lease of the dead is over by the journal's clock alone.
    scene.now += 10_000;
    const later = await open(scene.journal);
    const [left] = later.sessions().filter(({ id }) => id === 'running/1');
    expect(left).toMatchObject({
      stateText: 'without a worker: the next one will continue it, 1 message behind it',
      conversation: { owner: undefined },
    });
  });

  it('says how long those that run or wait have lasted by now, and nothing of the others', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T10:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const scene = new ClusterScene();
    await scene.send('idle/1', 'Hello');
    const one = await scene.take('idle/1');
    await scene.finish(one.fence, one.turn);
    await scene.send('parked/1', 'Pay');
    const parked = await scene.take('parked/1');
    await scene.ask(parked.fence, parked.turn, 'q1');
    const source = await open(scene.journal);
    vi.setSystemTime(Date.parse('2026-11-16T10:00:25Z'));
    const times = source.sessions().map(({ id, durationMs, now }) => [id, durationMs, now]);
    expect(new Set(times)).toEqual(
      new Set([
        ['idle/1', 0, undefined],
        ['parked/1', 0, 25_000],
      ]),
    );
    // A clock that is behind that of the journal takes nothing back.
    vi.setSystemTime(Date.parse('2026-11-16T09:59:00Z'));
    expect(source.sessions().find(({ id }) => id === 'parked/1')?.now).toBe(0);
  });

  it('has only those of a tenant where that is asked for', async () => {
    const scene = new ClusterScene();
    await scene.send('a', 'Hello', { tenant: 'acme' });
    await scene.send('b', 'Hello', { tenant: 'other' });
    const source = await open(scene.journal, { tenant: 'acme' });
    const listener = watch(source);
    expect(source.sessions().map(({ id }) => id)).toEqual(['a']);
    await scene.send('b', 'More');
    await scene.send('a', 'More');
    await listener.waitFor(() => listener.summaries.length > 0);
    expect(listener.summaries.map(({ id }) => id)).toEqual(['a']);
  });

  it('is bounded, has what runs or waits before the newest of the others, and says so', async () => {
    const scene = new ClusterScene();
    for (let index = 0; index < 1300; index += 1) {
      scene.now += 1;
      const key = `c${String(index).padStart(5, '0')}`;
      await scene.send(key, 'Hello');
      if (index === 3) continue;
      await scene.journal.cancel(key, 't1');
    }
    const source = await open(scene.journal);
    const ids = source.sessions().map(({ id }) => id);
    expect(ids).toHaveLength(1000);
    expect(ids.slice(0, 2)).toEqual(['c00003', 'c01299']);
    expect(source.cluster()?.leftOut).toMatch(/^1000 of 1300 conversations are listed/);
  });
});

describe('what happens', () => {
  it('is told as it does: lines, questions, and events to pages that show the conversation', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'Pay order 7 back.');
    const source = await open(scene.journal);
    const fleet = watch(source);
    const page = watch(source, 'ann/1');
    const { lines, next } = await source.read('ann/1', 0, 100);
    expect([lines.length, next]).toEqual([2, undefined]);
    const { fence, turn } = await scene.take('ann/1');
    await scene.say(fence, turn, says('m1', { type: 'text', text: 'Let me look.' }));
    await scene.ask(fence, turn, 'q1');
    await page.waitFor(() => page.numbers.length >= 3 && page.questions.length > 0);
    expect(page.numbers).toEqual([3, 4, 5]);
    expect(fleet.numbers).toEqual([3, 4, 5]);
    expect(fleet.questions[0]).toMatchObject({
      id: 'q1',
      session: 'ann/1',
      canAnswer: true,
      input: { order: '7' },
    });
    expect(fleet.summaries.at(-1)).toMatchObject({ id: 'ann/1', state: 'waiting', waiting: 1 });
    await scene.journal.answer('q1', { result: { behavior: 'allow' }, answeredAt: 0, by: 'bob' });
    await scene.finish(fence, turn);
    await fleet.waitFor(() => fleet.settledIds.includes('q1') && fleet.summaries.at(-1)?.state === 'idle');
  });

  it('is read by number, a part at a time, and whole', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'x'.repeat(20_000));
    const { fence, turn } = await scene.take('ann/1');
    for (let index = 0; index < 5; index += 1)
      await scene.say(fence, turn, says(`m${index}`, { type: 'text', text: `text ${index}` }));
    const source = await open(scene.journal);
    const numbers: number[] = [];
    let isCut = false;
    for (let after: number | undefined = 0; after !== undefined;) {
      const batch = await source.read('ann/1', after, 3);
      for (const line of batch.lines) {
        const event = decodeNumbered(line);
        numbers.push(event?.n ?? 0);
        isCut ||= event?.isCut === true;
      }
      after = batch.next;
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(isCut).toBe(true);
    expect(await source.readWhole('ann/1', 2)).toContain('x'.repeat(20_000));
    expect(await source.readWhole('ann/1', 99)).toBeUndefined();
    expect(await source.read('nobody', 0, 10)).toEqual({ lines: [], next: undefined });
  });

  it('makes a story: texts while they are written once, takeovers and ends beside the CLI as marks', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'Pay order 7 back.');
    const first = await scene.take('ann/1', 'w1');
    const piece = (text: string) => ({ turn: first.turn, type: 'text' as const, text });
    await scene.journal.publish(first.fence, [piece('Let me '), piece('look.')]);
    await scene.say(first.fence, first.turn, says('m1', { type: 'text', text: 'Let me look.' }));
    scene.now += 5000;
    const second = await scene.take('ann/1', 'w2');
    await scene.journal.publish(second.fence, [piece('Pa'), piece('id.')]);
    await scene.say(second.fence, second.turn, says('m2', { type: 'text', text: 'Paid.' }), result('Paid.'));
    await scene.finish(second.fence, second.turn);
    await scene.send('ann/1', 'More');
    const third = await scene.take('ann/1', 'w2');
    const error = { code: 'AGENT_UNKNOWN', message: 'No agent "desk" here.' };
    await scene.finish(third.fence, third.turn, { ok: false, kind: 'failed', text: '', error });
    const told = await storyOf(await open(scene.journal), 'ann/1');
    expect(told.filter((line) => !line.startsWith('mark'))).toEqual([
      'prompt: Pay order 7 back.',
      'text: Let me look.',
      'text: Paid.',
      'answer: Paid.',
      'prompt: More',
    ]);
    expect(told.filter((line) => line.startsWith('mark')).join('\n')).toMatch(
      /attempt 2 \(lease \d+\)[^]*ended: success[^]*No agent "desk" here/,
    );
  });

  it('is shown without secrets', async () => {
    const scene = new ClusterScene();
    vi.stubEnv('SHOP_API_KEY', 'sk-very-secret-value-1234');
    onTestFinished(() => void vi.unstubAllEnvs());
    await scene.send('ann/1', 'Use sk-very-secret-value-1234.');
    const { fence, turn } = await scene.take('ann/1');
    await scene.ask(fence, turn, 'q1', { password: 'hunter22', note: 'sk-very-secret-value-1234' });
    const source = await open(scene.journal);
    const { lines } = await source.read('ann/1', 0, 10);
    const [question] = source.questions();
    expect(lines.join('') + JSON.stringify(question)).not.toMatch(/sk-very-secret|hunter22/);
    expect(await source.readWhole('ann/1', 2)).not.toContain('sk-very-secret');
    expect(await source.act({ action: 'reveal', session: 'ann/1', id: 'q1' })).toEqual({
      ok: true,
      result: { password: 'hunter22', note: 'sk-very-secret-value-1234' },
    });
  });

  it('that removes a conversation takes it off the list', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'Hello');
    await scene.send('bob/1', 'Hello');
    const source = await open(scene.journal);
    const listener = watch(source);
    await scene.journal.remove('ann/1');
    await listener.waitFor(() => listener.changes > 0);
    expect(source.sessions().map(({ id }) => id)).toEqual(['bob/1']);
  });
});

describe('conversations that are removed together', () => {
  it.each([2, 4, 90, 150])('all leave the list (%i of them)', async (count) => {
    const scene = new ClusterScene();
    await scene.send('kept/1', 'Hello', { tenant: 'acme' });
    const keys = Array.from({ length: count }, (_, index) => `gone/${index}`);
    for (const key of keys) {
      await scene.send(key, 'Hello', { tenant: 'acme' });
      // Idle: those that run or wait are looked at now and then anyway.
      await scene.journal.cancel(key, 't1');
    }
    const source = await open(scene.journal, { tenant: 'acme' });
    const listener = watch(source);
    expect(source.sessions()).toHaveLength(count + 1);
    for (const key of keys) await scene.journal.remove(key);
    await listener.waitFor(() => listener.changes > 0 && source.sessions().length <= 1);
    expect(source.sessions().map(({ id }) => id)).toEqual(['kept/1']);
  });
});

describe('a page', () => {
  it('answers, with changes to the input, sends and interrupts', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'Pay order 7 back.');
    const { fence, turn } = await scene.take('ann/1');
    await scene.ask(fence, turn, 'q1');
    const woken: string[] = [];
    const source = await open(scene.journal, { wake: async (key) => void woken.push(key) });
    const answer = {
      action: 'answer' as const,
      session: 'ann/1',
      id: 'q1',
      decision: { kind: 'allow' as const, edits: [{ path: ['order'], value: '8' }] },
    };
    expect(await source.act(answer)).toEqual({ ok: true });
    const [kept] = await scene.journal.questions({ key: 'ann/1', answered: true });
    expect(kept?.answer).toMatchObject({
      by: 'inspector',
      result: { behavior: 'allow', updatedInput: { order: '8' } },
    });
    expect(await source.act(answer)).toMatchObject({ ok: false, error: { code: 'QUESTION_OVER' } });
    expect(await source.act({ action: 'send', session: 'ann/1', text: 'And 9.' })).toEqual({ ok: true });
    expect((await scene.journal.turns('ann/1')).map(({ content }) => content)).toEqual([
      'Pay order 7 back.',
      'And 9.',
    ]);
    expect(woken).toEqual(['ann/1', 'ann/1']);
    expect(await source.act({ action: 'interrupt', session: 'ann/1' })).toEqual({ ok: true });
    expect((await scene.journal.turn('ann/1', turn))?.stop).toBe('interrupt');
    expect(await source.act({ action: 'send', session: 'nobody', text: 'Hi' })).toMatchObject({
      ok: false,
      error: { code: 'CONVERSATION_UNKNOWN' },
    });
    expect(await source.act({ action: 'set-model', session: 'ann/1', model: 'x' })).toMatchObject({
      error: { code: 'NOT_HERE' },
    });
  });

  it('that is read-only does none of it', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'Pay');
    const { fence, turn } = await scene.take('ann/1');
    await scene.ask(fence, turn, 'q1');
    const source = await open(scene.journal, { isReadOnly: true });
    expect(source.questions()[0]?.canAnswer).toBe(false);
    expect(source.sessions()[0]?.can).toMatchObject({ send: false, interrupt: false });
    expect(await source.act({ action: 'interrupt', session: 'ann/1' })).toMatchObject({
      error: { code: 'READ_ONLY' },
    });
  });

  it('says that the journal is away, keeps what it had, and goes on when it is back', async () => {
    const scene = new ClusterScene();
    await scene.send('ann/1', 'Hello');
    let isAway = false;
    const journal = new Proxy(scene.journal, {
      get: (target, name: keyof Journal) => {
        if (!isAway || name === 'listen' || name === 'close') return target[name];
        return () => Promise.reject(new Error('ECONNREFUSED'));
      },
    });
    const source = await open(journal);
    const listener = watch(source);
    isAway = true;
    await scene.send('ann/1', 'More');
    await listener.waitFor(() => listener.clusters.at(-1)?.trouble !== undefined);
    expect(listener.clusters.at(-1)?.trouble).toContain('ECONNREFUSED');
    expect(source.sessions()).toHaveLength(1);
    isAway = false;
    await scene.send('ann/1', 'And more');
    await listener.waitFor(() => listener.summaries.at(-1)?.turns === 3);
    await listener.waitFor(() => listener.clusters.at(-1)?.trouble === undefined);
  });
});

it('says of a result that the journal has shortened that it is cut, and reads it whole', async () => {
  const scene = new ClusterScene();
  await scene.send('ann/1', 'List');
  const { fence, turn } = await scene.take('ann/1');
  const rows = `${'a row of many\n'.repeat(50_000)}the last row`;
  const message = { type: 'user', uuid: 'u', tool_use_result: { structuredContent: { rows } } };
  const id = await scene.journal.publish(fence, [{ turn, type: 'message', message }]);
  const inline = { ...scene.journal };
  delete inline.readWhole;
  // Also with a journal that cannot read an event as a whole: the event is what it has.
  for (const [journal, isWhole] of [[scene.journal, true] as const, [inline, false] as const]) {
    const source = await open(journal);
    const { lines } = await source.read('ann/1', 0, 1000);
    expect(lines.at(-1)).toContain('"isCut":true');
    expect(lines.at(-1)?.length).toBeLessThan(20_000);
    const whole = await source.readWhole('ann/1', id + 1);
    expect(whole?.includes('the last row')).toBe(isWhole);
    expect(whole).toContain('a row of many');
  }
});
