// Sessions of every kind under inspection: from their first line or later, over several CLIs, alone, in pools and in groups.
import { describe, expect, it } from 'vitest';
import {
  createSessionGroup,
  createSdkMcpServer,
  createWarmPool,
  openSession,
  query,
  startup,
  tool,
} from '@inboard/inboard/index.js';
import {
  crash,
  createFakeCli,
  elicit,
  gate,
  held,
  text,
  toolUse,
  type FakeCli,
} from '@inboard/inboard/testing.js';
import { LiveScene } from '../support/live-scene.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

async function drain(messages: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of messages);
  } catch (error) {
    return error;
  }
  return undefined;
}

const types = async (scene: LiveScene, session = 's1'): Promise<string[]> =>
  (await scene.events(session)).map(({ event }) => event.type);

describe('a query', () => {
  it('is told from its opening over header and frames to its end, numbered without a gap, pushed as it is read', async () => {
    await using fake = createFakeCli([text(['Hel', 'lo', ' you'])]);
    await using scene = new LiveScene();
    const options = { transport: fake.transport, includePartialMessages: true, title: 'Greeting' };
    const session = query({ prompt: 'Hi.', options });
    scene.follow(session);
    expect(await drain(session)).toBeUndefined();
    const events = await scene.events();
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ event }) => event.type)).toEqual([
      'opened',
      'header',
      ...events.slice(2, -2).map(({ event }) => event.type),
      'end',
      'over',
    ]);
    expect(events[0]?.event).toMatchObject({ kind: 'query', title: 'Greeting', t: 0 });
    const pieces = await scene.eventsOf('pieces');
    expect(pieces.map((each) => each.text).join('')).toBe('Hello you');
    expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    const frames = await scene.eventsOf('frame');
    expect(frames.some(({ dir, frame }) => dir === 'out' && frame?.['type'] === 'user')).toBe(true);
    expect(frames.some(({ frame }) => frame?.['type'] === 'result')).toBe(true);
    expect(scene.pushed).toEqual(events);
    const line = await scene.source.readWhole('s1', 2);
    expect(JSON.parse(line ?? '')).toMatchObject({ n: 2, s: 's1', type: 'header', pid: null });
    expect(scene.source.sessions()).toMatchObject([{ id: 's1', kind: 'query', can: { send: false } }]);
  });

  it('that runs already is told from then on, and says that earlier events are missing', async () => {
    const pause = gate();
    await using fake = createFakeCli([held(text('Later.'), pause)]);
    await using scene = new LiveScene();
    const session = query({ prompt: 'Hi.', options: { transport: fake.transport } });
    const done = drain(session);
    await pause.reached;
    scene.follow(session);
    pause.open();
    await done;
    const found = await types(scene);
    expect(found.slice(0, 3)).toEqual(['opened', 'header', 'gap']);
    expect(await scene.eventsOf('gap')).toMatchObject([{ reason: 'late' }]);
    expect(found.at(-1)).toBe('over');
  });

  it('is left alone once nobody looks any more', async () => {
    const pause = gate();
    await using fake = createFakeCli([held(text('Later.'), pause)]);
    const scene = new LiveScene();
    const session = query({ prompt: 'Hi.', options: { transport: fake.transport } });
    scene.follow(session);
    const done = drain(session);
    await pause.reached;
    const before = scene.pushed.length;
    await scene[Symbol.asyncDispose]();
    pause.open();
    expect(await done).toBeUndefined();
    expect(scene.pushed.length).toBe(before);
  });

  it('can be sent messages, interrupted and changed, and says so', async () => {
    const pause = gate();
    await using fake = createFakeCli([held(text('One.'), pause), text('Two.')]);
    await using scene = new LiveScene();
    const session = openSession({ options: { transport: fake.transport } });
    scene.follow(session);
    const turn = session.send('First.');
    await pause.reached;
    expect(scene.source.sessions()[0]?.can).toMatchObject({ send: true, interrupt: true, rewind: false });
    const act = scene.source.act.bind(scene.source);
    expect(await act({ action: 'set-model', session: 's1', model: 'opus' })).toEqual({ ok: true });
    expect(await act({ action: 'set-mode', session: 's1', mode: 'plan' })).toEqual({ ok: true });
    expect(await act({ action: 'send', session: 's1', text: 'Second.' })).toEqual({ ok: true });
    pause.open();
    await turn.outcome();
    await waitUntil(() => fake.log.some(({ line }) => line.includes('Second.')));
    expect(fake.requests.map(({ subtype }) => subtype)).toEqual(
      expect.arrayContaining(['set_model', 'set_permission_mode']),
    );
    await session.close();
    expect(await act({ action: 'interrupt', session: 's1' })).toMatchObject({
      error: { code: 'SESSION_OVER' },
    });
    expect(await act({ action: 'interrupt', session: 's9' })).toMatchObject({
      error: { code: 'NO_SESSION' },
    });
  });

  it('calls its tools by hand, as they are now, with secrets taken out of the result', async () => {
    const pause = gate();
    const shop = createSdkMcpServer({
      name: 'shop',
      tools: [
        tool('count', 'Counts', { article: 'string' }, ({ article }) => ({ article, password: 'hunter22' })),
      ],
    });
    await using fake = createFakeCli([held(text('Done.'), pause)]);
    await using scene = new LiveScene();
    const session = query({ prompt: 'Hi.', options: { transport: fake.transport, mcpServers: { shop } } });
    scene.follow(session);
    const done = drain(session);
    await pause.reached;
    const call = { action: 'call-tool', session: 's1', server: 'shop', tool: 'count' } as const;
    const result = await scene.source.act({ ...call, input: { article: 'tea' } });
    expect(result).toMatchObject({ ok: true, result: { durationMs: expect.any(Number) as number } });
    expect(JSON.stringify(result)).toContain('tea');
    expect(JSON.stringify(result)).not.toContain('hunter22');
    expect(await scene.source.act({ ...call, input: { article: 7 } })).toMatchObject({
      ok: true,
      result: { isError: true },
    });
    expect(await scene.source.act({ ...call, server: 'none', input: {} })).toMatchObject({
      error: { code: 'NO_SERVER' },
    });
    pause.open();
    await done;
  });

  it('has its elicitations answered from the page, checked by their schema', async () => {
    const schema = { type: 'object', properties: { age: { type: 'number' } }, required: ['age'] };
    const ask = elicit({ serverName: 'crm', message: 'How old?', requestedSchema: schema });
    await using fake = createFakeCli([ask, text('Thanks.')]);
    await using scene = new LiveScene();
    const options = { transport: fake.transport, onElicitation: async () => null };
    const session = query({ prompt: 'Ask.', options });
    scene.follow(session);
    const done = drain(session);
    const question = await scene.question();
    expect(question).toMatchObject({ kind: 'elicitation', subject: 'crm', description: 'How old?', schema });
    const { id } = question;
    const submit = (content: Record<string, unknown>) =>
      scene.source.act({ action: 'answer', session: 's1', id, decision: { kind: 'submit', content } });
    expect(await submit({ age: 'old' })).toMatchObject({
      error: { code: 'BAD_INPUT', issues: [{ path: ['age'] }] },
    });
    expect(await submit({ age: 36 })).toEqual({ ok: true });
    await done;
    const sent = fake.log.map(({ line }) => line).filter((line) => line.includes('"accept"'));
    expect(sent).toHaveLength(1);
    expect(await scene.eventsOf('settled')).toMatchObject([{ outcome: 'answered', by: 'inspector' }]);
  });
});

describe('a conversation', () => {
  it('is one session over all its CLIs', async () => {
    let starts = 0;
    await using first = createFakeCli([text('One.'), crash({ signal: 'SIGKILL' })], { allowEarlyEnd: true });
    await using second = createFakeCli([text('Two.')]);
    const transport: FakeCli['transport'] = Object.assign(
      (request: Parameters<FakeCli['transport']>[0]) => (starts++ === 0 ? first : second).transport(request),
      { claudeCodeVersion: first.transport.claudeCodeVersion },
    );
    await using scene = new LiveScene();
    const session = openSession({
      options: { transport },
      restart: { backoffMs: 1 },
    });
    scene.follow(session);
    await session
      .send('First.')
      .outcome()
      .catch(() => {});
    await waitUntil(() => starts === 2);
    await session.send('Second.').outcome();
    await session.close();
    const found = await types(scene);
    expect(found.filter((type) => ['opened', 'header', 'end', 'over'].includes(type))).toEqual([
      'opened',
      'header',
      'end',
      'header',
      'end',
      'over',
    ]);
    expect(scene.source.sessions()).toMatchObject([{ id: 's1', kind: 'conversation' }]);
    const events = await scene.events();
    const times = events.flatMap(({ event }) => ('t' in event ? [event.t] : []));
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('and another are told apart', async () => {
    await using fake = createFakeCli([text('Answer.')]);
    await using scene = new LiveScene();
    const sessions = [1, 2].map(() => openSession({ options: { transport: fake.transport } }));
    for (const session of sessions) scene.follow(session);
    await Promise.all(sessions.map((session) => session.send('Hi.').outcome()));
    await Promise.all(sessions.map((session) => session.close()));
    expect(scene.source.sessions().map(({ id }) => id)).toEqual(['s1', 's2']);
    const all = [...(await scene.events('s1')), ...(await scene.events('s2'))];
    expect(new Set(all.map(({ n }) => n)).size).toBe(all.length);
    for (const id of ['s1', 's2']) {
      expect((await scene.events(id)).every(({ s }) => s === id)).toBe(true);
      expect((await types(scene, id)).at(-1)).toBe('over');
    }
  });
});

describe('a pool, a group and a warm start', () => {
  it('show the CLI that waits, which stays one session when it is used', async () => {
    await using fake = createFakeCli([text('Warm.')], { allowEarlyEnd: true });
    await using scene = new LiveScene();
    const pool = createWarmPool({ options: { transport: fake.transport }, healthCheck: false });
    scene.follow(pool);
    await pool.ready();
    expect(scene.source.sessions()).toMatchObject([{ id: 's1', kind: 'warm', can: { send: false } }]);
    expect(await drain(pool.query({ prompt: 'Hi.' }))).toBeUndefined();
    const kinds = scene.source.sessions().map(({ id, kind }) => `${id} ${kind}`);
    expect(kinds).toEqual(['s1 query', 's2 warm']);
    await pool.close();
    const warm = await startup({ options: { transport: fake.transport } });
    expect(scene.source.sessions()).toHaveLength(2);
    scene.follow(warm);
    expect(scene.source.sessions()).toHaveLength(3);
    await drain(warm.query('Hi.'));
    expect((await types(scene, 's3')).slice(0, 3)).toEqual(['opened', 'header', 'gap']);
  });

  it('show the sessions of a group, also those that have no CLI yet', async () => {
    await using fake = createFakeCli([text('Grouped.')], { allowEarlyEnd: true });
    await using scene = new LiveScene();
    await using group = createSessionGroup({ maxRunning: 1, options: { transport: fake.transport } });
    const one = group.open();
    scene.follow(group);
    const two = group.open();
    await one.send('Hi.').outcome();
    await two.send('Hi.').outcome();
    expect(scene.source.sessions().map(({ kind }) => kind)).toEqual(['conversation', 'conversation']);
    await group.closeAll();
    expect((await types(scene, 's2')).at(-1)).toBe('over');
  });
});

describe('a hidden value', () => {
  it('of the environment is hidden wherever it stands, unless the session hides nothing', async () => {
    const env = { PATH: process.env['PATH'] ?? '', SHOP_TOKEN: 'tea-and-biscuits-42' };
    const say = toolUse(
      'mcp__none__x',
      { note: 'tea-and-biscuits-42' },
      { result: 'ok', permission: 'skip' },
    );
    await using fake = createFakeCli([say, text('Said.')]);
    await using scene = new LiveScene();
    const session = query({ prompt: 'Hi.', options: { transport: fake.transport, env } });
    scene.follow(session);
    await drain(session);
    expect(JSON.stringify(await scene.events())).not.toContain('tea-and-biscuits-42');
    await using open = createFakeCli([say, text('Said.')]);
    const trace = { write: () => {}, redact: false } as never;
    const bare = query({ prompt: 'Hi.', options: { transport: open.transport, env, trace } });
    scene.follow(bare);
    await drain(bare);
    expect(JSON.stringify(await scene.events('s2'))).toContain('tea-and-biscuits-42');
  });
});
