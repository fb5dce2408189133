import { describe, expect, it, vi } from 'vitest';
import { SessionClosedError } from '../../src/errors.js';
import type { SDKUserMessage } from '../../src/wire/protocol/messages/messages.js';
import type { Prompt, PromptItem } from '../../src/live/input/prompt-source.js';
import { userMessageOf } from '../../src/live/input/user-message.js';
import type { Query } from '../../src/verbs/query/query.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES, type ScriptedCli } from '../../../../test/support/scripted-cli.js';
import {
  AWAIT_END,
  HANG,
  emit,
  exit,
  expectLine,
  handshake,
  init,
  mark,
  reply,
  result,
  state,
  turn,
} from '../../../../test/support/steps.js';

const UUID = /"uuid":"[0-9a-f]{8}-[0-9a-f-]{27}"/g;

/** What the CLI got, byte by byte, but for the ids that are made up anew each time. */
const traceOf = (cli: ScriptedCli): string[] =>
  cli
    .lines()
    .map((line) => line.replace(/"request_id":"[a-z0-9]+"/, '"request_id":"…"').replace(UUID, '"uuid":"…"'));

const KINDS_OF_PROMPT: Record<string, (items: readonly PromptItem[]) => Prompt> = {
  'an array': (items) => [...items],
  'a generator': function* (items) {
    yield* items;
  },
  'an async generator': async function* (items) {
    yield* items;
  },
  'a stream': (items) =>
    new ReadableStream({
      start(controller) {
        for (const item of items) controller.enqueue(item);
        controller.close();
      },
    }),
};

const numbered = (count: number): SDKUserMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    ...userMessageOf(`message ${index}`),
    uuid: `00000000-0000-4000-8000-00000000000${index}` as const,
  }));

describe.each(STAGES)('the same content (%s)', (kind) => {
  const play = useScenes();

  it('leaves the same bytes on the wire, whatever it comes in', async () => {
    const traces: string[][] = [];
    const prompts: Prompt[] = [
      'hi “you”\u2028',
      ...Object.values(KINDS_OF_PROMPT).map((make) => make(['hi “you”\u2028'])),
    ];
    for (const prompt of prompts) {
      const { q, cli } = play({ kind, prompt, steps: [...handshake(), ...turn()] });
      expect((await runToEnd(q)).error).toBeUndefined();
      traces.push(traceOf(cli));
    }
    expect(traces[0]).toEqual([
      '{"request_id":"…","type":"control_request","request":{"subtype":"initialize"}}',
      '{"type":"user","session_id":"","message":{"role":"user","content":[{"type":"text","text":"hi “you”\u2028"}]},"parent_tool_use_id":null}',
    ]);
    for (const trace of traces) expect(trace).toEqual(traces[0]);
  });
});

describe('the same content', () => {
  const kind = 'memory';
  const play = useScenes();

  it.each([
    ['texts', ['one', 'two', 'three']],
    ['messages', numbered(3)],
  ] as Array<[string, PromptItem[]]>)('of three %s does so too', async (_, items) => {
    const isNamed = typeof items[0] !== 'string';
    const traces: string[][] = [];
    for (const make of Object.values(KINDS_OF_PROMPT)) {
      const { q, cli } = play({
        kind,
        prompt: make(items),
        steps: [
          ...handshake(),
          expectLine('user'),
          expectLine('user'),
          expectLine('user'),
          emit(state('running'), init(), result({ user_message_uuids: ['$uuid:0', '$uuid:1', '$uuid:2'] })),
          emit(state('idle')),
          // Of messages without an id only this shows that all were read.
          ...(isNamed ? [] : [expectLine('mcp_status'), reply({ mcpServers: [] })]),
        ],
      });
      expect((await runToEnd(q)).error).toBeUndefined();
      traces.push(traceOf(cli));
    }
    expect(traces[0]).toHaveLength(isNamed ? 4 : 5);
    for (const trace of traces) expect(trace).toEqual(traces[0]);
    if (isNamed) {
      expect(traces[0]?.slice(1)).toEqual(
        items.map((item) => JSON.stringify(item).replace(UUID, '"uuid":"…"')),
      );
    }
  });
});

describe.each(STAGES)('a prompt (%s)', (kind) => {
  const play = useScenes();

  it('that is empty sends nothing, and ends the input after the handshake', async () => {
    for (const make of Object.values(KINDS_OF_PROMPT)) {
      const { q, cli } = play({ kind, prompt: make([]), steps: handshake() });
      expect(await runToEnd(q)).toEqual({ messages: [], error: undefined });
      expect(cli.lines()).toHaveLength(1);
      expect(cli.sawEnd()).toBe(true);
    }
  });

  it('is marked where it is to be taken verbatim', async () => {
    const { q, cli } = play({
      kind,
      steps: [...handshake(), ...turn()],
      options: { verbatimPrompts: true },
    });
    await runToEnd(q);
    expect(cli.received()[1]).toMatchObject({ type: 'user', client_composed: true });
  });

  it('is pulled before anybody iterates, and goes out after the handshake request without waiting for its answer', async () => {
    const { cli } = play({
      kind,
      steps: [expectLine('initialize'), expectLine('user'), mark('both'), HANG],
    });
    await cli.marked('both');
    expect(cli.received().map(({ type }) => type)).toEqual(['control_request', 'user']);
  });

  it('that is left early by break runs its finally', async () => {
    const left = vi.fn();
    const waiting = async function* (): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(1000);
      } finally {
        left();
      }
    };
    const { q } = play({
      kind,
      prompt: waiting(),
      steps: [{ do: 'pauseInput' }, emit(init()), HANG],
      options: { closeGraceMs: 10 },
    });
    for await (const message of q) if (message.type === 'system') break;
    expect(left).toHaveBeenCalledTimes(1);
  });

  it('is not pulled without end by a CLI that does not read', async () => {
    let pulled = 0;
    const endless = async function* (): AsyncGenerator<string> {
      for (;;) {
        pulled += 1;
        yield 'x'.repeat(100_000);
      }
    };
    const { q, cli } = play({
      kind,
      prompt: endless(),
      steps: [{ do: 'pauseInput' }, mark('paused'), { do: 'ignoreEnd' }, HANG],
      options: { closeGraceMs: 10 },
    });
    await cli.marked('paused');
    for (let step = 0; step < 200; step += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(pulled).toBeGreaterThan(0);
    // Without a limit it would be thousands by now.
    expect(pulled).toBeLessThan(50);
    await q.close();
    expect(pulled).toBeLessThan(50);
  });

  it('of any size arrives whole', async () => {
    const text = 'ünïcode “😀” '.repeat(100_000);
    const { q, cli } = play({ kind, prompt: [text, 'small'], steps: [...handshake(), ...twoTurns()] });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.received()[1]).toEqual(userMessageOf(text));
  });
});

describe.each(STAGES)('streamInput() (%s)', (kind) => {
  const play = useScenes();

  it('resolves when its messages are written, and does not end the input while the prompt is open', async () => {
    const finish = createDeferred<void>();
    const prompt = async function* (): AsyncGenerator<string> {
      yield 'one';
      await finish.promise;
    };
    const { q, cli } = play({
      kind,
      prompt: prompt(),
      steps: [...handshake(), ...twoTurns(), expectLine('mcp_status'), reply({ mcpServers: [] })],
    });
    await q.initializationResult();
    await q.streamInput(['two']);
    // Answered after both turns, so the input is still open then.
    expect(await q.mcpServerStatus()).toEqual([]);
    expect(cli.sawEnd()).toBe(false);
    finish.resolve();
    const { error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(cli.received().filter(({ type }) => type === 'user')).toMatchObject([
      userMessageOf('one'),
      userMessageOf('two'),
    ]);
  });

  it('keeps the input open for what it feeds after the prompt has ended', async () => {
    const { q, cli } = play({ kind, steps: [...handshake(), ...twoTurns()] });
    const gate = createDeferred<void>();
    const fed = q.streamInput(
      (async function* (): AsyncGenerator<string> {
        await gate.promise;
        yield 'two';
      })(),
    );
    const first = await nextResult(q);
    expect(first).toMatchObject({ type: 'result' });
    expect(cli.sawEnd()).toBe(false);
    gate.resolve();
    await fed;
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(cli.sawEnd()).toBe(true);
  });

  it('called before the CLI has started waits for it, and the prompt goes first', async () => {
    const { q, cli } = play({ kind, prompt: 'one', steps: [...handshake(), ...twoTurns()] });
    await q.streamInput('two');
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.received().slice(1, 3)).toEqual([userMessageOf('one'), userMessageOf('two')]);
  });

  it.each([
    ['the end', runToEnd],
    ['close()', async (q: Query) => q.close()],
  ])('after %s rejects, and leaves what it was given', async (_, end) => {
    const cancelled = vi.fn();
    const { q } = play({ kind, steps: [...handshake(), ...turn()] });
    await q.initializationResult();
    await end(q);
    const { error } = await outcomeOf(q.streamInput(new ReadableStream({ cancel: cancelled })));
    expect(error).toBeInstanceOf(SessionClosedError);
    expect(error).toMatchObject({ code: 'SESSION_CLOSED', phase: 'shutdown' });
    expect(cancelled).toHaveBeenCalledTimes(1);
  });

  it('after the end of input rejects, although the CLI still talks', async () => {
    const { q, cli } = play({
      kind,
      steps: [...handshake(), ...turn(), AWAIT_END, mark('ended'), emit(init()), exit(0)],
    });
    const ending = runToEnd(q);
    await cli.marked('ended');
    expect((await outcomeOf(q.streamInput('late'))).error).toBeInstanceOf(SessionClosedError);
    expect((await ending).error).toBeUndefined();
  });

  it('of something that is no prompt rejects, and the session goes on', async () => {
    const { q } = play({ kind, steps: [...handshake(), ...turn()] });
    expect(await outcomeOf(q.streamInput(5 as never))).toMatchObject({ error: { code: 'INVALID_OPTIONS' } });
    expect((await runToEnd(q)).error).toBeUndefined();
  });
});

/** Two messages, a turn each, as 2.1.325 plays them. */
function twoTurns() {
  return [
    expectLine('user'),
    emit(state('running'), init(), result()),
    emit(state('idle')),
    expectLine('user'),
    emit(state('running'), init(), result({ user_message_uuids: ['$uuid:1'] })),
    emit(state('idle')),
  ];
}

async function nextResult(q: AsyncIterator<{ type: string }>): Promise<unknown> {
  for (;;) {
    const step = await q.next();
    if (step.done || step.value.type === 'result') return step.value;
  }
}
