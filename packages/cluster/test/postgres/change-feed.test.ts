// Hearing of changes over a connection that comes and goes, without a database.
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JournalChange } from '../../src/journal/journal.js';
import { ChangeFeed } from '../../src/postgres/change-feed.js';
import type { Database } from '../../src/postgres/database.js';
import { PATIENCE_MS } from '../../../../test/support/wait-until.js';

/** A connection that does what it is told. */
class FakeClient extends EventEmitter {
  /** What the other end of the connection calls itself; a pooler has names of its own. */
  processID = 1;
  readonly texts: string[] = [];

  async connect(): Promise<void> {}

  async query({ text, values = [] }: { text: string; values?: unknown[] }): Promise<{ rows: object[] }> {
    this.texts.push(text);
    const [numbers] = values as [string[]?];
    if (text.includes('number = any'))
      return { rows: (numbers ?? []).map((number) => ({ number, key: `chat ${number}` })) };
    return { rows: [{ pid: 1, channel: 'inboard_0123' }] };
  }

  async end(): Promise<void> {}
}

describe('a feed of changes', () => {
  let clients: FakeClient[];
  let feed: ChangeFeed;
  let processID: number;
  let sent: string[];

  beforeEach(() => {
    clients = [];
    processID = 1;
    sent = [];
    feed = new ChangeFeed({
      schema: '"inboard"',
      settings: { statementTimeoutMs: 10_000, schema: 'inboard' },
      open: async () => {},
      query: async (_text: string, [, payload]: [string, string]) => void sent.push(payload),
      createClient: async () => {
        const client = new FakeClient();
        client.processID = processID;
        clients.push(client);
        return client;
      },
    } as unknown as Database);
  });

  afterEach(() => feed.close());

  it('tells who listened before what may be missed, also where a new listener finds the connection again', async () => {
    const [first, second]: [JournalChange[], JournalChange[]] = [[], []];
    await feed.listen((change) => first.push(change));
    expect(clients[0]?.texts).toContain('listen "inboard_0123"');
    clients[0]?.emit('notification', { payload: 'inbox 1' });
    await vi.waitFor(() => expect(first).toEqual([{ kind: 'inbox', key: 'chat 1' }]), PATIENCE_MS);
    clients[0]?.emit('end');
    // The retry has not come yet: the next listener makes the connection.
    await feed.listen((change) => second.push(change));
    expect(clients).toHaveLength(2);
    const missed = ['inbox', 'stop', 'answer', 'question', 'events', 'ended'].map((kind) => ({ kind }));
    expect(first.slice(1)).toEqual(missed);
    // What the first connection has found out is known to the second.
    clients[1]?.emit('notification', { payload: 'stop 1' });
    expect(second.at(-1)).toEqual({ kind: 'stop', key: 'chat 1' });
    for (const payload of ['inbox', 'inbox ', 'inbox x', 'inbox 1 2 ', 'nothing 1', 'echo 1', ''])
      clients[1]?.emit('notification', { payload });
    expect(clients[1]?.texts.join()).not.toContain('number = any');
  });

  it('says nothing of what nobody can have missed', async () => {
    const heard: JournalChange[] = [];
    const listening = await feed.listen((change) => heard.push(change));
    await listening[Symbol.asyncDispose]();
    await feed.listen((change) => heard.push(change));
    expect([clients.length, heard]).toEqual([2, []]);
  });

  describe('behind a pooler', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
      processID = 2;
    });
    afterEach(() => vi.useRealTimers());

    async function listenAndWait(heard: JournalChange[]): Promise<FakeClient> {
      await feed.listen((change) => heard.push(change));
      await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE_MS);
      return clients[0] as FakeClient;
    }

    it('says that nothing is heard, and takes all for changed each second', async () => {
      const heard: JournalChange[] = [];
      const codes: unknown[] = [];
      const note = (warning: Error & { code?: string }): unknown => codes.push(warning.code);
      process.on('warning', note);
      await listenAndWait(heard);
      await vi.advanceTimersByTimeAsync(5_000);
      await vi.waitFor(() => expect(codes).toContain('JOURNAL_NOT_HEARD'), PATIENCE_MS);
      process.off('warning', note);
      expect(heard).toEqual([]);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(heard.filter(({ kind }) => kind === 'inbox')).toEqual([{ kind: 'inbox' }, { kind: 'inbox' }]);
      feed.close();
      expect(vi.getTimerCount()).toBe(0);
    });

    it('that passes on what is said, hears as ever', async () => {
      const heard: JournalChange[] = [];
      const client = await listenAndWait(heard);
      client.emit('notification', { payload: sent[0] });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(heard).toEqual([]);
    });
  });

  it('asks nothing more of PostgreSQL itself', async () => {
    await feed.listen(() => {});
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
  });
});
