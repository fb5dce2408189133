// Conversations of a cluster from the sender's side; a stand-in plays the worker.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AbortError, ClusterError } from '@inboard/core/errors.js';
import { memoryDispatcher } from '../src/dispatch/memory-dispatcher.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { ClusterCore } from '../src/cluster-core.js';
import type { ClusterTrouble } from '../src/cluster.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { answered, echo } from './support/stand-in-worker.js';
import { useClusters } from './support/test-cluster.js';

describe('send', () => {
  const make = useClusters();

  it('is kept at once, and answered once a worker runs', async () => {
    const cluster = make();
    const chat = cluster.conversation('a', { agent: 'support', data: { name: 'Bo' }, tenant: 'acme' });
    expect(await chat.info()).toBeUndefined();
    const turn = await chat.send('Hello');
    expect(await turn.state()).toBe('queued');
    expect(await chat.info()).toMatchObject({
      agent: 'support',
      data: { name: 'Bo' },
      tenant: 'acme',
      queued: 1,
    });
    await cluster.work();
    expect(await turn.outcome()).toMatchObject({ ok: true, text: 'you said: "Hello"' });
    expect(await turn.state()).toBe('ended');
    // Also long after its end, and from a handle of its own.
    expect(await cluster.conversation('a').turn(turn.id).outcome()).toMatchObject({ ok: true });
    expect(await cluster.stats()).toMatchObject({ turns: { ended: 1 }, workers: [], pauses: [] });
  });

  it('of the same id, however often and from wherever, is one turn', async () => {
    const journal = memoryJournal();
    const dispatcher = memoryDispatcher();
    const [one, other] = [make({ journal, dispatcher }), make({ journal, dispatcher })];
    const start = { agent: 'support' };
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : other).conversation('a', start).send(`try ${index}`, { id: 'm1' }),
      ),
    );
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(['m1']));
    await one.work();
    const outcomes = await Promise.all(sent.map((turn) => turn.outcome()));
    expect(new Set(outcomes.map(({ text }) => text)).size).toBe(1);
    expect(await other.conversation('a').turns()).toHaveLength(1);
  });

  it('takes content blocks, and whole messages with their own id', async () => {
    const cluster = make();
    const chat = cluster.conversation('a', { agent: 'support' });
    const content = [{ type: 'text' as const, text: 'Hi' }];
    await chat.send(content);
    const uuid = '6a1f0d5c-8d5e-4a53-9f0c-3f7b0a3f0f10' as const;
    const whole = {
      type: 'user' as const,
      uuid,
      message: { role: 'user' as const, content: 'Ho' },
      parent_tool_use_id: null,
    };
    const turn = await chat.send(whole);
    expect(turn.id).toBe(uuid);
    expect((await chat.turns()).map((each) => each.content)).toEqual([content, 'Ho']);
    await expect(chat.send({ ...whole, shouldQuery: false })).rejects.toThrow(/cannot have "shouldQuery"/);
  });

  it('keeps the order of a conversation, of many at a time', async () => {
    const ran: string[] = [];
    const cluster = make({}, async (turn, tools) => {
      ran.push(`${turn.key} ${turn.content as string}`);
      return await echo(turn, tools);
    });
    await cluster.work();
    const keys = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const turns = await Promise.all(
      keys.map(async (key) => {
        const chat = cluster.conversation(key, { agent: 'support' });
        const sent = [];
        for (const text of ['1', '2', '3']) sent.push(await chat.send(text));
        return sent;
      }),
    );
    await Promise.all(turns.flat().map((turn) => turn.outcome()));
    expect(ran).toHaveLength(90);
    for (const key of keys)
      expect(ran.filter((line) => line.startsWith(`${key} `))).toEqual([`${key} 1`, `${key} 2`, `${key} 3`]);
  });

  it('does not fail when nobody can be woken, and says so', async () => {
    const troubles: ClusterTrouble[] = [];
    const dispatcher = memoryDispatcher();
    dispatcher.wake = () => Promise.reject(new Error('Redis is away'));
    const cluster = make({ dispatcher, onTrouble: (trouble) => troubles.push(trouble) });
    const turn = await cluster.conversation('a', { agent: 'support' }).send('Hello');
    expect(await turn.state()).toBe('queued');
    expect(troubles).toEqual([
      { where: 'dispatcher', what: 'wake a worker', key: 'a', error: new Error('Redis is away') },
    ]);
    // As a worker's sweep does.
    expect(await cluster.step('a')).toMatchObject({ state: 'ended', turns: [{ id: turn.id }] });
    expect(await turn.outcome()).toMatchObject({ ok: true });
  });

  it('survives a listener that fails, and warns the process where there is none', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const dispatcher = memoryDispatcher();
    dispatcher.wake = () => Promise.reject(new Error('Redis is away'));
    const onTrouble = (): never => {
      throw new Error('no log');
    };
    const cluster = make({ dispatcher, onTrouble });
    await cluster.conversation('a', { agent: 'support' }).send('Hello');
    await cluster.close();
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(/"onTrouble" failed.*no log/),
    ]);
    const core = new ClusterCore({ journal: memoryJournal(), dispatcher, onTrouble: undefined });
    // Once for each kind in a process, so this one is of no other test.
    for (const error of ['one', 'two'])
      core.tell({ where: 'journal', what: 'be tested', error: new Error(error) });
    expect(warn.mock.calls.slice(1)).toEqual([
      [
        'The journal of a cluster failed to be tested; the cluster recovers by itself: one',
        { code: 'INBOARD_CLUSTER_TROUBLE' },
      ],
    ]);
  });

  it('is begun no earlier than it wants', async () => {
    const clock = { now: Date.now() };
    const cluster = make({ journal: memoryJournal({ now: () => clock.now }) });
    const chat = cluster.conversation('a', { agent: 'support' });
    const later = await chat.send('later', { notBefore: new Date(Date.now() + 3_600_000) });
    const behind = await chat.send('behind it', { notBefore: new Date(0) });
    expect(await cluster.step('a')).toMatchObject({ state: 'idle' });
    clock.now += 3_600_001;
    expect(await cluster.step('a')).toMatchObject({
      state: 'ended',
      turns: [{ id: later.id }, { id: behind.id }],
    });
    expect([await later.state(), await behind.state()]).toEqual(['ended', 'ended']);
  });

  it('is refused for a conversation that there is not, or that is closed', async () => {
    const cluster = make();
    await expect(cluster.conversation('a').send('x')).rejects.toMatchObject({ code: 'CONVERSATION_UNKNOWN' });
    const chat = cluster.conversation('a', { agent: 'support' });
    const waiting = await chat.send('x');
    await chat.close();
    await expect(chat.send('y')).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    expect(await waiting.outcome()).toMatchObject({ ok: false, kind: 'cancelled' });
  });
});

describe('a turn', () => {
  const make = useClusters();

  it('can be cancelled before it begins, not after', async () => {
    const held = createDeferred<void>();
    const cluster = make({}, async (turn, tools) => {
      if (turn.content === 'first') await held.promise;
      return await echo(turn, tools);
    });
    const chat = cluster.conversation('a', { agent: 'support' });
    const [first, second] = [await chat.send('first'), await chat.send('second')];
    await cluster.work();
    await expect.poll(() => first.state()).toBe('running');
    expect(await second.cancel()).toBe(true);
    expect(await first.cancel()).toBe(false);
    expect(await second.outcome()).toMatchObject({ kind: 'cancelled' });
    held.resolve();
    expect(await first.outcome()).toMatchObject({ ok: true });
    expect(await first.cancel()).toBe(false);
  });

  it('that nobody works on any more is ended by an interrupt', async () => {
    const cluster = make({}, async () => undefined);
    const chat = cluster.conversation('a', { agent: 'support' });
    expect(await chat.interrupt()).toBe(false);
    const turn = await chat.send('Hello');
    // Left under way, as after the death of a worker.
    await cluster.step('a');
    expect(await turn.state()).toBe('running');
    expect(await chat.interrupt()).toBe(true);
    await cluster.work();
    expect(await turn.outcome()).toMatchObject({ ok: false, kind: 'interrupted' });
  });

  it('whose conversation is removed is told to its waiters', async () => {
    const journal = memoryJournal();
    const cluster = make({ journal });
    const turn = await cluster.conversation('a', { agent: 'support' }).send('Hello');
    const outcome = turn.outcome();
    const refused = expect(outcome).rejects.toMatchObject({ code: 'TURN_UNKNOWN', key: 'a' });
    await journal.remove('a');
    await refused;
    await expect(turn.state()).rejects.toBeInstanceOf(ClusterError);
  });

  it('is no longer waited for when the signal fires', async () => {
    const cluster = make();
    const turn = await cluster.conversation('a', { agent: 'support' }).send('Hello');
    const controller = new AbortController();
    const outcome = turn.outcome({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(outcome).rejects.toBeInstanceOf(AbortError);
    await expect(turn.outcome({ signal: AbortSignal.abort() })).rejects.toBeInstanceOf(AbortError);
  });
});

describe('close', () => {
  const make = useClusters();

  it('ends all who wait, and refuses everything from then on', async () => {
    const cluster = make();
    const chat = cluster.conversation('a', { agent: 'support' });
    const turn = await chat.send('Hello');
    const outcome = expect(turn.outcome()).rejects.toMatchObject({ code: 'CLUSTER_CLOSED' });
    const reading = (async () => {
      const seen = [];
      for await (const event of chat.events()) seen.push(event.type);
      return seen;
    })();
    const watching = (async () => {
      for await (const question of cluster.approvals.watch()) void question;
    })();
    await Promise.all([cluster.close(), cluster.close()]);
    await outcome;
    await watching;
    await reading;
    for (const use of [
      () => chat.send('x'),
      () => chat.info(),
      () => turn.outcome(),
      () => cluster.stats(),
      () => cluster.work(),
      () => cluster.step('a'),
      () => cluster.approvals.list(),
      async () => cluster.conversation('b'),
      async () => chat.events(),
    ])
      await expect(use()).rejects.toMatchObject({ code: 'CLUSTER_CLOSED' });
  });

  it('leaves journal and dispatcher to another cluster that uses them', async () => {
    const shared = { journal: memoryJournal(), dispatcher: memoryDispatcher() };
    const [one, other] = [make(shared), make(shared)];
    await one.close();
    const turn = await other.conversation('a', { agent: 'support' }).send('Hello');
    await other.work();
    expect(await turn.outcome()).toMatchObject(answered('you said: "Hello"'));
    await other.close();
    await expect(shared.journal.stats()).rejects.toMatchObject({ code: 'CLUSTER_CLOSED' });
  });

  it('opens its journal anew after it could not be opened', async () => {
    let fails = 1;
    const journal = memoryJournal();
    const flaky = {
      ...journal,
      open: async () => (fails-- > 0 ? Promise.reject(new Error('away')) : journal.open()),
    };
    const chat = make({ journal: flaky }).conversation('a', { agent: 'support' });
    await expect(chat.send('x')).rejects.toThrow('away');
    expect(await (await chat.send('x')).state()).toBe('queued');
  });
});
