// A CLI that falls silent in the middle of a turn, and one that only waits for its host.
import { describe, expect, it } from 'vitest';
import { StalledError } from '../../src/errors.js';
import { userMessageOf } from '../../src/live/input/user-message.js';
import { createDeferred } from '../../src/util/deferred.js';
import { runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  answered,
  ask,
  canUseTool,
  emit,
  expectLine,
  HANG,
  handshake,
  init,
  result,
  state,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

describe.each(STAGES)('silence (%s)', (kind) => {
  const play = useScenes();

  it('in a turn is a stall, once it is long enough', async () => {
    const steps = [...handshake(), expectLine('user'), emit(state('running'), init()), HANG];
    const { q, cli } = play({ kind, steps, options: { idleTimeoutMs: 30, closeGraceMs: 10 } });
    const { messages, error } = await runToEnd(q);
    expect(messages).toHaveLength(1);
    expect(error).toBeInstanceOf(StalledError);
    expect(cli.isGone()).toBe(true);
  });
});

describe('silence while the CLI owes an answer to a question of Inboard itself', () => {
  useVirtualClock();
  const play = useScenes();

  it('is a stall all the same', async () => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init(), result(), state('idle')),
      expectLine('user'),
      // Whether it is idle is asked behind the second message, and the CLI hangs before it reads that.
      expectLine('mcp_status'),
      emit(state('running'), init()),
      HANG,
    ];
    const idle = createDeferred<void>();
    async function* talk() {
      yield userMessageOf('one');
      await idle.promise;
      yield userMessageOf('two');
    }
    const { q } = play({ kind: 'memory', prompt: talk(), steps, options: { idleTimeoutMs: 1000 } });
    const ending = runToEnd(q);
    await elapse(100);
    idle.resolve();
    expect((await settleWithin(20_000, ending)).error).toBeInstanceOf(StalledError);
  });
});

describe('silence while the host thinks', () => {
  useVirtualClock();
  const play = useScenes();

  it('is no stall, however long it takes', async () => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      ask('p1', canUseTool()),
      answered('p1'),
      emit(result(), state('idle')),
    ];
    let decide: (value: { behavior: 'allow' }) => void = () => {};
    const { q } = play({
      kind: 'memory',
      steps,
      options: {
        idleTimeoutMs: 1000,
        canUseTool: () => new Promise((resolve) => (decide = resolve)),
      },
    });
    const ending = runToEnd(q);
    await elapse(3_600_000);
    decide({ behavior: 'allow' });
    expect((await settleWithin(5000, ending)).error).toBeUndefined();
  });
});
