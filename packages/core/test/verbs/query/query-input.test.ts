// Calls without a prompt, as programs without types make them: refused in the caller's own tick, nothing is started.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { InvalidOptionsError } from '../../../src/errors.js';
import { openSession } from '../../../src/verbs/conversation/open-session.js';
import { createSessionGroup } from '../../../src/verbs/fleet/session-group.js';
import { startup } from '../../../src/verbs/fleet/startup.js';
import { createWarmPool } from '../../../src/verbs/fleet/warm-pool.js';
import { query } from '../../../src/verbs/query/query.js';
import { run } from '../../../src/verbs/query/run.js';
import type { Transport } from '../../../src/wire/transport/transport.js';

const started: string[] = [];
const transport = (): Transport => {
  started.push('a CLI');
  throw new Error('It was started');
};

const CALLS: Array<[title: string, given: unknown, says: RegExp]> = [
  ['an empty object', { options: { transport } }, /^The prompt must be .* it is missing$/],
  ['a prompt that is undefined', { prompt: undefined, options: { transport } }, /it is missing$/],
  ['a prompt that is null', { prompt: null, options: { transport } }, /it is null$/],
  ['a text', 'hi', /takes one object, as in \w+\(\{ prompt: "hi" \}\); it was given a string$/],
  ['an array', ['hi'], /it was given an array$/],
  ['nothing', undefined, /it was given nothing$/],
  [
    'options that are no object',
    { prompt: 'hi', options: 'fast' },
    /^"options" must be an object, not a string$/,
  ],
];

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each(CALLS)('%s', (_, given, says) => {
  it('is refused by query', () => {
    const error = thrownBy(() => query(given as never));
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error).toMatchObject({ phase: 'options', message: expect.stringMatching(says) as string });
    expect(started).toEqual([]);
  });

  it('is refused by run', async () => {
    const error: unknown = await run(given as never).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error).toMatchObject({ message: expect.stringMatching(says) as string });
    expect(started).toEqual([]);
  });
});

it('a pool refuses the same, and keeps its CLI for the next query', async () => {
  await using fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
  await using pool = createWarmPool({ options: { transport: fake.transport } });
  await pool.ready();
  expect(() => pool.query({} as never)).toThrow('it is missing');
  expect(() => pool.query('hi' as never)).toThrow('query({ prompt: "hi" })');
  expect(pool.stats()).toMatchObject({ warm: 0, cold: 0 });
});

describe('a session', () => {
  it.each([
    ['a text', 'hi'],
    ['a prompt', { prompt: 'hi' }],
    ['null', null],
  ])('opened with %s is refused, and says how a message is sent', (_, given) => {
    const error = thrownBy(() => openSession(given as never));
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error).toMatchObject({ message: expect.stringContaining('session.send(prompt)') as string });
  });
});

describe('a guard beside "options" instead of in it', () => {
  const guard = { canUseTool: async () => null, disallowedTools: ['Bash'] } as never;
  const says = '"canUseTool", "disallowedTools" must be in "options"';

  it.each<[string, () => unknown]>([
    ['openSession', () => openSession(guard)],
    ['createWarmPool', () => createWarmPool(guard)],
    ['createSessionGroup', () => createSessionGroup(Object.assign({ maxRunning: 1 }, guard))],
    ['open', () => createSessionGroup({ maxRunning: 1 }).open(guard)],
  ])('is refused by %s', (call, make) => {
    expect(thrownBy(make)).toMatchObject({
      code: 'INVALID_OPTIONS',
      message: `${says}, as in ${call}({ options: { canUseTool, disallowedTools } })`,
    });
  });

  it('is warned of by what the official SDK has, too', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const given = (): never => Object.assign({ prompt: 'hi', options: { transport } }, guard);
    await expect(query(given()).next()).rejects.toThrow('It was started');
    await expect(run(given())).rejects.toThrow('It was started');
    await expect(startup(given())).rejects.toThrow('It was started');
    expect(warned.mock.calls.map(([text]) => text)).toEqual(
      ['query', 'run', 'startup'].map((call) => expect.stringContaining(`${says}, as in ${call}(`) as string),
    );
  });
});
