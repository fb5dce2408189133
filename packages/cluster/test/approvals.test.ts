// Questions to people, asked under a lease in one place and answered in another.
import { describe, expect, it } from 'vitest';
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
import type { Cluster } from '../src/cluster.js';
import { memoryDispatcher } from '../src/dispatch/memory-dispatcher.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { answered, type Play } from './support/stand-in-worker.js';
import { take, useClusters } from './support/test-cluster.js';

/** Asks before it answers; parks until the question is answered. */
const asking: Play = async (turn, { fence, journal }) => {
  const id = `q-${turn.key}`;
  const question = {
    id,
    kind: 'permission' as const,
    attempt: turn.attempt,
    askedAt: 0,
    toolName: 'pay',
    input: {},
  };
  const given = await journal.ask(fence, turn.id, question);
  if (given) return answered(`${given.result.behavior} by ${given.by}`);
  await journal.park(fence, turn.id, { questions: [id], turnCostUsd: 0 });
  return undefined;
};

describe('approvals', () => {
  const make = useClusters();
  const makeTwo = (): { web: Cluster; workers: Cluster } => {
    const shared = { journal: memoryJournal(), dispatcher: memoryDispatcher() };
    return { web: make(shared), workers: make(shared, asking) };
  };

  it('are answered from another process, which wakes the parked turn', async () => {
    const { web, workers } = makeTwo();
    await workers.work();
    const turns = await Promise.all(
      ['a', 'b', 'c'].map((key) =>
        web.conversation(key, { agent: 'support', tenant: key === 'c' ? 'acme' : 'other' }).send('Pay'),
      ),
    );
    const asked = await take(web.approvals.watch(), 3);
    expect(asked.map(({ conversation }) => conversation).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await web.approvals.list({ tenant: 'acme' })).toMatchObject([{ id: 'q-c', conversation: 'c' }]);
    expect(await web.approvals.list({ conversation: 'a' })).toMatchObject([{ id: 'q-a', toolName: 'pay' }]);
    expect(await web.approvals.answer('q-a', allow(), 'ann')).toBe(true);
    expect(await web.approvals.answer('q-b', deny('Not this one.'), { by: 'bob' })).toBe(true);
    expect(await web.approvals.answer('q-c', allow(), 'ann')).toBe(true);
    const outcomes = await Promise.all(turns.map((turn) => turn.outcome()));
    expect(outcomes.map(({ text }) => text)).toEqual(['allow by ann', 'deny by bob', 'allow by ann']);
    expect(await web.approvals.list()).toEqual([]);
    expect(await web.approvals.list({ answered: true, id: 'q-a' })).toMatchObject([
      { answer: { by: 'ann' } },
    ]);
  });

  it('are listed and watched whole, however many there are, or page by page', async () => {
    const journal = memoryJournal();
    const web = make({ journal, dispatcher: memoryDispatcher() });
    await journal.enqueue({ key: 'k', id: 'one', content: 'x', start: { agent: 'support', data: null } });
    const lease = await journal.lease('k', { owner: 'w', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error(lease.state);
    await journal.next(lease.fence);
    const ids = Array.from({ length: 2500 }, (_, at) => `q${at}`);
    for (const id of ids)
      await journal.ask(lease.fence, 'one', { id, kind: 'permission', attempt: 1, askedAt: 0, input: {} });
    const idsOf = (found: Array<{ id: string }>): string[] => found.map(({ id }) => id);
    expect(idsOf(await web.approvals.list())).toEqual(ids);
    expect(idsOf(await take(web.approvals.watch(), ids.length))).toEqual(ids);
    const first = await web.approvals.list({ limit: 10 });
    expect(idsOf(first)).toEqual(ids.slice(0, 10));
    const more = { after: first.at(-1), limit: 5 };
    expect(idsOf(await web.approvals.list(more))).toEqual(ids.slice(10, 15));
    // @ts-expect-error -- no question
    await expect(web.approvals.list({ after: 'q3' })).rejects.toThrow(/"after" must be a question/);
    // A custom journal that was written before there was "after".
    const questions = journal.questions.bind(journal);
    journal.questions = ({ after: _after, ...filter } = {}) => questions(filter);
    expect(idsOf(await web.approvals.list())).toEqual(ids);
  });

  it('take the first answer of several', async () => {
    const { web, workers } = makeTwo();
    const turn = await web.conversation('a', { agent: 'support' }).send('Pay');
    await workers.step('a');
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? web : workers).approvals.answer('q-a', index % 3 ? allow() : deny('no'), `p${index}`),
      ),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    await workers.work();
    expect((await turn.outcome()).text).toBe(
      `${taken.indexOf(true) % 3 ? 'allow' : 'deny'} by p${taken.indexOf(true)}`,
    );
    expect(await web.approvals.answer('nobody asked', allow())).toBe(false);
  });

  it('are each shown once to a watcher, of one conversation or tenant where it wants', async () => {
    const { web, workers } = makeTwo();
    const controller = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { id } of web.approvals.watch({ conversation: 'b', signal: controller.signal }))
        seen.push(id);
    })();
    const ofTenant = take(web.approvals.watch({ tenant: 't' }), 1);
    for (const key of ['a', 'b']) {
      await web.conversation(key, { agent: 'support', ...(key === 'b' && { tenant: 't' }) }).send('Pay');
      await workers.step(key);
    }
    expect(await ofTenant).toMatchObject([{ id: 'q-b', tenant: 't' }]);
    await expect.poll(() => seen).toEqual(['q-b']);
    controller.abort();
    await watching;
    expect(seen).toEqual(['q-b']);
  });

  it('take an empty name of a person for none', async () => {
    const { web, workers } = makeTwo();
    const turn = await web.conversation('a', { agent: 'support' }).send('Pay');
    await workers.step('a');
    expect(await web.approvals.answer('q-a', allow(), '')).toBe(true);
    await workers.step('a');
    expect((await turn.outcome()).text).toBe('allow by undefined');
  });

  it('refuse answers that are none', async () => {
    const { web } = makeTwo();
    // @ts-expect-error -- no answer
    await expect(web.approvals.answer('q', { ok: true })).rejects.toThrow(/allow\(\) or deny/);
    await expect(web.approvals.answer('q', allow({ input: { at: new Date(0) } }))).rejects.toThrow(
      /"result\.updatedInput\.at" is a Date/,
    );
    await expect(web.approvals.answer('', allow())).rejects.toThrow(/"id" must not be empty/);
    // @ts-expect-error -- no name
    await expect(web.approvals.answer('q', allow(), 7)).rejects.toThrow(/"by" must be a string/);
    expect(() => web.approvals.watch({ conversation: '' })).toThrow(/"key" must not be empty/);
  });
});
