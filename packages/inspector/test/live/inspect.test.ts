// `inspect()` itself: its options, its end, and the variable that opens it.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createApprovals, query } from '@inboard/inboard/index.js';
import { createFakeCli, text } from '@inboard/inboard/testing.js';
import { inspect, inspectTarget } from '../../src/inspect.js';
import { inspectByVariable, readInspectorVariable } from '../../src/inspect-by-variable.js';
import { inspectIfAsked } from '@inboard/core/live/watch/inspect-if-asked.js';
import { INSPECT_TARGET, type SessionsTarget } from '@inboard/core/live/watch/session-registry.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { enterByLink } from '../support/visitor.js';
import { buildEnvironment } from '@inboard/core/options/launch/environment.js';

const assets = { script: '', style: '', served: new Map() };
const quiet = { print: false, port: 0, assets };

describe('inspect', () => {
  it.each([
    ['port', -1, /whole number/],
    ['port', '4700', /but is "4700"/],
    ['host', 5, /as a string, but is 5/],
    ['host', '', /as a string/],
    ['allowedHosts', 'x', /list of names/],
    ['allowedHosts', [5], /list of names/],
    ['readOnly', 'no', /true or false/],
    ['hold', 'hold', /true or false/],
    ['redact', true, /false, or an object/],
    ['approvals', {}, /createApprovals/],
    ['title', 5, /a string/],
    ['print', 'no', /true, false or a function/],
    ['ports', 1, /has no option "ports"/],
  ])('refuses %s: %j before it listens', async (name, value, sentence) => {
    const opening = inspectTarget(undefined, { assets, print: false, [name]: value });
    await expect(opening).rejects.toThrow(InvalidOptionsError);
    await expect(opening).rejects.toThrow(sentence);
  });

  it('is there whatever the function does that is told the link', async () => {
    const print = (): never => {
      throw new Error('mine');
    };
    await using inspector = await inspectTarget(undefined, { ...quiet, print });
    expect((await fetch(inspector.url, { redirect: 'manual' })).status).toBeLessThan(400);
  });

  it('gives a link that lets one browser in, tells it, and is gone when it is closed', async () => {
    const told: string[] = [];
    const inspector = await inspectTarget(undefined, { ...quiet, print: (link) => told.push(link) });
    expect(told).toEqual([inspector.url]);
    expect(inspector.createLink()).not.toBe(inspector.url);
    expect((await (await enterByLink(inspector.url)).state()).sessions).toEqual([]);
    await expect(enterByLink(inspector.url)).rejects.toThrow('gave 401');
    await inspector.close();
    await inspector.close();
    await expect(fetch(inspector.url)).rejects.toThrow();
  });

  it('shows the one session it was given, and no other', async () => {
    await using fake = createFakeCli([text('Hi.')]);
    const sessions = [1, 2].map(() => query({ prompt: 'Hi.', options: { transport: fake.transport } }));
    const find = (sessions[0] as unknown as Record<typeof INSPECT_TARGET, () => SessionsTarget>)[
      INSPECT_TARGET
    ];
    await using inspector = await inspectTarget(find.call(sessions[0]), quiet);
    for (const session of sessions) for await (const _ of session);
    const visitor = await enterByLink(inspector.url);
    expect(await visitor.state()).toMatchObject({ kind: 'live', sessions: [{ id: 's1', state: 'ended' }] });
  });

  it.each([
    [{ port: 70_000 }, ['port']],
    [{ portt: 1 }, ['portt']],
    [{ prompt: 'Hi.' }, ['prompt']],
  ])('refuses %j', async (options, names) => {
    await expect(inspect(options as never)).rejects.toMatchObject({
      name: 'InvalidOptionsError',
      options: names,
    });
  });

  it('refuses what is no session, and askHere for one that runs', async () => {
    await expect(inspect('session' as never)).rejects.toMatchObject({ name: 'InvalidOptionsError' });
    await expect(inspect(createApprovals() as never)).rejects.toMatchObject({ name: 'InvalidOptionsError' });
    await using fake = createFakeCli([text('Hi.')]);
    const session = query({ prompt: 'Hi.', options: { transport: fake.transport } });
    await expect(inspect(session, { askHere: true })).rejects.toMatchObject({ options: ['askHere'] });
    for await (const _ of session);
  });
});

describe('INBOARD_INSPECT', () => {
  it.each([
    ['1', {}],
    ['true', {}],
    ['4800', { port: 4800 }],
    ['localhost:4800', { host: 'localhost', port: 4800 }],
    ['[::1]:4800', { host: '::1', port: 4800 }],
    ['hold', { hold: true }],
    ['HOLD:4800', { hold: true, port: 4800 }],
    ['hold:localhost:4800', { hold: true, host: 'localhost', port: 4800 }],
  ])('is %s', (value, place) => {
    expect(readInspectorVariable(value)).toEqual(place);
  });

  it.each([
    '0.0.0.0:80',
    'example.com:80',
    'soon',
    '99999',
    'hold:',
    'hold:soon',
    'hold:0.0.0.0:80',
    'holdup',
  ])('is not %s', (value) => {
    expect(() => readInspectorVariable(value)).toThrow(
      expect.objectContaining({ code: 'INSPECTOR_HOST_REFUSED' }),
    );
  });

  it('takes another port where another process has the one it names', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await using inspector = await inspectByVariable(String(port), { print: false, assets });
    expect(new URL(inspector.url).port).not.toBe(String(port));
    other.close();
  });

  it('asks for nothing where it is not set, and is not passed on to the CLI', () => {
    expect(inspectIfAsked({})).toBeUndefined();
    expect(inspectIfAsked({ INBOARD_INSPECT: '' })).toBeUndefined();
    for (const off of ['0', 'false', 'Off', 'no'])
      expect(inspectIfAsked({ INBOARD_INSPECT: off })).toBeUndefined();
    const env = buildEnvironment({ options: {}, hostEnv: { INBOARD_INSPECT: '1', KEPT: 'yes' } });
    expect(env).toMatchObject({ KEPT: 'yes' });
    expect(env).not.toHaveProperty('INBOARD_INSPECT');
  });
});
