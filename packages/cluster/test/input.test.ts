// What a cluster refuses, and what it says then.
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkClusterInput } from '../src/check-input.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { readWorkSettings } from '../src/work/host/worker-settings.js';
import { findJsonProblem } from '@inboard/core/util/json-problem.js';
import { useClusters } from './support/test-cluster.js';

const agents = { support: () => ({}) };

describe('createCluster', () => {
  it.each<[unknown, string, RegExp]>([
    [undefined, 'agents', /takes an object/],
    [{}, 'agents', /at least one agent/],
    [{ agents: {} }, 'agents', /at least one agent/],
    [{ agents: { support: {} } }, 'agents.support', /"support" must be a function/],
    [{ agents, journal: {} }, 'journal', /memoryJournal\(\) or postgresJournal\(\)/],
    [{ agents, journal: Promise.resolve(memoryJournal()) }, 'journal', /It is a promise: await it/],
    [{ agents, dispatcher: 'redis://x' }, 'dispatcher', /bullmqDispatcher\(\)/],
    [{ agents, telemetry: true }, 'telemetry', /clusterTelemetry\(\)/],
    [{ agents, onTrouble: 1 }, 'onTrouble', /must be a function/],
    [{ agents, jurnal: memoryJournal() }, 'jurnal', /no option "jurnal"\. Did you mean "journal"\?/],
    [{ agents, queue: 1 }, 'queue', /no option "queue"\. Its options are "agents", "journal"/],
  ])('refuses %j', (input, option, message) => {
    const check = (): void => checkClusterInput(input);
    expect(check).toThrow(message);
    expect(check).toThrow(expect.objectContaining({ name: 'InvalidOptionsError', options: [option] }));
  });
});

describe('a worker', () => {
  it.each<[object, RegExp]>([
    [{ concurency: 3 }, /A worker has no option "concurency"\. Did you mean "concurrency"\?/],
    [{ concurrency: 0 }, /must be a number, at least 1/],
    [{ recoveryConcurrency: -1 }, /"recoveryConcurrency" of a worker must be a whole number, at least 0/],
    [{ recoveryConcurrency: 0.5 }, /must be a whole number/],
    [{ recoveryConcurrency: '2' }, /must be a whole number/],
    [{ suspendWithServers: 'yes' }, /"suspendWithServers" of a worker must be true or false/],
  ])('refuses %j', (options, message) => {
    expect(() => readWorkSettings(options)).toThrow(message);
  });

  it('takes an option that is undefined for one that was not given', () => {
    const given = { concurrency: undefined, retries: undefined };
    expect(readWorkSettings(given).concurrency).toBe(readWorkSettings({}).concurrency);
  });
});

describe('the earlier name of "suspendAfterMs"', () => {
  const make = useClusters();

  it.each(['work', 'step'] as const)('is refused by %s(), which names the new one', async (method) => {
    const options = { holdApprovalMs: 10 } as object;
    const called = method === 'work' ? make().work(options) : make().step('a', options);
    await expect(called).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      options: ['holdApprovalMs'],
      message: `${method}() has no option "holdApprovalMs": it is called "suspendAfterMs" now, and means the same`,
    });
  });
});

describe('a conversation', () => {
  const make = useClusters();

  it.each<[unknown, RegExp]>([
    ['', /"key" must not be empty/],
    ['x'.repeat(501), /"key" must have at most 500 characters/],
    ['a\0b', /NUL/],
    [7, /"key" must be a string/],
  ])('cannot have the key %j', (key, message) => {
    expect(() => make().conversation(key as string)).toThrow(message);
  });

  it.each<[unknown, RegExp]>([
    [{ agent: 'suport' }, /no agent "suport"\. Did you mean "support"\?/],
    [{ agent: 'sales' }, /no agent "sales"\. There is "support"\./],
    [{ agent: 'toString' }, /no agent "toString"/],
    [{}, /needs an "agent"/],
    ['support', /must be an object/],
    [{ agent: 'support', name: 'Bo' }, /no "name": .*belongs in "data"/],
    [{ agent: 'support', tenant: '' }, /"tenant" must not be empty/],
    [
      { agent: 'support', data: { user: { born: new Date(0) } } },
      /"data\.user\.born" is a Date \(pass its toISOString\(\)\), which JSON/,
    ],
    [{ agent: 'support', data: [1, undefined] }, /"data\[1\]" is undefined/],
  ])('cannot start as %j', (start, message) => {
    expect(() => make().conversation('a', start as { agent: string })).toThrow(InvalidOptionsError);
    expect(() => make().conversation('a', start as { agent: string })).toThrow(message);
  });

  it.each<[unknown, object, RegExp]>([
    ['', {}, /message is empty/],
    [7, {}, /must be a string, a list of content blocks/],
    [[], {}, /must be a string/],
    [[{ type: 'text', text: undefined, extra: Number.NaN }], {}, /"message\[0\]\.extra" is NaN/],
    ['x', { id: '' }, /"id" must not be empty/],
    ['x', { id: 'a\0' }, /NUL/],
    ['x', { notBefore: new Date(Number.NaN) }, /"notBefore" must be a valid Date/],
    ['x', { notBefore: 'tomorrow' }, /"notBefore" must be/],
  ])('is not sent %j with %j', async (message, options, said) => {
    const chat = make().conversation('a', { agent: 'support' });
    const sent = chat.send(message as string, options);
    await expect(sent).rejects.toBeInstanceOf(InvalidOptionsError);
    await expect(sent).rejects.toThrow(said);
    expect(await chat.info()).toBeUndefined();
  });

  it('is forgotten by its key or its tenant, not both', async () => {
    const cluster = make();
    for (const choice of [{}, { conversation: 'a', tenant: 't' }, undefined])
      await expect(cluster.forget(choice as unknown as { tenant: string })).rejects.toThrow(
        /Say what to forget/,
      );
    await expect(cluster.forget({ tenant: '' })).rejects.toThrow(/"tenant" must not be empty/);
  });
});

describe('findJsonProblem', () => {
  const loop: { deep: { self?: unknown } } = { deep: {} };
  loop.deep.self = loop;
  const deep = Array.from({ length: 300 }).reduce<unknown>((inner) => [inner], 1);

  it.each<[string, unknown]>([
    ['"x" is undefined', undefined],
    ['"x" is NaN', Number.NaN],
    ['"x.a[1]" is Infinity', { a: [1, Infinity] }],
    ['"x" is a bigint', 1n],
    ['"x.run" is a function', { run: () => 1 }],
    ['"x["two words"]" is a symbol', { 'two words': Symbol('s') }],
    ['"x" is an instance of Map', new Map()],
    ['"x.e" is an instance of RangeError', { e: new RangeError('r') }],
    ['"x" is not a plain object', { toJSON: () => 1 }],
    ['"x.deep.self" contains itself', loop],
  ])('says %s', (said, value) => {
    expect(findJsonProblem(value, 'x')).toBe(said);
  });

  it('finds what is too deep', () => {
    expect(findJsonProblem(deep, 'x')).toMatch(/more than 200 levels deep/);
  });

  it('is content with JSON, with fields that are not there, and with the same thing twice', () => {
    const twice = { a: 1 };
    const value = {
      none: undefined,
      list: [null, true, 'x', -0, twice, twice],
      bare: Object.create(null) as object,
    };
    expect(findJsonProblem(value, 'x')).toBeUndefined();
  });
});
