// A consumer may answer a result with another message: how long the input stays open for that, and for whom it does
// not. The rule is in docs/endings.md.
import { describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.js';
import type { SDKMessage } from '../../src/wire/protocol/messages/messages.js';
import type { Query } from '../../src/verbs/query/query.js';
import { createSdkMcpServer, run, tool } from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createDeferred } from '../../src/util/deferred.js';
import { runToEnd, useScenes } from '../../../../test/support/scene.js';
import {
  answered,
  ask,
  assistant,
  canUseTool,
  emit,
  expectLine,
  handshake,
  init,
  mark,
  result,
  state,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const answer = (text: string): object => result({ result: text, structured_output: {} });
/** Result and idle in one write, which is the race. */
const endOfTurn = (text: string): Step => emit(assistant(text), answer(text), state('idle'));
const TURN: Step[] = [expectLine('user'), emit(state('running'), init()), endOfTurn('one')];
const OLD_TURN: Step[] = [expectLine('user'), emit(init(), assistant('one'), answer('one'))];
const SECOND: Step[] = [expectLine('user'), emit(state('running'), init()), endOfTurn('two')];
const OLD_SECOND: Step[] = [expectLine('user'), emit(init(), assistant('two'), answer('two'))];
const SCHEMA = { type: 'object', properties: {}, additionalProperties: true } as const;

const isResult = (message: SDKMessage): boolean => message.type === 'result';

/** Each reads until the first result, sends a second message in its own way, and reads on; gives the number of results. */
const CONSUMERS: Record<string, (q: Query) => Promise<number>> = {
  'for await, awaiting streamInput': async (q) => {
    let results = 0;
    for await (const message of q) if (isResult(message) && ++results === 1) await q.streamInput('more');
    return results;
  },
  'for await, not awaiting streamInput': async (q) => {
    let results = 0;
    for await (const message of q) if (isResult(message) && ++results === 1) void q.streamInput('more');
    return results;
  },
  'a loop over next()': async (q) => {
    let results = 0;
    for (let step = await q.next(); !step.done; step = await q.next()) {
      if (isResult(step.value) && ++results === 1) await q.streamInput('more');
    }
    return results;
  },
  'for await, after a request of its own': async (q) => {
    let results = 0;
    for await (const message of q) {
      if (!isResult(message) || ++results !== 1) continue;
      await q.setModel('other').catch(() => {});
      await q.streamInput('more');
    }
    return results;
  },
  'output() alone': async (q) => {
    await q.output();
    await q.streamInput('more');
    return (await runToEnd(q)).messages.filter(isResult).length;
  },
};

const CALLBACKS: Record<string, Options> = {
  nothing: {},
  'a tool': {
    mcpServers: { s: createSdkMcpServer({ name: 's', tools: [tool('t', 'T', {}, () => 'x')] }) },
  },
  'a hook': { hooks: { Stop: [{ hooks: [() => Promise.resolve({})] }] } },
  'a permission callback': { canUseTool: () => Promise.resolve({ behavior: 'allow' }) },
};

describe.each(Object.entries(CALLBACKS))('a message sent at the first result, with %s', (_, options) => {
  const play = useScenes();
  const steps = {
    'reports its state': [...TURN, ...SECOND],
    'reports nothing': [...OLD_TURN, ...OLD_SECOND],
  };

  it.each(
    Object.entries(CONSUMERS).flatMap(([consumer, read]) =>
      Object.entries(steps).map(([cli, turns]) => [consumer, cli, turns, read] as const),
    ),
  )('by %s, on a CLI that %s, is answered', async (consumer, _cli, turns, read) => {
    const change = consumer.includes('request') ? [expectLine('set_model'), { do: 'reply' } as Step] : [];
    const [first, rest] = [turns.slice(0, turns.length / 2), turns.slice(turns.length / 2)];
    const { q } = play({
      kind: 'memory',
      steps: [...handshake(), ...first, ...change, ...rest],
      options: { ...options, output: SCHEMA },
    });
    expect(await read(q)).toBe(2);
  });
});

describe('the input ends', () => {
  useVirtualClock();
  const play = useScenes();
  const scene = (options: Options = {}) =>
    play({ kind: 'memory', steps: [...handshake(), ...TURN, mark('idle')], options });

  it('at once when the consumer asks for more', async () => {
    const { q, cli } = scene();
    expect((await settleWithin(0, runToEnd(q))).error).toBeUndefined();
    expect(cli.sawEnd()).toBe(true);
  });

  it('at once where nobody reads', async () => {
    const { cli } = scene();
    await cli.marked('idle');
    await elapse(0);
    expect(cli.sawEnd()).toBe(true);
  });

  it('1 s after the consumer took the result, if it neither asks nor leaves', async () => {
    const { q, cli } = scene();
    for (let step = await q.next(); !step.done && !isResult(step.value);) step = await q.next();
    await elapse(990);
    expect(cli.sawEnd()).toBe(false);
    await elapse(20);
    expect(cli.sawEnd()).toBe(true);
    await expect(q.streamInput('late')).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('1 s after the result where output() alone waited for it', async () => {
    const { q, cli } = scene({ output: SCHEMA });
    const output = q.output().catch(() => {});
    await cli.marked('idle');
    await output;
    await elapse(990);
    expect(cli.sawEnd()).toBe(false);
    await elapse(20);
    expect(cli.sawEnd()).toBe(true);
  });

  it('not while the consumer works its way to the result, and 5 s after it stopped', async () => {
    const { q, cli } = scene();
    await q.next();
    await cli.marked('idle');
    await elapse(4_900);
    await q.next();
    await elapse(4_900);
    expect(cli.sawEnd()).toBe(false);
    await elapse(200);
    expect(cli.sawEnd()).toBe(true);
  });

  it('late enough for a consumer that was slow before the result, and is slow at it', async () => {
    const { q } = play({ kind: 'memory', steps: [...handshake(), ...TURN, ...SECOND] });
    let results = 0;
    const loop = async (): Promise<void> => {
      for await (const message of q) {
        await new Promise((resolve) => setTimeout(resolve, 900));
        if (isResult(message) && ++results === 1) await q.streamInput('more');
      }
    };
    await settleWithin(10_000, loop());
    expect(results).toBe(2);
  });

  it('not before a question that comes with the result is answered, whatever the consumer does', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [...handshake(), ...TURN, ask('q', canUseTool()), answered('q')],
      options: {
        canUseTool: () => new Promise((resolve) => setTimeout(resolve, 3_000, { behavior: 'allow' })),
      },
    });
    const ending = runToEnd(q);
    await elapse(2_900);
    expect(cli.sawEnd()).toBe(false);
    expect((await settleWithin(200, ending)).error).toBeUndefined();
  });
});

describe('run()', () => {
  useVirtualClock();

  it('is not held up by the time a consumer has', async () => {
    await using fake = createFakeCli([say('one')]);
    // Virtual time stands still: a run that waited for a timer would never end.
    const outcome = await run({ prompt: 'hi', options: { transport: fake.transport } });
    expect(outcome).toMatchObject({ ok: true, text: 'one' });
  });

  it('ends also when its own onMessage takes longer than that', async () => {
    await using fake = createFakeCli([say('one')]);
    const seen = createDeferred<void>();
    const done = createDeferred<void>();
    const running = run({
      prompt: 'hi',
      options: { transport: fake.transport },
      onMessage: (message) => {
        if (!isResult(message)) return undefined;
        seen.resolve();
        return done.promise;
      },
    });
    await seen.promise;
    await elapse(5_000);
    done.resolve();
    expect(await running).toMatchObject({ ok: true });
  });
});
