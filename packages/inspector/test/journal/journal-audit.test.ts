// The audit as pages get it: newest first, in parts, searched without telling secrets, and only what a tenant may see.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import type { AuditPart, AuditQuery } from '../../src/model/audit-part.js';
import { JournalSource } from '../../src/sources/journal/journal-source.js';
import { AUDITED_SECRET, AuditScene } from '../support/audit-scene.js';
import { Served } from '../support/served.js';

let scene: AuditScene;

async function open(tenant?: string, journal: Journal = scene.journal): Promise<JournalSource> {
  const source = await JournalSource.open({ journal, title: 'desk', isReadOnly: true, tenant });
  onTestFinished(() => source.close());
  return source;
}

const told = ({ entries }: AuditPart): string[] =>
  entries.map(({ by = '-', what, conversation = '-' }) => `${by} ${what} ${conversation}`);

beforeEach(async () => {
  scene = await AuditScene.create();
});

describe('the audit of a source', () => {
  it('is newest first, and filtered by who, what and text', async () => {
    const source = await open();
    expect(source.hasAudit).toBe(true);
    const read = async (query: AuditQuery) => told(await source.audit(query));
    expect(await read({})).toEqual([
      '- closed acme/2',
      'night-watch@example.com interrupted acme/1',
      'user-42 denied acme/1',
      'user-42 edited acme/1',
      'user-18 sent acme/2',
      'user-17 sent acme/1',
    ]);
    expect(await read({ by: 'user-42' })).toEqual(['user-42 denied acme/1', 'user-42 edited acme/1']);
    expect(await read({ what: 'sent' })).toEqual(['user-18 sent acme/2', 'user-17 sent acme/1']);
    expect(await read({ text: 'RECEIPT' })).toEqual(['user-42 denied acme/1']);
    expect(await read({ text: '"amount":5' })).toEqual(['user-42 edited acme/1']);
    expect(await read({ text: 'acme/2', what: 'closed' })).toEqual(['- closed acme/2']);
    expect(await read({ text: 'nowhere' })).toEqual([]);
  });

  it('has both inputs of what was edited, and no secret, whether shown or searched for', async () => {
    const source = await open();
    const { entries } = await source.audit({ what: 'edited' });
    expect(entries).toMatchObject([
      { input: { order: 'A-1', amount: 20 }, editedInput: { order: 'A-1', amount: 5 } },
    ]);
    expect(JSON.stringify(await source.audit({}))).not.toContain(AUDITED_SECRET);
    for (const text of [AUDITED_SECRET, AUDITED_SECRET.slice(0, 12)])
      expect((await source.audit({ text })).entries).toEqual([]);
  });

  it('is read in parts of a hundred, each entry once, and only if something is new', async () => {
    for (let index = 0; index < 250; index += 1) await scene.sendAs(`user ${index}`, 'many', 'acme');
    const source = await open();
    const seqs: number[] = [];
    const sizes: number[] = [];
    for (let before: number | undefined; ;) {
      const { entries, older } = await source.audit({ before });
      sizes.push(entries.length);
      seqs.push(...entries.map(({ seq }) => seq));
      if (older === undefined) break;
      before = older;
    }
    expect(sizes).toEqual([100, 100, 56]);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => other - one));
    const { newest } = await source.audit({ text: 'user 17' });
    expect(await source.audit({ text: 'user 17', seen: newest })).toEqual({
      entries: [],
      newest,
      isSame: true,
    });
    await scene.sendAs('ann', 'many');
    expect(await source.audit({ by: 'bob', seen: newest })).toEqual({ entries: [], newest: newest + 1 });
  });

  it('stops a search that finds nothing, and goes on from there', async () => {
    const calls: number[] = [];
    const journal: Journal = Object.assign(Object.create(scene.journal) as Journal, {
      audit: async ({ before = 1e6, limit }: { before?: number; limit?: number } = {}) => {
        calls.push(limit ?? 0);
        return { entries: [{ seq: before - 1, at: 0, what: 'sent' as const }], next: before - 1 };
      },
    });
    const source = await open(undefined, bind(journal));
    const { entries, older } = await source.audit({ text: 'nowhere' });
    expect([entries, calls.length, older]).toEqual([[], 11, 1e6 - 10]);
  });

  it('cuts long texts, and leaves out inputs that are still too long', async () => {
    const { fence, turn } = await scene.take('acme/1');
    const texts = Array.from({ length: 30 }, () => 'x'.repeat(5000));
    await scene.ask(fence, turn, 'long', { text: texts[0] });
    await scene.journal.answer('long', { result: { behavior: 'allow' }, answeredAt: 0 });
    await scene.ask(fence, turn, 'longer', { texts });
    await scene.journal.answer('longer', { result: { behavior: 'allow' }, answeredAt: 0 });
    const [longer, long] = (await (await open()).audit({ what: 'allowed' })).entries;
    expect(longer).toMatchObject({ question: 'longer', isCut: true });
    expect(longer?.input).toBeUndefined();
    expect(long).toMatchObject({ question: 'long', isCut: true });
    expect(JSON.stringify(long?.input).length).toBeLessThan(2500);
  });

  it('is that of one tenant, also if the journal ignores the limit', async () => {
    await scene.sendAs('eve', 'globex/1', 'globex');
    await scene.sendAs('nobody', 'free/1');
    const lax: Journal = Object.assign(Object.create(scene.journal) as Journal, {
      audit: (filter: object) => scene.journal.audit?.({ ...filter, tenant: undefined }),
    });
    for (const journal of [scene.journal, bind(lax)]) {
      const source = await open('globex', journal);
      expect(told(await source.audit({}))).toEqual(['eve sent globex/1']);
      expect(told(await source.audit({ text: 'acme' }))).toEqual([]);
      expect(told(await source.audit({ by: 'user-42' }))).toEqual([]);
    }
  });

  it('says why it cannot be read, and to a tenant not more than a code', async () => {
    const failing: Journal = Object.assign(Object.create(scene.journal) as Journal, {
      audit: () => Promise.reject(new Error('db-7.internal is gone')),
    });
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    expect((await (await open(undefined, bind(failing))).audit({})).trouble).toContain('db-7.internal');
    const { trouble } = await (await open('acme', bind(failing))).audit({});
    expect(trouble).toContain('JOURNAL_UNAVAILABLE');
    expect(trouble).not.toContain('db-7');
  });
});

describe('the route of the audit', () => {
  let served: Served;
  beforeEach(async () => {
    served = await Served.start({}, (await open()) as never);
  });
  afterEach(() => served.close());

  it('is for browsers that were let in, and only read', async () => {
    expect((await served.ask({ path: '/api/audit' })).status).toBe(401);
    await served.enter();
    const { status, body } = await served.ask({ path: '/api/audit?what=edited&by=user-42' });
    expect(status).toBe(200);
    expect(told(JSON.parse(body) as AuditPart)).toEqual(['user-42 edited acme/1']);
    expect((await served.ask({ path: '/api/audit', method: 'POST' })).status).toBe(405);
    expect(JSON.parse((await served.ask({ path: '/api/state' })).body)).toMatchObject({ hasAudit: true });
  });

  it.each(['before=-1', 'seen=x', 'what=', 'what=constructor'])(
    'says what is wrong with %s',
    async (query) => {
      await served.enter();
      const answer = await served.ask({ path: `/api/audit?${query}` });
      expect(answer.status).toBe(400);
    },
  );

  it('is not there without a cluster', async () => {
    await using other = await disposable(await (await Served.start()).enter());
    expect(await other.served.ask({ path: '/api/audit' })).toMatchObject({ status: 404 });
    const { body } = await other.served.ask({ path: '/api/state' });
    expect(JSON.parse(body)).not.toHaveProperty('hasAudit');
  });
});

/** A journal whose methods of its own may be called on the journal that it takes the others from. */
function bind(journal: Journal): Journal {
  return new Proxy(journal, {
    get: (target, name: keyof Journal) =>
      Object.hasOwn(target, name) ? target[name] : (scene.journal[name] as unknown),
  });
}

async function disposable(served: Served): Promise<AsyncDisposable & { served: Served }> {
  return { served, [Symbol.asyncDispose]: () => served.close() };
}
