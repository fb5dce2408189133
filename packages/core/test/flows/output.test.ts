// The checked output and the usage of a session, asked for before, during and after the iteration.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  InvalidOptionsError,
  OutputValidationError,
  RunError,
  SessionClosedError,
} from '../../src/errors.js';
import type { Query } from '../../src/verbs/query/query.js';
import { query } from '../../src/verbs/query/query.js';
import { run, type RunOutcome } from '../../src/verbs/query/run.js';
import { createMemoryTransport } from '../../src/wire/transport/memory-transport.js';
import { runToEnd, useScenes } from '../../../../test/support/scene.js';
import {
  assistant,
  emit,
  expectLine,
  handshake,
  HANG,
  init,
  result,
  state,
  turn,
} from '../../../../test/support/steps.js';

/** Reads up to the second result and leaves; a CLI that says nothing of its state would be waited for. */
async function readTwoTurns(q: Query): Promise<void> {
  let results = 0;
  for await (const message of q) if (message.type === 'result' && ++results === 2) return;
}

const Verdict = z.object({ score: z.number().transform((score) => score * 10) });
const scored = (score: unknown): object => ({ structured_output: { score } });

describe('the output of a query', () => {
  const play = useScenes();

  it('is the last result as the schema made it, whenever one asks', async () => {
    const steps = [...handshake(), ...turn('one', scored(1)), ...turn('two', scored(2))];
    const { q, cli } = play({ kind: 'memory', steps, prompt: ['a', 'b'], options: { output: Verdict } });
    const early = q.output();
    await readTwoTurns(q);
    expect(await early).toEqual({ score: 10 });
    expect(await q.output()).toEqual({ score: 20 });
    expect(cli.received()[0]).toMatchObject({ request: { subtype: 'initialize' } });
  });

  it('needs no iteration', async () => {
    const steps = [...handshake(), ...turn('one', scored(3))];
    const { q } = play({ kind: 'memory', steps, options: { output: Verdict } });
    expect(await q.output()).toEqual({ score: 30 });
  });

  it('that does not fit is a typed error, and the messages stay as they came', async () => {
    const steps = [...handshake(), ...turn('one', scored('much'))];
    const { q } = play({ kind: 'memory', steps, options: { output: Verdict } });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ structured_output: { score: 'much' } });
    await expect(q.output()).rejects.toBeInstanceOf(OutputValidationError);
  });

  it.each([
    ['INTERRUPTED', { subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' }],
    ['MAX_TURNS', { subtype: 'error_max_turns', errors: ['Reached maximum number of turns'] }],
    ['API_ERROR', { subtype: 'success', is_error: true, result: 'API Error: 529' }],
  ])('of a turn that ended as %s is a RunError of its own', async (code, fields) => {
    const steps = [...handshake(), ...turn('one', scored(1)), ...turn('two', { is_error: true, ...fields })];
    const { q } = play({ kind: 'memory', steps, prompt: ['a', 'b'], options: { output: Verdict } });
    await readTwoTurns(q);
    const error = await q.output().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunError);
    expect(error).toMatchObject({ code, phase: 'result' });
  });

  it('of a turn whose every attempt was refused says what does not fit', async () => {
    const failed = { subtype: 'error_max_structured_output_retries', is_error: true, errors: ['no'] };
    const { q } = play({
      kind: 'memory',
      steps: [...handshake(), ...turn('one', failed)],
      options: { output: Verdict },
    });
    await expect(q.output()).rejects.toMatchObject({ code: 'OUTPUT_INVALID' });
  });

  it('of a session that ends without a result is the error of that end', async () => {
    const steps = [...handshake(), expectLine('user'), emit(state('running'), init()), HANG];
    const { q } = play({ kind: 'memory', steps, options: { output: Verdict } });
    const output = q.output();
    await q.next();
    await q.close();
    await expect(output).rejects.toBeInstanceOf(SessionClosedError);
  });

  it('was never asked for', async () => {
    const { q } = play({ kind: 'memory', steps: [...handshake(), ...turn()] });
    await expect(q.output()).rejects.toThrow('set the option "output"');
    await runToEnd(q);
  });
});

describe('the option "output"', () => {
  it('is not had together with "outputFormat", and must be a schema', () => {
    const outputFormat = { type: 'json_schema' as const, schema: { type: 'object' } };
    const ask = (options: object): (() => unknown) => {
      return () =>
        query({ prompt: 'x', options: { transport: createMemoryTransport().transport, ...options } });
    };
    expect(ask({ output: Verdict, outputFormat })).toThrow(InvalidOptionsError);
    expect(ask({ output: 'text' })).toThrow(/"output".*a schema/);
    expect(ask({ output: z.bigint() })).toThrow(InvalidOptionsError);
  });

  it('types what comes out', () => {
    const typed = (): Query<{ score: number }> => query({ prompt: 'x', options: { output: Verdict } });
    const ran = (): Promise<RunOutcome<{ score: number }>> =>
      run({ prompt: 'x', options: { output: Verdict } });
    const shaped = () => query({ prompt: 'x', options: { output: { name: 'string', age: 'number?' } } });
    const plain = () => query({ prompt: 'x' });
    expectTypeOf<Awaited<ReturnType<ReturnType<typeof typed>['output']>>>().toEqualTypeOf<{
      score: number;
    }>();
    expectTypeOf<Awaited<ReturnType<typeof ran>>['output']>().toEqualTypeOf<{ score: number }>();
    expectTypeOf<Awaited<ReturnType<ReturnType<typeof shaped>['output']>>>().toEqualTypeOf<{
      name: string;
      age?: number | undefined;
    }>();
    expectTypeOf<Awaited<ReturnType<ReturnType<typeof plain>['output']>>>().toBeNever();
    expectTypeOf<Query<{ score: number }>>().toExtend<Query>();
  });
});

describe('the usage of a query', () => {
  const play = useScenes();
  const costly = (total: number): object => ({ total_cost_usd: total, modelUsage: {}, usage: {} });

  it('is there at any time, and tells of budgets', async () => {
    const reached: number[] = [];
    const { q, warnings } = play({
      kind: 'memory',
      steps: [...handshake(), ...turn('one', costly(0.5)), ...turn('two', costly(1.5))],
      prompt: ['a', 'b'],
      options: {
        usage: {
          thresholdsUsd: [1, 0.4, 2],
          onThreshold: ({ thresholdUsd }) => {
            reached.push(thresholdUsd);
            if (thresholdUsd === 1) throw new Error('listener');
          },
        },
      },
    });
    expect(q.usageReport().turns).toEqual([]);
    await readTwoTurns(q);
    expect(reached).toEqual([0.4, 1]);
    expect(q.usageReport()).toMatchObject({
      total: { totalCostUsd: 1.5 },
      turns: [{ turn: 1 }, { turn: 2 }],
    });
    expect(warnings).toMatchObject([{ message: expect.stringContaining('"usage.onThreshold"') }]);
  });

  it('counts a message that comes in two lines once', async () => {
    const line = {
      ...assistant('x'),
      message: { id: 'm', model: 'a', content: [], usage: { input_tokens: 7 } },
    };
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(init(), line, line),
      emit(result(costly(0)), state('idle')),
    ];
    const { q } = play({ kind: 'memory', steps });
    await runToEnd(q);
    expect(q.usageReport().turns[0]?.messages).toBe(1);
  });
});
