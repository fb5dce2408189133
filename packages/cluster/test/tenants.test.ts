// A conversation that is named with a tenant it does not belong to: nothing of it is read or changed, and the caller gets what an
// unknown conversation gives. The methods are read from the declarations: a new one fails here until it has a row.
import { describe, expect, it } from 'vitest';
import { readDeclarations } from '../../../scripts/support/reference/read-declarations.mjs';
import type { Cluster, ClusterConversation } from '../src/cluster.js';
import type { Journal } from '../src/journal/journal.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { useClusters } from './support/test-cluster.js';

const SECRET = 'my PIN is 4711';

/** What each method gives, as text without the key. */
const READS: Readonly<Record<string, (chat: ClusterConversation) => unknown>> = {
  'ClusterConversation.turns': (chat) => chat.turns(),
  'ClusterConversation.readWhole': (chat) => chat.readWhole(1),
  'ClusterConversation.interrupt': (chat) => chat.interrupt(),
  'ClusterConversation.close': (chat) => chat.close(),
  'ClusterConversation.info': (chat) => chat.info(),
  'SentTurn.state': (chat) => chat.turn('t1').state(),
  'SentTurn.record': (chat) => chat.turn('t1').record(),
  'SentTurn.outcome': (chat) => chat.turn('t1').outcome(),
  'SentTurn.cancel': (chat) => chat.turn('t1').cancel(),
};

/** Tested below, or they contact nothing. */
const OTHERS = ['ClusterConversation.send', 'ClusterConversation.events', 'ClusterConversation.turn'];

const STATES = ['queued', 'running', 'ended', 'closed'] as const;

/** A conversation with one turn, in some state. */
async function settle(journal: Journal, tenant: string | undefined, state: (typeof STATES)[number]) {
  const start = { agent: 'support', data: null, tenant };
  await journal.enqueue({ key: 'a', id: 't1', content: SECRET, start });
  if (state === 'closed') await journal.closeConversation('a');
  if (state !== 'running' && state !== 'ended') return;
  const granted = await journal.lease('a', { owner: 'w', ms: 60_000 });
  if (granted.state !== 'granted') throw new Error(granted.state);
  await journal.next(granted.fence);
  const outcome = { ok: true, kind: 'ok', text: SECRET, turnCostUsd: 0 };
  if (state === 'ended') await journal.finish(granted.fence, 't1', { outcome });
}

/** What a call gives, or how it fails. */
async function describeCall(call: () => unknown): Promise<unknown> {
  try {
    return { given: await call() };
  } catch (error) {
    const { name, code, message } = error as Error & { code: string };
    return { name, code, message };
  }
}

describe('a conversation of another tenant', () => {
  const make = useClusters();
  const asBob = (cluster: Cluster): ClusterConversation =>
    cluster.conversation('a', { agent: 'support', tenant: 'bob' });

  it('has a row here for each method', () => {
    const declared = ['ClusterConversation', 'SentTurn'].flatMap((name) =>
      [...(readDeclarations('packages/cluster/src/cluster.ts').get(name)?.members ?? [])].flatMap(
        ([method, { kind }]) => (kind === 'method' ? [`${name}.${method}`] : []),
      ),
    );
    expect(declared.toSorted()).toEqual([...Object.keys(READS), ...OTHERS].toSorted());
  });

  describe.each(['ann', undefined])('that belongs to %s', (tenant) => {
    describe.each(STATES)('and is %s', (state) => {
      it.each(Object.entries(READS))('is unknown to %s', async (_name, call) => {
        const journal = memoryJournal();
        await settle(journal, tenant, state);
        const before = await journal.history('a');
        const given = await describeCall(() => call(asBob(make({ journal }))));
        expect(await journal.history('a')).toEqual(before);
        expect(given).toEqual(await describeCall(() => call(asBob(make()))));
      });

      it('takes no message, and says nothing of it', async () => {
        const journal = memoryJournal();
        await settle(journal, tenant, state);
        const before = await journal.history('a');
        // Also under the id of a turn that it has, and whatever its state is.
        for (const id of ['t1', 't2']) {
          const sent = asBob(make({ journal })).send('and from bob', { id });
          await expect(sent).rejects.toMatchObject({
            code: 'CONVERSATION_UNKNOWN',
            message: expect.not.stringMatching(/ann|4711|closed/) as string,
          });
          await expect(sent).rejects.toThrow(
            /There is no conversation "a" of the tenant "bob", and none can be created under this key\./,
          );
        }
        expect(await journal.history('a')).toEqual(before);
      });
    });

    it('is waited for like one that does not exist yet', async () => {
      const journal = memoryJournal();
      await settle(journal, tenant, 'running');
      const reader = asBob(make({ journal })).events();
      const first = reader.next();
      const looked = Promise.race([first, new Promise((resolve) => setImmediate(() => resolve('nothing')))]);
      expect(await looked).toBe('nothing');
      await journal.remove('a');
      await journal.enqueue({
        key: 'a',
        id: 't9',
        content: 'mine',
        start: { agent: 'support', data: null, tenant: 'bob' },
      });
      expect((await first).value).toMatchObject({ id: 1, turn: 't9' });
      await reader.return?.();
    });
  });

  it('does not show what was read when the key goes to it', async () => {
    const journal = memoryJournal();
    await settle(journal, 'bob', 'ended');
    const reader = asBob(make({ journal })).events();
    // All that there is.
    for (let read = 0; read < 3; read += 1) await reader.next();
    await journal.remove('a');
    await settle(journal, 'ann', 'ended');
    const rest: unknown[] = [];
    for await (const event of reader) rest.push(event);
    expect(rest).toEqual([]);
  });

  it('is not written to when it is created at the same moment', async () => {
    const journal = memoryJournal();
    // Another process creates it just before.
    const late: Journal = {
      ...journal,
      enqueue: async (turn, scope) => {
        if (turn.start?.tenant === 'bob') await settle(journal, 'ann', 'running');
        return await journal.enqueue(turn, scope);
      },
    };
    await expect(asBob(make({ journal: late })).send('from bob', { id: 'b1' })).rejects.toMatchObject({
      code: 'CONVERSATION_UNKNOWN',
    });
    expect(await journal.turn('a', 'b1')).toBeUndefined();
  });

  it('is its own with its tenant, and open to callers that name none', async () => {
    const journal = memoryJournal();
    const cluster = make({ journal });
    const ann = cluster.conversation('a', { agent: 'support', tenant: 'ann' });
    const turn = await ann.send(SECRET, { id: 't1' });
    expect((await ann.send('more')).id).not.toBe('t1');
    for (const chat of [ann, cluster.conversation('a'), cluster.conversation('a', { agent: 'support' })]) {
      expect(await chat.info()).toMatchObject({ tenant: 'ann' });
      expect(await chat.turns()).not.toEqual([]);
      expect(await chat.turn('t1').state()).toBe('queued');
      expect((await chat.events().next()).value).toMatchObject({ id: 1 });
    }
    expect(await turn.cancel()).toBe(true);
    await ann.close();
    await expect(ann.send('late')).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
  });
});
