// An inspector for one tenant, attacked over real sockets: whatever is asked of a conversation of another tenant, by whichever route and
// action there is, is answered as if there were none, and does nothing.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Journal, JournalChange } from '@inboard/cluster/journal/journal.js';
import { ClusterError } from '@inboard/core/errors.js';
import type { Action } from '../../src/model/page-contract.js';
import { ACTION_NAMES } from '../../src/server/read-action.js';
import { listRoutes, type Served as ServedParts } from '../../src/server/routes.js';
import { JournalSource } from '../../src/sources/journal/journal-source.js';
import { ClusterScene, says } from '../support/cluster-scene.js';
import { StreamReader } from '../support/read-stream.js';
import { RememberingListener } from '../support/remembering-listener.js';
import { Served, type Answer } from '../support/served.js';

/** Stands in all that belongs to the other tenant, and in nothing else. */
const MARK = 'TOP-SECRET-OF-B';
const OWN = 'a/1';

let scene: ClusterScene;
let source: JournalSource;
let served: Served;
let woken: string[];

/** A conversation with everything in it: text, a question, a lease. */
async function fill(key: string, tenant: string, mark: string, question: string): Promise<void> {
  await scene.send(key, `A message ${mark}`, { tenant });
  const { fence, turn } = await scene.take(key, `worker-${mark}`);
  await scene.say(fence, turn, says(`m-${key}`, { type: 'text', text: `An answer ${mark}` }));
  await scene.ask(fence, turn, question, { note: mark });
}

beforeEach(async () => {
  scene = new ClusterScene();
  woken = [];
  await fill(OWN, 'A', 'of A', 'qa');
  await fill('b/1', 'B', MARK, 'qb');
  await scene.send('none/1', `Of no tenant: ${MARK}`);
  // Seen by the inspector, then removed: what it remembers of it must not count.
  await fill('gone/1', 'A', 'of A', 'qg');
  // Seen by the inspector, then made again by another, with a question of the same name.
  await fill('taken/1', 'A', 'of A', 'qt');
  await scene.journal.reportWorker({
    name: `worker-${MARK}`,
    concurrency: 4,
    running: 1,
    warm: 0,
    draining: false,
  });
  source = await JournalSource.open({
    journal: scene.journal,
    title: 'desk',
    isReadOnly: false,
    tenant: 'A',
    wake: async (key) => void woken.push(key),
  });
  served = await (await Served.start({}, source as never)).enter();
  expect(source.sessions().map(({ id }) => id)).toEqual(['a/1', 'gone/1', 'taken/1']);
  for (const session of ['a/1', 'gone/1', 'taken/1']) await source.read(session, 0, 100);
  await scene.journal.remove('gone/1');
  await scene.journal.remove('taken/1');
  // With the same time and attempt, so that nothing but its owner tells the two apart.
  await fill('taken/1', 'B', MARK, 'qt');
  await scene.journal.pause({ tenant: 'B', ms: 60_000, reason: `Paused ${MARK}` });
  await scene.journal.pause({ ms: 30_000, reason: `All wait for ${MARK}` });
});
afterEach(async () => {
  await served.close();
  await source.close();
});

/** Each with the name of a question that it has or had. */
const FOREIGN = [
  { session: 'b/1', id: 'qb' },
  { session: 'none/1', id: 'qn' },
  { session: 'gone/1', id: 'qg' },
  { session: 'taken/1', id: 'qt' },
  // The name of a conversation of one's own does not help with a question of another.
  { session: 'unknown/2', id: 'qb' },
];
const UNKNOWN = { session: 'unknown/1', id: 'qu' };
type Target = typeof UNKNOWN;

const BODIES: { [Name in Action['action']]: ((target: Target) => Extract<Action, { action: Name }>)[] } = {
  answer: [
    (target) => ({ action: 'answer', ...target, decision: { kind: 'allow' } }),
    (target) => ({ action: 'answer', ...target, decision: { kind: 'deny', message: 'no' } }),
  ],
  reveal: [(target) => ({ action: 'reveal', ...target })],
  send: [({ session }) => ({ action: 'send', session, text: 'Hello' })],
  interrupt: [({ session }) => ({ action: 'interrupt', session })],
  'set-model': [({ session }) => ({ action: 'set-model', session, model: 'x' })],
  'set-mode': [({ session }) => ({ action: 'set-mode', session, mode: 'plan' })],
  rewind: [({ session }) => ({ action: 'rewind', session, messageId: 'm', dryRun: false })],
  'call-tool': [({ session }) => ({ action: 'call-tool', session, server: 's', tool: 't', input: {} })],
  // It names no conversation, and gives a link to this same inspector.
  'create-link': [],
};

/** What is asked of each route that has data, for a target. */
const REQUESTS: Record<string, (target: Target) => Promise<Answer>[]> = {
  '/api/events': ({ session }) =>
    [0, 1, 2, 5].flatMap((after) =>
      [1, 5000].map((limit) => get(`/api/events?${query({ session, after, limit })}`)),
    ),
  '/api/line': ({ session }) => [0, 1, 2, 3, 4].map((n) => get(`/api/line?${query({ session, n })}`)),
  '/api/act': (target) =>
    ACTION_NAMES.flatMap((name) => BODIES[name].map((make) => served.act(make(target)))),
  '/api/stream': ({ session }) => [listen(session, 0), listen(session, 1)],
  '/api/state': () => [get('/api/state')],
  '/api/audit': ({ session, id }) => [
    get('/api/audit'),
    ...[session, id, MARK].map((text) => get(`/api/audit?${query({ text })}`)),
  ],
};
/** Routes that know no conversation. */
const WITHOUT_DATA = ['/', '/page.js', '/page.css', '/api/enter', '/api/link', '/api/blank-page'];

const query = (fields: Record<string, string | number>): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();
const get = (path: string): Promise<Answer> => served.ask({ path });

/** What a page hears that listens to a conversation, until it has heard of something of its own. */
async function listen(session: string, after: number): Promise<Answer> {
  const response = await served.open({ path: `/api/stream?${query({ session, after })}` });
  const stream = new StreamReader(response);
  await stream.waitFor(() => stream.messages.length > 0);
  // The other tenant is busy, and then this one.
  const { fence, turn } = await resume('b/1');
  await scene.say(fence, turn, says('more', { type: 'text', text: MARK }));
  await scene.journal.enqueue({ key: 'taken/1', id: `more-${after}-${session}`, content: MARK });
  const before = (await scene.journal.turns(OWN)).length;
  await scene.send(OWN, 'Next');
  await stream.waitFor(() =>
    stream.messages.some(({ name, data }) => name === 'summary' && turnsOf(data) > before),
  );
  stream.drop();
  const heard = stream.messages.filter(({ name }) => name === 'event');
  return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.stringify(heard) };
}

const turnsOf = (summary: string): number => (JSON.parse(summary) as { turns: number }).turns;

async function resume(key: string) {
  const { lease } = (await scene.journal.conversation(key)) ?? {};
  const [turn] = await scene.journal.turns(key);
  if (!lease || !turn) throw new Error(`${key} is not running`);
  return { fence: { key, epoch: lease.epoch, owner: lease.owner }, turn: turn.id };
}

/** All that counts of an answer: who asked for what is not in it. */
const told = ({ status, headers, body }: Answer): unknown => ({
  status,
  // How long a conversation has lasted is another figure in each answer.
  body: typeof body === 'string' ? body.replaceAll(/"now\\?":\d+/g, '"now":0') : body,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['date', 'content-length'].includes(name)),
  ),
});

/** All that an inspector asks of a journal for its pages. */
const ASKED = [
  'conversation',
  'conversations',
  'events',
  'readWhole',
  'questions',
  'enqueue',
  'interrupt',
  'answer',
  'stats',
  'pauses',
] as const satisfies readonly (keyof Journal)[];

/** What is read by itself, while a page is open. */
const LOOKED_AT: readonly string[] = ['conversation', 'conversations', 'questions', 'stats', 'pauses'];

describe('a journal that fails', () => {
  const SECRET = `connect ECONNREFUSED db-7.internal:5432, role app_admin, locked by "${MARK}"`;

  /** An inspector of a journal whose methods fail, from when `begin` is called. */
  async function openFailing(tenant: string | undefined, failing: readonly string[], error: Error) {
    let isAway = false;
    const journal = new Proxy(scene.journal, {
      get: (target, name: keyof Journal) =>
        isAway && failing.includes(name) ? () => Promise.reject(error) : target[name],
    });
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const given = { journal, title: 'desk', isReadOnly: false, tenant };
    const opened = await JournalSource.open(given);
    const listener = new RememberingListener();
    const stop = opened.watch(listener);
    onTestFinished(async () => {
      stop();
      await opened.close();
      warn.mockRestore();
    });
    return { opened, listener, begin: () => (isAway = true) };
  }

  /** Everything that a page can do with one conversation, and what it is told. */
  async function tryAll(opened: JournalSource): Promise<string> {
    const told: unknown[] = [];
    const tell = (result: unknown): void => void told.push(result);
    const note = (error: unknown): void => void told.push(String(error));
    for (const name of ACTION_NAMES)
      for (const make of BODIES[name])
        tell(await opened.act(make({ session: OWN, id: 'qa' }) as Parameters<typeof opened.act>[0]));
    await opened.read(OWN, 0, 10).then(tell, note);
    await opened.readWhole(OWN, 2).then(tell, note);
    return JSON.stringify(told);
  }

  it.each(ASKED)('tells one tenant a code and a sentence of its own (%s)', async (name) => {
    const { opened, listener, begin } = await openFailing('A', [name], new Error(SECRET));
    begin();
    const told = await tryAll(opened);
    await scene.send(OWN, 'Next');
    if (LOOKED_AT.includes(name))
      await listener.waitFor(() => listener.clusters.at(-1)?.trouble !== undefined);
    const shown = told + JSON.stringify(listener.clusters);
    expect(shown).not.toMatch(new RegExp(`${MARK}|db-7|app_admin|ECONNREFUSED`));
    expect(shown).toContain('The journal does not answer as it should at the moment (JOURNAL_UNAVAILABLE).');
  });

  it('tells one tenant which code it was, and what concerns its own conversation', async () => {
    const version = new ClusterError('JOURNAL_VERSION', SECRET);
    const { opened, begin } = await openFailing('A', ['interrupt', 'enqueue'], version);
    begin();
    expect(await opened.act({ action: 'interrupt', session: OWN })).toEqual({
      ok: false,
      error: {
        code: 'JOURNAL_VERSION',
        message: 'The journal does not answer as it should at the moment (JOURNAL_VERSION).',
      },
    });
    const closed = new ClusterError('CONVERSATION_CLOSED', SECRET, { key: OWN });
    const other = await openFailing('A', ['enqueue'], closed);
    other.begin();
    expect(await other.opened.act({ action: 'send', session: OWN, text: 'Hi' })).toEqual({
      ok: false,
      error: { code: 'CONVERSATION_CLOSED', message: 'The conversation is closed.' },
    });
  });

  it('tells the whole of it to an inspector that sees everything', async () => {
    const { opened, begin } = await openFailing(undefined, ['interrupt'], new Error(SECRET));
    begin();
    expect(await opened.act({ action: 'interrupt', session: OWN })).toMatchObject({
      error: { message: SECRET },
    });
  });
});

describe('an inspector for one tenant', () => {
  it('has an answer here for every route and every action', () => {
    const assets = {
      script: '',
      style: '',
      served: new Map([
        ['page.js', Buffer.of()],
        ['page.css', Buffer.of()],
      ]),
    };
    const routes = Object.keys(listRoutes({ source, assets } as unknown as ServedParts));
    expect(routes.toSorted()).toEqual([...Object.keys(REQUESTS), ...WITHOUT_DATA].toSorted());
    expect(Object.keys(BODIES).toSorted()).toEqual(ACTION_NAMES.toSorted());
  });

  it.each(Object.keys(REQUESTS))('answers at %s as if there were no others', async (route) => {
    const ask = async (target: Target): Promise<unknown[]> => {
      const answers: unknown[] = [];
      for (const answer of REQUESTS[route]?.(target) ?? []) answers.push(told(await answer));
      return answers;
    };
    const snapshot = async (): Promise<string> =>
      JSON.stringify(
        await Promise.all(
          ['b/1', 'none/1', 'gone/1', 'taken/1', UNKNOWN.session].map((key) => scene.journal.history(key)),
        ),
      );
    const isQuiet = route !== '/api/stream';
    const before = await snapshot();
    const changes: JournalChange[] = [];
    await using _ears = await scene.journal.listen((change) => changes.push(change));
    const unknown = await ask(UNKNOWN);
    expect(unknown.length).toBeGreaterThan(0);
    for (const target of FOREIGN) expect(await ask(target), target.session).toEqual(unknown);
    expect(JSON.stringify(unknown)).not.toContain(MARK);
    if (isQuiet) {
      expect(await snapshot()).toBe(before);
      expect(changes).toEqual([]);
    }
    expect(woken).toEqual([]);
  });

  it('lets its own conversation be read, answered and steered', async () => {
    expect((await get(`/api/events?${query({ session: OWN })}`)).body).toContain('An answer of A');
    expect((await get(`/api/line?${query({ session: OWN, n: 2 })}`)).body).toContain('A message of A');
    const results: unknown[] = [];
    for (const name of ['reveal', 'answer', 'send', 'interrupt'] as const) {
      const [make] = BODIES[name];
      const { body } = await served.act(make?.({ session: OWN, id: 'qa' }));
      results.push((JSON.parse(body) as { ok: boolean }).ok);
    }
    expect(results).toEqual([true, true, true, true]);
    expect(woken).toEqual([OWN, OWN]);
  });

  it('tells nothing of others in its state and its stream: no questions, figures, workers or reasons', async () => {
    const response = await served.open({ path: '/api/stream' });
    const stream = new StreamReader(response);
    await stream.waitFor(() => stream.messages.length > 0);
    const { fence, turn } = await resume('b/1');
    await scene.ask(fence, turn, 'qb2', { note: MARK });
    await scene.journal.answer('qb', { result: { behavior: 'allow' }, answeredAt: 0 });
    await scene.send('b/2', MARK, { tenant: 'B' });
    // More changes than are read one by one.
    for (let index = 0; index < 150; index += 1) await scene.send(`b/many/${index}`, MARK, { tenant: 'B' });
    await scene.send(OWN, 'Next');
    await stream.waitFor(() =>
      stream.messages.some(({ name, data }) => name === 'summary' && turnsOf(data) === 2),
    );
    await stream.waitFor(() =>
      stream.messages.some(({ name, data }) => name === 'cluster' && data.includes('postponed')),
    );
    const state = (await get('/api/state')).body;
    const heard = JSON.stringify(stream.messages);
    stream.drop();
    for (const text of [state, heard]) expect(text).not.toMatch(new RegExp(`${MARK}|b/|qb|none/1`));
    const { cluster, sessions, questions } = JSON.parse(state) as {
      cluster: Record<string, unknown>;
      sessions: { id: string; stateText: string; conversation: { owner?: string } }[];
      questions: { session: string }[];
    };
    expect(sessions.find(({ id }) => id === OWN)).toMatchObject({
      stateText: expect.stringContaining('runs on a worker') as string,
      conversation: { owner: 'a worker' },
    });
    expect(new Set(questions.map(({ session }) => session))).toEqual(new Set([OWN]));
    expect(cluster).not.toHaveProperty('workers');
    expect(cluster['pauses']).toEqual([
      { until: expect.any(Number) as number, reason: 'the turns of all tenants are postponed.' },
    ]);
    expect(cluster['stats']).toMatchObject({
      conversations: { running: 1, queued: 0 },
      questions: 1,
      leases: 1,
    });
  });
});
