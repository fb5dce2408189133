import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../../../src/errors.js';
import { readPrompt, type Prompt } from '../../../src/live/input/prompt-source.js';
import { userMessageOf } from '../../../src/live/input/user-message.js';

const whole = { ...userMessageOf('b'), uuid: '11111111-1111-4111-8111-111111111111', extra: 1 } as const;

async function readAll(prompt: Prompt): Promise<unknown[]> {
  const source = readPrompt(prompt);
  const found: unknown[] = [];
  for (let step = await source.next(); !step.done; step = await source.next()) found.push(step.value);
  return found;
}

describe('a prompt', () => {
  it('as a text is one message with one block of text, as the CLI knows it', async () => {
    expect(await readAll('hi')).toEqual([
      {
        type: 'user',
        session_id: '',
        message: { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        parent_tool_use_id: null,
      },
    ]);
    expect(JSON.stringify((await readAll(''))[0])).toContain('"content":[{"type":"text","text":""}]');
  });

  it.each([
    ['an array', () => ['a', whole]],
    ['a set', () => new Set(['a', whole])],
    [
      'a generator',
      function* () {
        yield 'a';
        yield whole;
      },
    ],
    [
      'an async generator',
      async function* () {
        yield 'a';
        yield whole;
      },
    ],
    [
      'a stream',
      () =>
        new ReadableStream({
          start(controller) {
            controller.enqueue('a');
            controller.enqueue(whole);
            controller.close();
          },
        }),
    ],
  ] as [string, () => Prompt][])(
    'as %s gives its items: texts as messages, messages untouched',
    async (_, make) => {
      const [first, second] = await readAll(make());
      expect(first).toEqual(userMessageOf('a'));
      expect(second).toBe(whole);
    },
  );

  it('may be empty', async () => {
    expect(await readAll([])).toEqual([]);
  });

  it.each([undefined, null, 5, true, {}, () => 'hi', Symbol('s')])('is not %s', (value) => {
    expect(() => readPrompt(value as Prompt)).toThrow(InvalidOptionsError);
    expect(() => readPrompt(value as Prompt)).toThrow(/must be a string/);
  });
});

describe('an item', () => {
  it.each([
    [null, /null/],
    [undefined, /a undefined/],
    [7, /a number/],
    [[], /an array/],
    [{}, /another kind of object/],
    [{ type: 'user' }, /without a `message` object/],
    [{ type: 'user', message: 'hi' }, /without a `message` object/],
  ])('%j is refused by a message that says what was expected', async (item, text) => {
    const refused = readAll([item] as unknown as Prompt);
    await expect(refused).rejects.toBeInstanceOf(InvalidOptionsError);
    await expect(refused).rejects.toThrow(text);
    await expect(refused).rejects.toMatchObject({ options: ['prompt'] });
  });

  it('that is refused ends its source, whose finally runs', async () => {
    let isCleanedUp = false;
    const source = async function* (): AsyncGenerator<never> {
      try {
        yield null as never;
      } finally {
        isCleanedUp = true;
      }
    };
    await expect(readAll(source())).rejects.toBeInstanceOf(InvalidOptionsError);
    expect(isCleanedUp).toBe(true);
  });

  it('that is refused is told even when the source then fails to clean up', async () => {
    const source = function* (): Generator<never> {
      try {
        yield null as never;
      } finally {
        // oxlint-disable-next-line no-unsafe-finally -- a source as careless as this one
        throw new Error('careless');
      }
    };
    await expect(readAll(source())).rejects.toBeInstanceOf(InvalidOptionsError);
  });

  it('of another type than user passes', async () => {
    const other = { type: 'keep_alive' };
    expect(await readAll([other] as unknown as Prompt)).toEqual([other]);
  });
});

describe('a source', () => {
  it('passes its own error on as it is', async () => {
    const error = { not: 'even an Error' };
    const source: Iterable<never> = {
      [Symbol.iterator]: () => ({
        next() {
          throw error;
        },
      }),
    };
    await expect(readAll(source)).rejects.toBe(error);
  });

  it('that is left early is told so', async () => {
    let cancelled: unknown;
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue('a'),
      cancel: (reason) => {
        cancelled = ['cancelled', reason];
      },
    });
    const source = readPrompt(stream);
    await source.next();
    await source.return?.();
    expect(cancelled).toEqual(['cancelled', undefined]);
  });

  it('that is a silent stream can be left while it is being read', async () => {
    let isCancelled = false;
    const stream = new ReadableStream<string>({
      cancel: () => {
        isCancelled = true;
      },
    });
    const source = readPrompt(stream);
    const pending = source.next();
    await source.return?.();
    expect(isCancelled).toBe(true);
    expect(await pending).toEqual({ done: true, value: undefined });
  });

  it('that is a stream passes its error on, and cannot be a stream that others read', async () => {
    const error = new Error('stream');
    await expect(
      readAll(new ReadableStream({ start: (controller) => controller.error(error) })),
    ).rejects.toBe(error);
    const locked = new ReadableStream<string>();
    locked.getReader();
    expect(() => readPrompt(locked)).toThrow(/locked/);
  });

  it('without a return can be left all the same', async () => {
    await expect(readPrompt(['a']).return?.()).resolves.toEqual({ done: true, value: undefined });
  });
});
