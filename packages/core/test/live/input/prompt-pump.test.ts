import { describe, expect, it, vi } from 'vitest';
import type { SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';
import { PromptPump, type PromptSink } from '../../../src/live/input/prompt-pump.js';
import { readPrompt, type Prompt } from '../../../src/live/input/prompt-source.js';
import { userMessageOf } from '../../../src/live/input/user-message.js';
import { createDeferred } from '../../../src/util/deferred.js';

function setUp(more: Partial<PromptSink> = {}, verbatim = false) {
  const sent: SDKUserMessage[] = [];
  const pump = new PromptPump({
    verbatim,
    sink: {
      send: (message) => {
        sent.push(message);
        return true;
      },
      drained: () => Promise.resolve(),
      onSent: () => {},
      ...more,
    },
  });
  return { pump, sent, run: (prompt: Prompt) => pump.run(readPrompt(prompt)) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('messages', () => {
  it('go out in order, and the run resolves when the source has ended', async () => {
    const { pump, sent, run } = setUp();
    const running = run(['a', 'b']);
    expect(pump.openSources).toBe(1);
    await expect(running).resolves.toBe(true);
    expect(pump.openSources).toBe(0);
    expect(sent.map(({ message }) => message)).toEqual([
      userMessageOf('a').message,
      userMessageOf('b').message,
    ]);
  });

  it('go as they came: a uuid of ours would keep the CLI from answering them together', async () => {
    const { sent, run } = setUp();
    const first = userMessageOf('a');
    const named = { ...userMessageOf('c'), uuid: 'mine' } as unknown as SDKUserMessage;
    await run([first, 'b', named]);
    await run('d');
    expect(sent[0]).toBe(first);
    expect(sent[1]).toEqual(userMessageOf('b'));
    expect(sent[2]).toBe(named);
    expect(sent[3]).toEqual(userMessageOf('d'));
  });

  it('are marked as composed by the client when they are to be taken verbatim', async () => {
    const { sent, run } = setUp({}, true);
    await run(['a', 'b']);
    expect(sent).toEqual([
      { ...userMessageOf('a'), client_composed: true },
      { ...userMessageOf('b'), client_composed: true },
    ]);
  });

  it('of another type are neither stamped nor counted', async () => {
    const { sent, run } = setUp({}, true);
    const other = { type: 'keep_alive' } as unknown as SDKUserMessage;
    await run([other, 'a']);
    expect(sent[0]).toBe(other);
    expect(sent[1]).not.toHaveProperty('uuid');
  });

  it('are told of before they are written', async () => {
    const order: string[] = [];
    const { run } = setUp({
      onSent: () => order.push('told'),
      send: () => {
        order.push('written');
        return true;
      },
    });
    await run('a');
    expect(order).toEqual(['told', 'written']);
  });
});

describe('a sink that holds messages back', () => {
  it('gets each message only when it lets go', async () => {
    let held = createDeferred<void>();
    const { sent, run } = setUp({ held: () => held.promise });
    const running = run(['a', 'b']);
    await turn();
    expect(sent).toEqual([]);
    const first = held;
    held = createDeferred();
    first.resolve();
    await turn();
    expect(sent).toHaveLength(1);
    held.resolve();
    await expect(running).resolves.toBe(true);
    expect(sent).toHaveLength(2);
  });

  it('does not keep a run open that was stopped', async () => {
    const { pump, sent, run } = setUp({ held: () => new Promise<void>(() => {}) });
    const running = run('a');
    await turn();
    pump.stop();
    await expect(running).resolves.toBe(false);
    expect(sent).toEqual([]);
  });
});

describe('a full pipe', () => {
  it('stops the pulling until there is room', async () => {
    const room = createDeferred<void>();
    let pulled = 0;
    const endless = function* (): Generator<string> {
      for (;;) {
        pulled += 1;
        yield 'x';
      }
    };
    const { pump, run } = setUp({ send: () => pulled < 3, drained: () => room.promise });
    const running = run(endless());
    await turn();
    await turn();
    expect(pulled).toBe(3);
    pump.stop();
    room.resolve();
    await expect(running).resolves.toBe(false);
    expect(pulled).toBe(3);
  });
});

describe('a source that fails', () => {
  it('rejects the run with its very error', async () => {
    const error = { odd: true };
    const { pump, run } = setUp();
    const failing = async function* (): AsyncGenerator<string> {
      yield 'a';
      throw error;
    };
    await expect(run(failing())).rejects.toBe(error);
    expect(pump.openSources).toBe(0);
  });

  it('leaves other sources running', async () => {
    const { pump, sent, run } = setUp();
    const gate = createDeferred<void>();
    const slow = async function* (): AsyncGenerator<string> {
      await gate.promise;
      yield 'slow';
    };
    const other = run(slow());
    await expect(
      run({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no')) }) }),
    ).rejects.toThrow('no');
    expect(pump.openSources).toBe(1);
    gate.resolve();
    await expect(other).resolves.toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('to be written is left as a loop that throws leaves it', async () => {
    const error = new Error('cannot be written');
    let isCleanedUp = false;
    const { run } = setUp({
      send: () => {
        throw error;
      },
    });
    const source = async function* (): AsyncGenerator<string> {
      try {
        yield 'a';
      } finally {
        isCleanedUp = true;
      }
    };
    await expect(run(source())).rejects.toBe(error);
    expect(isCleanedUp).toBe(true);
  });
});

describe('stopping', () => {
  it('runs the finally of a source that waits at a yield', async () => {
    const cleanedUp = vi.fn();
    const room = createDeferred<void>();
    const { pump, run } = setUp({ send: () => false, drained: () => room.promise });
    const running = run(
      (async function* (): AsyncGenerator<string> {
        try {
          yield 'a';
          yield 'b';
        } finally {
          cleanedUp();
        }
      })(),
    );
    await turn();
    pump.stop();
    await expect(running).resolves.toBe(false);
    await turn();
    expect(cleanedUp).toHaveBeenCalledTimes(1);
  });

  it('settles the run of a source that is asleep for ever', async () => {
    const { pump, run } = setUp();
    const running = run(
      // oxlint-disable-next-line require-yield -- it sleeps before it could
      (async function* (): AsyncGenerator<string> {
        await new Promise(() => {});
      })(),
    );
    await turn();
    pump.stop();
    await expect(running).resolves.toBe(false);
    expect(pump.openSources).toBe(0);
  });

  it('drops what a source gives afterwards, and takes its late error for no news', async () => {
    const gate = createDeferred<void>();
    const { pump, sent, run } = setUp();
    const late = run(
      (async function* (): AsyncGenerator<string> {
        await gate.promise;
        yield 'late';
      })(),
    );
    const failing = run(
      // oxlint-disable-next-line require-yield -- it fails before it could
      (async function* (): AsyncGenerator<string> {
        await gate.promise;
        throw new Error('late');
      })(),
    );
    await turn();
    pump.stop();
    pump.stop();
    gate.resolve();
    await expect(Promise.all([late, failing])).resolves.toEqual([false, false]);
    await turn();
    expect(sent).toEqual([]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('does not mind a source whose return %s', async (_, leave) => {
    const { pump } = setUp();
    const running = pump.run({ next: () => new Promise(() => {}), return: leave });
    pump.stop();
    await expect(running).resolves.toBe(false);
  });

  it('before the run lets nothing be pulled', async () => {
    const { pump, sent, run } = setUp();
    pump.stop();
    await expect(run('a')).resolves.toBe(false);
    expect(sent).toEqual([]);
  });
});
