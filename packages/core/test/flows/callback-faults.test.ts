// Every callback of the public API, misbehaving in every way: nothing reaches the host, what waits ends, and a listener that
// fails is a warning that names it, once. callback-list.test.ts knows them all.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageLedger } from '@inboard/inboard/index.js';
import { createMemoryTransport } from '@inboard/inboard/testing.js';
import { createRedactor, tapTransport, traceTransport } from '@inboard/inboard/trace.js';
import { propertyOptions } from '../../../../test/support/seed.js';
import { watchHost } from '../../../../test/support/watch-host.js';
import { ANSWERERS, LISTENERS, raise, type Callback, type Reach, type SetOff } from './set-off-callbacks.js';

const NEVER = new Promise<never>(() => {});
const UNREADABLE = {
  get message(): never {
    throw new Error('message');
  },
  get code(): never {
    throw new Error('code');
  },
  toString(): never {
    throw new Error('toString');
  },
};

let within: Reach | undefined;
const MISBEHAVIOURS: Record<string, Callback> = {
  throws: () => raise(new Error('mine')),
  'throws null': () => raise(null),
  'throws undefined': () => raise(undefined),
  'throws a text': () => raise('mine'),
  'throws what cannot be read': () => raise(UNREADABLE),
  rejects: () => Promise.reject(new Error('mine')),
  'rejects with undefined': () => Promise.reject(),
  // oxlint-disable-next-line prefer-promise-reject-errors -- what is rejected with may be anything
  'rejects with what cannot be read': () => Promise.reject(UNREADABLE),
  'rejects later': async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    throw new Error('late');
  },
  // oxlint-disable-next-line unicorn/no-thenable -- callers give such things
  'gives a thenable whose then throws': () => ({ then: () => raise(new Error('then')) }),
  'gives what throws when it is asked for then': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- callers give such things
    get then(): never {
      throw new Error('getter');
    },
  }),
  'gives a function that is a thenable': () =>
    // oxlint-disable-next-line unicorn/no-thenable -- callers give such things
    Object.assign(() => {}, { then: () => raise(new Error('then')) }),
  'closes, and throws': () => {
    void within?.close();
    throw new Error('mine');
  },
  'sends more, and rejects': () => {
    const { send: sendMore } = within ?? {};
    // Once: what hears each line must not write one for each.
    if (within) within.send = undefined;
    sendMore?.();
    return Promise.reject(new Error('mine'));
  },
};
const WAITING: Record<string, Callback> = {
  'never settles': () => NEVER,
  'closes, and never settles': () => {
    void within?.close();
    return NEVER;
  },
};

/** Ways that each callback is tried with; of the others each gets some, in turn, and the seed says which come first. */
const FOR_EACH = new Set([
  'throws what cannot be read',
  'rejects later',
  'gives what throws when it is asked for then',
  'closes, and throws',
  'sends more, and rejects',
]);
const FURTHER_WAYS = 2;

function chooseWays(index: number): Record<string, Callback> {
  const all = Object.entries(MISBEHAVIOURS);
  const further = all.filter(([how]) => !FOR_EACH.has(how));
  const first = index * FURTHER_WAYS + propertyOptions(1).seed;
  const chosen = Array.from({ length: FURTHER_WAYS }, (_, step) => further[(first + step) % further.length]);
  return Object.fromEntries(all.filter((way) => FOR_EACH.has(way[0]) || chosen.includes(way)));
}

/** Sets a callback off in each way, and gives the process warnings that came of it; nothing else may come of it. */
async function misbehave(setOff: SetOff, ways: Record<string, Callback>): Promise<string[]> {
  const warned: string[] = [];
  const emitWarning = vi
    .spyOn(process, 'emitWarning')
    .mockImplementation((warning) => void warned.push(String(warning)));
  const host = watchHost();
  onTestFinished(() => {
    emitWarning.mockRestore();
    host.stop();
    within = undefined;
  });
  for (const [how, callback] of Object.entries(ways)) {
    let calls = 0;
    const counted = (...given: never[]): unknown => {
      calls += 1;
      return callback(...given);
    };
    await setOff(counted, (inside) => (within = inside)).catch((error: unknown) => error);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await host.expectClean().catch((cause: unknown) => {
      throw new Error(`A callback that ${how} is felt by the host: ${String(cause)}`, { cause });
    });
    expect(calls, how).toBeGreaterThan(0);
  }
  return warned;
}

describe.each(Object.entries(LISTENERS).map(([type, row], index) => ({ type, index, ...row })))(
  '$type',
  ({ name, setOff, index }) => {
    it('may misbehave in every way, and its failure is reported once', async () => {
      vi.resetModules();
      const warned = await misbehave(setOff, { ...chooseWays(index), ...WAITING });
      // The process is told once, whatever follows.
      expect(warned.filter((text) => text.includes(`"${name}"`))).toHaveLength(1);
    });
  },
);

describe.each(Object.entries(ANSWERERS).map(([type, setOff], index) => ({ type, index, setOff })))(
  '$type',
  ({ setOff, index }) => {
    it('may misbehave in every way, and nobody waits for it for ever', async () => {
      await misbehave(setOff, chooseWays(index));
    });
  },
);

/** How a session ends, or a question in it, whose answerer never settles. */
const ENDINGS: Record<string, () => unknown> = {
  'close()': () => within?.close(),
  'abort()': () => within?.abort?.(),
  'a withdrawal': () => within?.interrupt?.(),
};
/** Asked before there is a CLI that could withdraw anything. */
const ASKED_EARLY = new Set(['SessionStore.load', 'SessionStore.listSessions', 'TransportFactory()']);
const ASKED_BY_CLI = new Set([
  'AroundTool',
  'CanUseTool',
  'HookCallback',
  'OnElicitation',
  'OnUserDialog',
  'SdkMcpToolDefinition.handler',
  'PermissionLookup',
]);

const GIVEN_NO_SIGNAL = new Set(['AroundTool', 'PermissionLookup']);

describe.each([...ASKED_BY_CLI, ...ASKED_EARLY])('%s that never settles', (type) => {
  const endings = Object.keys(ENDINGS).filter((how) => how !== 'a withdrawal' || ASKED_BY_CLI.has(type));

  it('keeps nobody from ending the session, and is told by its signal', async () => {
    const signals: AbortSignal[] = [];
    const waysOut = endings.map((how): [string, Callback] => {
      let isEnded = false;
      const wait = (...given: unknown[]): Promise<never> => {
        signals.push(...given.flatMap(readSignal));
        if (!isEnded) setImmediate(() => void ENDINGS[how]?.());
        isEnded = true;
        return NEVER;
      };
      return [`never settles, and ${how}`, wait];
    });
    await misbehave(ANSWERERS[type] as SetOff, Object.fromEntries(waysOut));
    if (ASKED_BY_CLI.has(type) && !GIVEN_NO_SIGNAL.has(type))
      expect(signals.length).toBeGreaterThanOrEqual(endings.length);
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});

function readSignal(given: unknown): AbortSignal[] {
  const { signal } = (given ?? {}) as { signal?: unknown };
  return signal instanceof AbortSignal ? [signal] : [];
}

it('the listeners of the trace entry point may fail', async () => {
  const { transport } = createMemoryTransport();
  await misbehave(async (callback) => {
    const tapped = tapTransport(transport, callback as never, callback as never);
    tapped.write('{}');
    const sink = { write: () => raise(new Error('full')) };
    const facts = { env: {}, hostEnv: {}, claudeCodeVersion: undefined, cwd: undefined };
    const traced = traceTransport({ transport, option: sink, onWarning: callback as never, ...facts });
    traced.write('{}');
    expect(createRedactor({ text: callback as never }).redactText('x')).not.toBe('x');
  }, MISBEHAVIOURS);
});

it('a ledger by itself survives its listeners', async () => {
  await misbehave(async (callback) => {
    const ledger = new UsageLedger({
      thresholdsUsd: [0],
      onThreshold: callback as never,
      onFault: callback as never,
    });
    ledger.observe({ type: 'result', total_cost_usd: 1, usage: {}, modelUsage: {} });
  }, MISBEHAVIOURS);
});
