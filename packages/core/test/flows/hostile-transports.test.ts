// Transports and spawners that break their rules: whatever they throw, reject, forget or say twice, the query ends, in
// time, with a typed error or cleanly, and nothing reaches the host.
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeCli, type FakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { InboardError } from '../../src/errors.js';
import type { Options } from '../../src/options/options.js';
import type { InboardWarning } from '../../src/options/check/warning.js';
import { query, type Query } from '../../src/verbs/query/query.js';
import type { SpawnedProcess } from '../../src/wire/process/run/spawner.js';
import type { Transport, TransportReceiver } from '../../src/wire/transport/transport.js';
import { runToEnd } from '../../../../test/support/scene.js';
import { settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';
import { watchHost, type HostWatch } from '../../../../test/support/watch-host.js';

const NEVER = new Promise<never>(() => {});
const fail = (): never => {
  throw new Error('mine');
};
// oxlint-disable-next-line unicorn/no-thenable -- callers give such things
const BROKEN_THENABLE = { then: fail };
const THROWN = {
  get message(): string {
    throw new Error('no message');
  },
};

let host: HostWatch;
let fakes: FakeCli[] = [];
useVirtualClock();

beforeEach(() => {
  host = watchHost();
});

afterEach(async () => {
  try {
    for (const fake of fakes) await fake.close({ verify: false });
    fakes = [];
    await host.expectClean();
  } finally {
    host.stop();
  }
});

interface Stage {
  q: Query;
  warnings: InboardWarning[];
  abortController: AbortController;
}

function start(options: Options): Stage {
  const warnings: InboardWarning[] = [];
  const abortController = new AbortController();
  const onWarning = (warning: InboardWarning): void => void warnings.push(warning);
  return {
    q: query({ prompt: 'hi', options: { onWarning, abortController, ...options } }),
    warnings,
    abortController,
  };
}

/** A query on a fake CLI whose transport is changed. */
function play(change: (inner: Transport) => object): Stage {
  const fake = createFakeCli([say('hello')]);
  fakes.push(fake);
  return start({
    transport: async (request) => {
      const inner = await fake.transport(request);
      const base: Transport = {
        pid: undefined,
        open: (receiver) => inner.open(receiver),
        write: (line) => inner.write(line),
        drained: () => inner.drained(),
        endInput: () => inner.endInput(),
        terminate: (times) => inner.terminate(times),
      };
      return Object.assign(base, change(inner));
    },
    claudeCodeVersion: '2.1.325',
  });
}

const ENDINGS: Record<string, (stage: Stage) => Promise<void>> = {
  'close()': async ({ q }) => {
    const reading = runToEnd(q);
    await q.initializationResult();
    await q.close();
    expect((await reading).error).toBeUndefined();
  },
  'abort()': async ({ q, abortController }) => {
    await q.initializationResult();
    abortController.abort();
    expect((await runToEnd(q)).error).toMatchObject({ code: 'ABORTED' });
  },
  'leaving the loop': async ({ q }) => {
    for await (const _ of q) break;
  },
};

const TERMINATES: Record<string, () => unknown> = {
  throws: fail,
  'never settles': () => NEVER,
  rejects: () => Promise.reject(new Error('mine')),
  'rejects with nothing': () => Promise.reject(),
  // oxlint-disable-next-line prefer-promise-reject-errors -- what is rejected with may be anything
  'rejects with what has no text': () => Promise.reject(THROWN),
  'resolves without a word of the end': () => Promise.resolve(),
  'gives nothing': () => undefined,
  'gives a thenable whose then throws': () => BROKEN_THENABLE,
};

describe.each(Object.entries(ENDINGS))('%s', (asked, end) => {
  const ways = Object.entries(TERMINATES);
  it.each(asked === 'close()' ? ways : ways.slice(0, 2))(
    'ends a transport whose terminate %s',
    async (how, terminate) => {
      const stage = play(() => ({ endInput: () => {}, terminate }));
      // The longest there is: 2 s, 5 s until SIGKILL, 5 s until it is given up.
      await settleWithin(13_000, end(stage));
      const codes = stage.warnings.map(({ code }) => code);
      expect(codes).toContain('TRANSPORT_STUCK');
      const failed = /^(throws|rejects|gives a thenable)/.test(how);
      expect(codes.filter((code) => code === 'CALLBACK_FAILED')).toHaveLength(failed ? 1 : 0);
    },
  );
});

describe('a transport', () => {
  it('that stays after the last result, whatever is asked of it, ends with a typed error', async () => {
    const { q } = play(() => ({ endInput: () => {}, terminate: () => NEVER }));
    const { messages, error } = await settleWithin(30_000, runToEnd(q));
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(error).toMatchObject({ code: 'TRANSPORT_STUCK', phase: 'shutdown' });
  });

  it.each<[string, () => unknown]>([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('mine'))],
    ['gives a thenable whose then throws', () => BROKEN_THENABLE],
  ])('whose write %s is ended with a typed error', async (_, write) => {
    const { q, warnings } = play(() => ({ write }));
    const { error } = await settleWithin(70_000, runToEnd(q));
    expect(error).toBeInstanceOf(InboardError);
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['INPUT_BROKEN', 'CALLBACK_FAILED']),
    );
    expect(warnings.length).toBeLessThan(5);
  });

  it.each<[string, (inner: Transport, line: string) => unknown]>([
    ['is asynchronous', async (inner, line) => inner.write(line)],
    ['never settles', (inner, line) => (inner.write(line), NEVER)],
    ['gives nothing', (inner, line) => void inner.write(line)],
  ])('whose write %s carries its lines all the same', async (_, write) => {
    const { q } = play((inner) => ({ write: (line: string) => write(inner, line) }));
    const { messages } = await settleWithin(10_000, runToEnd(q));
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'hello' });
  });

  it.each<[string, (inner: Transport) => object]>([
    ['drained', () => ({ write: () => false, drained: fail })],
    [
      'drained',
      (inner) => ({ write: (line: string) => (inner.write(line), false), drained: () => Promise.reject() }),
    ],
    ['guarded', () => ({ guarded: fail })],
    ['guarded', () => ({ guarded: () => Promise.reject(new Error('mine')) })],
    ['endInput', (inner) => ({ endInput: () => (inner.endInput(), fail()) })],
    ['endInput', (inner) => ({ endInput: () => (inner.endInput(), Promise.reject(new Error('mine'))) })],
  ])('whose %s fails is warned of once, and does not end the host', async (method, change) => {
    const { q, warnings } = play(change);
    const reading = runToEnd(q);
    void q.initializationResult().catch(() => {});
    await settleWithin(70_000, reading);
    const failed = warnings.filter(({ code }) => code === 'CALLBACK_FAILED');
    expect(failed).toMatchObject([{ message: expect.stringContaining(`"transport.${method}"`) }]);
  });

  it.each<[string, (receiver: TransportReceiver) => void]>([
    ['closes twice', (receiver) => receiver.closed({ exitCode: 1, signal: null, stderrTail: '' })],
    ['sends a line', (receiver) => receiver.line('{"type":"result"}')],
    ['sends what is no line', (receiver) => receiver.line(undefined as never)],
    ['reports a fault', (receiver) => receiver.fault(new InboardError('LATE', 'late'))],
    ['reports nothing as a fault', (receiver) => receiver.fault(undefined as never)],
  ])('that %s after its end changes nothing', async (_, late) => {
    let given: TransportReceiver | undefined;
    const { q, warnings } = play((inner) => ({
      open: (receiver: TransportReceiver) => {
        given = receiver;
        inner.open(receiver);
      },
    }));
    const { messages, error } = await settleWithin(5_000, runToEnd(q));
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(error).toBeUndefined();
    late(given as TransportReceiver);
    expect(warnings).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'gone'],
    ['wrong fields', { exitCode: '1', signal: 9, error: 'broken' }],
  ])('that says %s about its end is over all the same', async (_, end) => {
    const { q } = play((inner) => ({
      open: (receiver: TransportReceiver) =>
        inner.open({ ...receiver, line: () => {}, closed: () => receiver.closed(end as never) }),
    }));
    const reading = runToEnd(q);
    await settleWithin(70_000, reading);
    expect((await reading).error).toBeInstanceOf(InboardError);
  });

  it('that delivers while it is opened, and what is no line, is understood', async () => {
    const { q, warnings } = play((inner) => ({
      open: (receiver: TransportReceiver) => {
        receiver.line(Buffer.from('{}') as never);
        receiver.fault('a word' as never);
        inner.open(receiver);
      },
    }));
    const { messages } = await settleWithin(5_000, runToEnd(q));
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(warnings.map(({ code }) => code)).toEqual(['MALFORMED_LINE', 'TRANSPORT_FAULT']);
  });

  it.each<[string, Options['transport'] | (() => unknown), object]>([
    ['cannot be made', fail, { message: 'mine' }],
    ['cannot be made later', () => Promise.reject(new Error('mine')), { message: 'mine' }],
    ['is made by a thenable whose then throws', () => BROKEN_THENABLE, { message: 'mine' }],
    ['is nothing', () => undefined, { code: 'INVALID_OPTIONS' }],
    [
      'lacks methods',
      () => ({ open: () => {} }),
      { code: 'INVALID_OPTIONS', message: expect.stringContaining('terminate') },
    ],
    ['cannot be opened', () => ({ ...SILENT, open: fail }), { message: 'mine' }],
    [
      'cannot be opened later',
      () => ({ ...SILENT, open: () => Promise.reject(new Error('mine')) }),
      { code: 'TRANSPORT_FAILED' },
    ],
  ])('that %s ends the query with its reason', async (_, transport, expected) => {
    const { q } = start({ transport: transport as Options['transport'] });
    const { error } = await settleWithin(1_000, runToEnd(q));
    expect(error).toMatchObject(expected);
  });

  it('that is never made does not keep close() waiting, and one that comes too late is ended', async () => {
    let make: ((transport: unknown) => void) | undefined;
    const transport = (): Promise<Transport> => new Promise((resolve) => (make = resolve as never));
    const { q } = start({ transport });
    await settleWithin(1_000, q.close());
    let terminated = 0;
    make?.({ ...SILENT, terminate: () => Promise.resolve(void (terminated += 1)) });
    await settleWithin(1_000, Promise.resolve());
    expect(terminated).toBe(1);
  });

  it('of another session is refused, and that session is left alone', async () => {
    const fake = createFakeCli([say('hello')]);
    fakes.push(fake);
    const transport = await fake.transport({ args: [], env: {}, cwd: '/' });
    const first = start({ transport });
    await first.q.initializationResult();
    const second = start({ transport });
    expect((await settleWithin(1_000, runToEnd(second.q))).error).toMatchObject({ code: 'ALREADY_OPEN' });
    expect((await settleWithin(5_000, runToEnd(first.q))).messages.at(-1)).toMatchObject({ type: 'result' });
  });
});

const SILENT: Transport = {
  pid: undefined,
  open: () => {},
  write: () => true,
  drained: () => Promise.resolve(),
  endInput: () => {},
  terminate: () => Promise.resolve(),
};

describe('a process of spawnClaudeCodeProcess', () => {
  const spawnSilent = (kill: () => unknown): SpawnedProcess =>
    Object.assign(new EventEmitter(), {
      stdin: new PassThrough().resume(),
      stdout: new PassThrough(),
      killed: false,
      exitCode: null,
      kill,
    }) as unknown as SpawnedProcess;

  it.each<[string, () => unknown]>([
    ['gives true', () => true],
    ['gives false', () => false],
    ['throws', fail],
    [
      'throws undefined',
      () => {
        throw undefined;
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('that never exits, and whose kill %s, is given up', async (_, kill) => {
    const { q, warnings } = start({
      spawnClaudeCodeProcess: () => spawnSilent(kill),
      claudeCodeVersion: '2.1.325',
    });
    const reading = runToEnd(q);
    await settleWithin(100, Promise.resolve());
    await settleWithin(13_000, q.close());
    expect((await reading).error).toBeUndefined();
    expect(warnings).toMatchObject([{ code: 'PROCESS_STUCK' }]);
  });
});
