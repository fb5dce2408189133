// What a page can ask for and have done: state, events by number, whole lines, actions, and what is wrong with them.
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOSTILE_TEXT } from '../../../../test/support/hostile-text.js';
import { Served } from '../support/served.js';

const MARKUP = '</script><img src=x onerror=alert(1)>&quot;\r\n\r\n';

let served: Served;

beforeEach(async () => {
  served = await (await Served.start()).enter();
});
afterEach(() => served.close());

const read = async (path: string): Promise<unknown> => JSON.parse((await served.ask({ path })).body);

describe('reading', () => {
  it('gives the state, and events by number', async () => {
    for (let index = 0; index < 5; index += 1) served.source.add(index % 2 ? 'odd' : 'even');
    expect(await read('/api/state')).toMatchObject({
      kind: 'live',
      isReadOnly: false,
      title: 'A test',
      sessions: [{ id: 'even' }, { id: 'odd' }],
    });
    const numbers = async (query: string): Promise<unknown> => {
      const { lines, next } = (await read(`/api/events?${query}`)) as { lines: string[]; next?: number };
      return [lines.map((line) => (JSON.parse(line) as { n: number }).n), next];
    };
    expect(await numbers('session=even')).toEqual([[1, 3, 5], undefined]);
    expect(await numbers('session=even&after=1&limit=1')).toEqual([[3], 3]);
    expect(await numbers('session=even&after=3&limit=0')).toEqual([[5], undefined]);
    expect(await numbers('session=none')).toEqual([[], undefined]);
    expect(await served.ask({ path: '/api/line?session=odd&n=9' })).toMatchObject({ status: 404 });
  });

  it.each([
    '/api/events',
    '/api/events?session=',
    '/api/events?session=s&after=-1',
    '/api/events?session=s&limit=1e9',
    '/api/line?session=s&n=0x1',
    '/api/stream?session=s&after=NaN',
  ])('says what is wrong with %s', async (path) => {
    const answer = await served.ask({ path });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
  });

  it('gives foreign text back as strings of JSON, or as text, and never as markup', async () => {
    served.source.title = HOSTILE_TEXT;
    const n = served.source.add(MARKUP, { type: 'warning', t: 0, code: 'X', message: HOSTILE_TEXT });
    const session = encodeURIComponent(MARKUP);
    const state = await served.ask({ path: '/api/state' });
    expect(state.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(state.body)).toMatchObject({ title: HOSTILE_TEXT, sessions: [{ id: MARKUP }] });
    const { lines } = (await read(`/api/events?session=${session}`)) as { lines: string[] };
    expect(JSON.parse(lines[0] as string)).toMatchObject({ s: MARKUP, message: HOSTILE_TEXT });
    const line = await served.ask({ path: `/api/line?session=${session}&n=${n}` });
    expect(line.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const refused = await served.act({ action: HOSTILE_TEXT });
    expect(refused.status).toBe(400);
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('sends the script compressed, and nothing when the browser has it', async () => {
    const response = await served.open({ path: '/page.js', headers: { 'accept-encoding': 'gzip, br' } });
    const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toBe('script()'.repeat(500));
    expect(bytes.length).toBeLessThan(100);
    const again = await served.ask({
      path: '/page.js',
      headers: { 'if-none-match': response.headers.etag as string },
    });
    expect(again).toMatchObject({ status: 304, body: '' });
    expect((await served.ask({ path: '/page.js' })).body).toBe('script()'.repeat(500));
  });
});

describe('acting', () => {
  it('goes to the source as it came, and gives back what that says', async () => {
    const actions = [
      {
        action: 'answer',
        session: 's',
        id: 'q',
        decision: { kind: 'allow', edits: [{ path: ['a', 0], value: null }] },
      },
      {
        action: 'answer',
        session: 's',
        id: 'q',
        decision: { kind: 'allow', edits: [{ path: ['a'], remove: true }], remember: [0] },
      },
      { action: 'answer', session: 's', id: 'q', decision: { kind: 'deny', message: 'no', interrupt: true } },
      { action: 'answer', session: 's', id: 'q', decision: { kind: 'submit', content: {} } },
      { action: 'answer', session: 's', id: 'q', decision: { kind: 'decline' } },
      { action: 'reveal', session: 's', id: 'q' },
      { action: 'send', session: 's', text: HOSTILE_TEXT },
      { action: 'interrupt', session: 's' },
      { action: 'set-model', session: 's', model: 'm' },
      { action: 'set-mode', session: 's', mode: 'plan' },
      { action: 'rewind', session: 's', messageId: 'm', dryRun: true },
      { action: 'call-tool', session: 's', server: 'shop', tool: 'count', input: { article: 'apples' } },
    ];
    served.source.answer = async (action) => ({ ok: true, result: action.action });
    for (const action of actions) {
      const { status, body } = await served.act(action);
      expect([status, JSON.parse(body)]).toEqual([200, { ok: true, result: action.action }]);
    }
    expect(served.source.acts).toEqual(actions);
  });

  it.each([
    ['', /not JSON/],
    ['[]', /not a JSON object/],
    ['{}', /"action" is undefined, but must be one of: answer, /],
    ['{"action":"toString"}', /"toString"/],
    ['{"action":"__proto__"}', /"__proto__"/],
    ['{"action":"interrupt"}', /"session" of "interrupt"/],
    ['{"action":"send","session":"s","text":5}', /"text"/],
    ['{"action":"rewind","session":"s","messageId":"m"}', /"dryRun"/],
    ['{"action":"call-tool","session":"s","server":"a","tool":"b","input":[]}', /"input"/],
    ['{"action":"answer","session":"s","id":"q"}', /"decision"/],
    ['{"action":"answer","session":"s","id":"q","decision":{"kind":"maybe"}}', /"kind" is "maybe"/],
    ['{"action":"answer","session":"s","id":"q","decision":{"kind":"deny"}}', /"message"/],
    [
      '{"action":"answer","session":"s","id":"q","decision":{"kind":"allow","edits":[{"path":[{}],"value":1}]}}',
      /"edits"/,
    ],
    [
      '{"action":"answer","session":"s","id":"q","decision":{"kind":"allow","edits":[{"path":[]}]}}',
      /"edits"/,
    ],
    [
      '{"action":"answer","session":"s","id":"q","decision":{"kind":"allow","edits":[{"path":[],"remove":false,"value":1}]}}',
      /"edits"/,
    ],
    ['{"action":"answer","session":"s","id":"q","decision":{"kind":"allow","remember":[-1]}}', /"remember"/],
  ])('is refused with %s', async (body, message) => {
    const answer = await served.act(body);
    expect(answer.status).toBe(400);
    const { error } = JSON.parse(answer.body) as { error: { code: string; message: string } };
    expect(error.code).toBe('BAD_ACTION');
    expect(error.message).toMatch(message);
    expect(served.source.acts).toEqual([]);
  });

  it('is refused over 1 MiB, and taken just below', async () => {
    const action = (length: number): string =>
      JSON.stringify({ action: 'send', session: 's', text: 'x'.repeat(length) });
    const frame = action(0).length;
    expect(await served.act(action(1024 * 1024 - frame))).toMatchObject({ status: 200 });
    expect(await served.act(action(1024 * 1024 - frame + 1))).toMatchObject({ status: 413 });
    expect(await served.act(action(8 * 1024 * 1024))).toMatchObject({ status: 413 });
    expect(served.source.acts).toHaveLength(1);
  });

  it('makes links that let others in', async () => {
    const { body } = await served.act({ action: 'create-link' });
    const { result } = JSON.parse(body) as { result: { url: string } };
    expect(result.url.startsWith(`${served.origin}/#key=`)).toBe(true);
    served.secret = '';
    expect(await served.redeem(result.url)).toMatchObject({ status: 200 });
  });

  it('fails with a status when the source fails', async () => {
    served.source.answer = () => Promise.reject(new Error('secret'));
    const answer = await served.act({ action: 'interrupt', session: 's' });
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('secret');
  });
});

describe('read-only mode', () => {
  it('refuses every action but a link, and says so beforehand', async () => {
    const shown = await (await Served.start({ isReadOnly: true })).enter();
    try {
      shown.source.add('s');
      const canAll = { send: true, interrupt: true, setModel: true, setMode: true, rewind: true };
      const summary = { ...shown.source.sessions()[0], can: canAll };
      shown.source.sessions = () => [summary as never];
      shown.source.ask({ id: 'q', session: 's', canAnswer: true } as never);
      const state = JSON.parse((await shown.ask({ path: '/api/state' })).body) as Record<string, unknown>;
      expect(state).toMatchObject({
        isReadOnly: true,
        noToolsBecause: 'This inspector is read-only.',
        sessions: [
          { can: { send: false, interrupt: false, setModel: false, setMode: false, rewind: false } },
        ],
        questions: [{ canAnswer: false }],
      });
      for (const action of [
        { action: 'reveal', session: 's', id: 'q' },
        { action: 'answer', session: 's', id: 'q', decision: { kind: 'allow' } },
        { action: 'send', session: 's', text: 'x' },
        { action: 'interrupt', session: 's' },
        { action: 'call-tool', session: 's', server: 'a', tool: 'b', input: {} },
      ]) {
        const answer = await shown.act(action);
        expect(answer.status).toBe(403);
        expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'READ_ONLY' } });
      }
      expect(shown.source.acts).toEqual([]);
      expect(await shown.act({ action: 'create-link' })).toMatchObject({ status: 200 });
    } finally {
      await shown.close();
    }
  });
});
