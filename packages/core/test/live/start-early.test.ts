// The CLI is started as soon as everything that can be refused is checked, and before the rest is composed: what is refused
// starts nothing, and what fails later ends the CLI.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LateForeignBinding } from '../../src/answer/mcp/foreign/late-foreign-binding.js';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../src/answer/mcp/tool/tool.js';
import { InboardError, PartLoadError } from '../../src/errors.js';
import { LiveCli } from '../../src/live/live-cli.js';
import type { Launch } from '../../src/live/launch.js';
import { createHookRegistry } from '../../src/answer/hooks/hook-registry.js';
import { checkOptions } from '../../src/options/check/check-options.js';
import { planLaunch } from '../../src/options/launch/launch-plan.js';
import type { Options } from '../../src/options/options.js';
import { OPTION_NAMES } from '../../src/options/rows/option-rows.js';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../src/options/supported-versions.js';
import { createQuery, query } from '../../src/verbs/query/query.js';
import { createMemoryTransport } from '../../src/wire/transport/memory-transport.js';
import { readOptionVariants } from '../../../../test/fixtures/option-variants.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { stageCli } from '../../../../test/support/scripted-cli.js';
import { handshake, turn } from '../../../../test/support/steps.js';

afterEach(() => vi.restoreAllMocks());

/** A launch that counts, of CLIs that say nothing. */
function countLaunches() {
  const started = { count: 0, terminated: 0 };
  const launch: Launch = () => {
    started.count += 1;
    const { transport, peer } = createMemoryTransport();
    const terminate = (): Promise<void> => {
      started.terminated += 1;
      peer.end({ exitCode: 0 });
      return Promise.resolve();
    };
    const warnings: [] = [];
    const guarded = Object.assign(Object.create(transport) as typeof transport, { terminate });
    return Promise.resolve({
      transport: guarded,
      initialize: {},
      version: NEWEST_VERSION,
      warnings,
      discard: () => {},
    });
  };
  return { launch, started };
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Whatever is under way has begun by then. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const ODD_VALUES: readonly unknown[] = [
  17,
  -1,
  Number.NaN,
  true,
  '',
  'nonsense\0',
  ['nonsense('],
  {},
  { nonsense: 17 },
  [17],
  () => 17,
];

/** Everything that the checks of the options refuse, of every option there is. */
const REFUSED = OPTION_NAMES.flatMap((name) =>
  ODD_VALUES.map((value) => ({ name, options: { [name]: value } as unknown as Options })).filter(
    ({ options }) => errorOf(() => checkOptions(options)) !== undefined,
  ),
);

describe('options that are wrong', () => {
  it('are known for most options', () => {
    expect(new Set(REFUSED.map(({ name }) => name)).size).toBeGreaterThan(OPTION_NAMES.length * 0.8);
  });

  it('throw in the caller’s tick, whichever they are, and nothing is started', async () => {
    const { launch, started } = countLaunches();
    for (const { options } of REFUSED) {
      const expected = errorOf(() => checkOptions(options));
      const error = errorOf(() => createQuery({ prompt: 'hi', options, launch }));
      expect(error, JSON.stringify(options)).toEqual(expected);
    }
    await settle();
    expect(started.count).toBe(0);
  });

  const orphan = tool('orphan', 'Is of no server.', {}, () => 'x');
  const elsewhere: Record<string, { prompt?: unknown; options: unknown }> = {
    'a server without a connect method': { options: { mcpServers: { a: { type: 'sdk', instance: {} } } } },
    'a tool of no server': { options: { allowedTools: [orphan] } },
    'a hook with a wrong switch': {
      options: { hooks: { Stop: [{ hooks: [() => ({})], failClosed: 'yes' }] } },
    },
    'a hook with a wrong failure': {
      options: { hooks: { Stop: [{ hooks: [() => ({})], onFailure: 'stop' }] } },
    },
    'a schema that cannot be asked for': { options: { output: { type: 'nonsense' } } },
    'a prompt that is none': { prompt: 17, options: {} },
  };
  it.each(Object.keys(elsewhere))('and so does %s', async (name) => {
    const { launch, started } = countLaunches();
    const { prompt = 'hi', options } = elsewhere[name] as { prompt?: unknown; options: object };
    expect(() => createQuery({ prompt: prompt as string, options, launch })).toThrow();
    await settle();
    expect(started.count).toBe(0);
  });
});

describe('options that a version of the CLI does not take', () => {
  const cases = [NEWEST_VERSION, OLDEST_VERSION].flatMap((version) =>
    readOptionVariants().variants.flatMap(({ name, options }) => {
      const error = errorOf(() => {
        checkOptions(options);
        const hooks = createHookRegistry(options.hooks).declared;
        planLaunch({ options, version, hostEnv: {}, hooks });
      });
      return error === undefined ? [] : [{ name, version, options }];
    }),
  );

  it('are some on the oldest', () => {
    expect(cases.filter(({ version }) => version === OLDEST_VERSION).length).toBeGreaterThan(20);
  });

  it.each(cases)('$name on $version: nothing is started', async ({ version, options }) => {
    const start = vi.fn();
    const given = { ...options, transport: start, claudeCodeVersion: version } as unknown as Options;
    let thrown: unknown;
    try {
      await query({ prompt: 'hi', options: given }).next();
    } catch (caught) {
      thrown = caught;
    }
    expect(thrown).toBeInstanceOf(InboardError);
    await settle();
    expect(start).not.toHaveBeenCalled();
  });
});

describe('a CLI whose options are right', () => {
  it('is started before its parts are made', async () => {
    const order: string[] = [];
    const cli = stageCli('memory', [...handshake(), ...turn()]);
    const launch: Launch = async (input) => {
      const launched = await cli.launch(input);
      order.push('started');
      return launched;
    };
    const usage = {
      get thresholdsUsd() {
        order.push('read');
        return [];
      },
    };
    const running = createQuery({ prompt: 'hi', options: { usage }, launch });
    for await (const message of running) if (message.type === 'result') break;
    // The checks read it before.
    expect(order.at(-1)).toBe('read');
    expect(order).toContain('started');
    await cli.dispose();
  });

  it('gives messages in the order in which they were asked for, before and after that', async () => {
    const cli = stageCli('memory', [...handshake(), ...turn()]);
    const running = createQuery({ prompt: 'hi', options: {}, launch: cli.launch });
    const settled: number[] = [];
    const asked = [0, 1].map((index) => running.next().then(() => settled.push(index)));
    running.usageReport();
    asked.push(running.next().then(() => settled.push(2)));
    await Promise.all(asked);
    expect(settled).toEqual([0, 1, 2]);
    await running.close();
    await cli.dispose();
  });

  it('makes its parts in the context that started it, whichever context needs them first', async () => {
    const context = new AsyncLocalStorage<string>();
    const { launch } = countLaunches();
    const seen: unknown[] = [];
    const usage = {
      get thresholdsUsd() {
        seen.push(context.getStore());
        return [];
      },
    };
    const running = context.run('caller', () => createQuery({ prompt: 'hi', options: { usage }, launch }));
    context.run('another', () => running.usageReport());
    expect(new Set(seen)).toEqual(new Set(['caller']));
    await running.close();
  });

  it('may be closed by a listener of warnings while its parts are made', async () => {
    const { launch } = countLaunches();
    const serve = () => createSdkMcpServer({ name: 'a', tools: [tool('look', 'Looks.', {}, () => 'x')] });
    // Both are "one_two" for the model.
    const mcpServers = { 'one.two': serve(), one_two: serve() };
    const codes: string[] = [];
    const onWarning: Options['onWarning'] = ({ code }) => {
      codes.push(code);
      void live.close({ kind: 'closed' });
    };
    const live = new LiveCli({ prompt: 'hi', options: { mcpServers, onWarning }, launch });
    expect(await live.next()).toEqual({ done: true, value: undefined });
    await live.over;
    expect(codes).not.toEqual([]);
  });
});

describe('what fails when the CLI is started already', () => {
  const foreign = { type: 'sdk' as const, name: 'a', instance: { connect: () => Promise.resolve() } };

  it('ends it, and is the error of the query', async () => {
    const error = new PartLoadError('PART_MISSING', 'part.js', 'It is gone');
    vi.spyOn(LateForeignBinding.prototype, 'captureManifest').mockRejectedValue(error);
    const { launch, started } = countLaunches();
    const options = { mcpServers: { a: foreign } } as unknown as Options;
    const running = createQuery({ prompt: 'hi', options, launch });
    const ready = outcomeOf(running.ready());
    expect(await outcomeOf(running.next())).toEqual({ error });
    expect(await ready).toEqual({ error });
    await running.close();
    expect(started).toEqual({ count: 1, terminated: started.terminated });
    expect(started.terminated).toBeGreaterThan(0);
  });

  it('ends it also if nothing can be composed', async () => {
    const error = new Error('not any more');
    const { launch, started } = countLaunches();
    const onEnd = vi.fn();
    let isBroken = false;
    const usage = {
      get thresholdsUsd() {
        if (isBroken) throw error;
        return [];
      },
    };
    const live = new LiveCli({ prompt: 'hi', options: { usage, onEnd }, launch });
    isBroken = true;
    expect(await outcomeOf(live.next())).toEqual({ error });
    await live.over;
    expect(await outcomeOf(live.next())).toEqual({ error });
    expect(() => live.usage).toThrow(error);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(error);
    expect(started.count).toBe(1);
    expect(started.terminated).toBeGreaterThan(0);
  });
});
