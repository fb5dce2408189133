import { describe, expect, it, vi } from 'vitest';
import type { SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';
import { PromptPump, type PromptSink } from '../../../src/live/input/prompt-pump.js';
import { readPrompt, type Prompt } from '../../../src/live/input/prompt-source.js';
import { userMessageOf } from '../../../src/live/input/user-message.js';
import { createDeferred } from '../../../src/util/deferred.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

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

  it('get a uuid from the second on, unless they have one; the first is left as it came', async () => {
    const { sent, run } = setUp();
    const first = userMessageOf('a');
    await run([first, 'b', { ...userMessageOf('c'), uuid: 'mine' } as unknown as SDKUserMessage]);
    await run('d');
    expect(sent[0]).toBe(first);
    expect(sent[1]?.uuid).toMatch(UUID);
    expect(sent[2]?.uuid).toBe('mine');
    expect(sent[3]?.uuid).toMatch(UUID);
  });

  it('are marked as composed by the client when they are to be taken verbatim', async () => {
    const { sent, run } = setUp({}, true);
    await run(['a', 'b']);
    expect(sent).toEqual([
      { ...userMessageOf('a'), client_composed: true },
      { ...userMessageOf('b'), client_composed: true, uuid: expect.stringMatching(UUID) as string },
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

describe('reports on messages', () => {
  const report = (id: unknown, state: string): Record<string, unknown> => ({
    type: 'command_lifecycle',
    command_uuid: id,
    state,
  });

  it('are claimed for ids the pump made up, until the CLI is done with them', async () => {
    const { pump, sent, run } = setUp();
    const given = '11111111-1111-4111-8111-111111111111';
    await run(['a', 'b', { ...userMessageOf('c'), uuid: given }]);
    const made = sent[1]?.uuid;
    expect(['queued', 'started', 'completed'].map((state) => pump.claims(report(made, state)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(pump.claims(report(made, 'completed'))).toBe(false);
    expect(pump.claims(report(given, 'queued'))).toBe(false);
    expect(pump.claims({ type: 'result', command_uuid: made })).toBe(false);
  });
});
