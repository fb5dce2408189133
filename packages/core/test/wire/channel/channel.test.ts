import * as fc from 'fast-check';
import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { Channel, type ChannelOptions } from '../../../src/wire/channel/channel.js';
import { createRequestId } from '../../../src/wire/channel/outbound-requests.js';
import {
  AbortError,
  ControlRequestError,
  SessionClosedError,
  type InboardError,
} from '../../../src/errors.js';
import { LEFT_OPEN, NOT_OURS, type AnswerContext, type Answerer } from '../../../src/wire/protocol/answer.js';
import type { WireObject } from '../../../src/wire/protocol/codec.js';
import { countWalked } from '../../../../../test/support/count-walked.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { playOnChannel, type Play } from './channel-model.js';

function setUp(answerers: Record<string, Answerer> = {}, more: Partial<ChannelOptions> = {}) {
  const written: WireObject[] = [];
  const messages: WireObject[] = [];
  const warnings: InboardError[] = [];
  const channel = new Channel({
    write: (line) => written.push(JSON.parse(line) as WireObject),
    answerers,
    onMessage: (message) => messages.push(message),
    onWarning: (error) => warnings.push(error),
    ...more,
  });
  const receive = (value: unknown): void => channel.receiveLine(JSON.stringify(value));
  const ask = (id: string, request: unknown): void =>
    receive({ type: 'control_request', request_id: id, request });
  const reply = (id: unknown, response: object): void =>
    receive({ type: 'control_response', response: { request_id: id, ...response } });
  return { channel, written, messages, warnings, receive, ask, reply };
}

const NOT_JSON = new Set(['nonsense', '{"a":']);

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests of the CLI', () => {
  it('answers at once when the answerer is synchronous', () => {
    const { ask, written } = setUp({ add: (request) => ({ sum: Number(request['a']) + 1 }) });
    ask('r1', { subtype: 'add', a: 1 });
    expect(written).toEqual([
      { type: 'control_response', response: { subtype: 'success', request_id: 'r1', response: { sum: 2 } } },
    ]);
  });

  const LONG_ANSWER = { text: 'x'.repeat(2_000_000), rows: [1, 2, 3] };
  const answerLong: Answerer = (_request, context) => {
    context.expectLong?.();
    return LONG_ANSWER;
  };

  it('writes a long answer later, whole and once, and lets shorter ones pass', async () => {
    const settled = vi.fn();
    const { ask, written } = setUp({ long: answerLong, short: () => 1 }, { onSettled: settled });
    ask('a', { subtype: 'long' });
    ask('b', { subtype: 'short' });
    expect(written).toHaveLength(1);
    expect(settled).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(written).toHaveLength(2));
    expect(written[1]).toEqual({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'a', response: LONG_ANSWER },
    });
    expect(settled).toHaveBeenCalledTimes(2);
  });

  it('writes no long answer after the end, and an error for one that cannot be encoded', async () => {
    const bad: Answerer = (_request, context) => {
      context.expectLong?.();
      return { ...LONG_ANSWER, big: 1n };
    };
    const { ask, written, channel } = setUp({ long: answerLong, bad });
    ask('a', { subtype: 'bad' });
    await vi.waitFor(() => expect(written).toHaveLength(1));
    expect(written[0]).toMatchObject({ response: { subtype: 'error', request_id: 'a' } });
    ask('b', { subtype: 'long' });
    channel.close(new SessionClosedError());
    for (let turn = 0; turn < 50; turn += 1) await tick();
    expect(written).toHaveLength(1);
  });

  it('answers in order of completion and each on its own id', async () => {
    const open = new Map<string, (value: unknown) => void>();
    const { ask, written } = setUp({
      wait: (_request, { requestId }) => new Promise((resolve) => open.set(requestId, resolve)),
    });
    ask('a', { subtype: 'wait' });
    ask('b', { subtype: 'wait' });
    open.get('b')?.('second');
    await tick();
    open.get('a')?.('first');
    await tick();
    expect(written.map((line) => line['response'])).toEqual([
      { subtype: 'success', request_id: 'b', response: 'second' },
      { subtype: 'success', request_id: 'a', response: 'first' },
    ]);
  });

  it.each([
    [
      'a thrown Error',
      () => {
        throw new Error('no');
      },
      'no',
    ],
    [
      'a thrown string',
      () => {
        throw 'plain';
      },
      'plain',
    ],
    ['a rejected promise', () => Promise.reject(new Error('later')), 'later'],
    ['an answer JSON cannot hold', () => ({ big: 1n }), /Cannot write an answer as JSON/],
  ] as const)('turns %s into a refusal', async (_what, answerer, text) => {
    const { ask, written } = setUp({ go: answerer });
    ask('r', { subtype: 'go' });
    await tick();
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({ response: { subtype: 'error', request_id: 'r' } });
    const error = (written[0]?.['response'] as WireObject | undefined)?.['error'];
    if (typeof text === 'string') expect(error).toBe(text);
    else expect(error).toMatch(text);
  });

  it('leaves the response key out when the answer is undefined', () => {
    const { ask, written } = setUp({ go: () => undefined });
    ask('r', { subtype: 'go' });
    expect(written).toEqual([
      { type: 'control_response', response: { subtype: 'success', request_id: 'r' } },
    ]);
  });

  it.each([{ subtype: 'never_heard_of' }, { subtype: 'toString' }, {}, undefined, null, 7])(
    'refuses what nobody answers: %j',
    (request) => {
      const { ask, written } = setUp();
      ask('r', request);
      expect(written).toHaveLength(1);
      expect(written[0]).toMatchObject({
        response: { subtype: 'error', request_id: 'r', error_code: 'unsupported_request' },
      });
    },
  );

  it('drops a copy of an open id, answers once, and takes the id again afterwards', async () => {
    let release: (value: unknown) => void = () => {};
    const answerer = vi.fn(() => new Promise((resolve) => (release = resolve)));
    const { ask, written, warnings } = setUp({ go: answerer });
    ask('r', { subtype: 'go' });
    ask('r', { subtype: 'go' });
    expect(answerer).toHaveBeenCalledTimes(1);
    expect(warnings).toHaveLength(1);
    release('done');
    await tick();
    expect(written).toHaveLength(1);
    ask('r', { subtype: 'go' });
    expect(answerer).toHaveBeenCalledTimes(2);
  });

  it('keeps a late answer from another request that has come under the same id', async () => {
    const open: ((value: unknown) => void)[] = [];
    const { ask, channel, written } = setUp({ wait: () => new Promise((resolve) => open.push(resolve)) });
    ask('r', { subtype: 'wait' });
    expect(channel.answer('r', 'by its id')).toBe(true);
    ask('r', { subtype: 'wait' });
    open[0]?.('late');
    await tick();
    expect(written).toHaveLength(1);
    open[1]?.('own');
    await tick();
    expect(written.map(({ response }) => (response as WireObject)['response'])).toEqual(['by its id', 'own']);
  });

  it('aborts the signal of a withdrawn request and still answers once', async () => {
    let seen: AbortSignal | undefined;
    const { ask, receive, written } = setUp({
      go: (_request, context) => {
        seen = context.signal;
        return new Promise((resolve) => seen?.addEventListener('abort', () => resolve('stopped')));
      },
    });
    ask('r', { subtype: 'go' });
    receive({ type: 'control_cancel_request', request_id: 'r' });
    await tick();
    expect(seen?.aborted).toBe(true);
    expect(written).toHaveLength(1);
    receive({ type: 'control_cancel_request', request_id: 'r' });
    receive({ type: 'control_cancel_request', request_id: 'unknown' });
  });

  it('tells a watcher of the withdrawal before the signal fires, once, and at once where it comes late', () => {
    const heard: unknown[] = [];
    let context: AnswerContext | undefined;
    const { ask, receive, channel } = setUp({
      go: (_request, given) => {
        context = given;
        given.signal.addEventListener('abort', () => heard.push('signal'));
        given.watch?.({ withdraw: (reason) => heard.push(reason) });
        return new Promise(() => {});
      },
    });
    ask('r', { subtype: 'go' });
    receive({ type: 'control_cancel_request', request_id: 'r' });
    receive({ type: 'control_cancel_request', request_id: 'r' });
    channel.close(new SessionClosedError());
    context?.watch?.({ withdraw: (reason) => heard.push(reason) });
    const reason: unknown = context?.signal.reason;
    expect(reason).toBeInstanceOf(AbortError);
    expect(heard).toEqual([reason, 'signal', reason]);
  });

  it('shows the abort to an answerer that reads its signal only afterwards', () => {
    let context: { signal: AbortSignal } | undefined;
    const { ask, receive } = setUp({
      go: (_request, given) => {
        context = given;
        return new Promise(() => {});
      },
    });
    ask('r', { subtype: 'go' });
    receive({ type: 'control_cancel_request', request_id: 'r' });
    expect(context?.signal.aborted).toBe(true);
    expect(context?.signal.reason).toBeInstanceOf(AbortError);
  });

  it('can leave a request open and answer it later by its id, once', () => {
    const { ask, channel, written } = setUp({ go: () => LEFT_OPEN });
    ask('r', { subtype: 'go' });
    expect(written).toEqual([]);
    expect(channel.inFlight).toBe(1);
    expect(channel.answer('r', { ok: true })).toBe(true);
    expect(channel.answer('r', { ok: true })).toBe(false);
    expect(written).toHaveLength(1);
    expect(channel.inFlight).toBe(0);
  });

  it('forgets a request that is not ours, without an answer', () => {
    const onSettled = vi.fn();
    const { ask, channel, written } = setUp({ go: () => NOT_OURS }, { onSettled });
    ask('r', { subtype: 'go' });
    expect(written).toEqual([]);
    expect(channel.inFlight).toBe(0);
    expect(onSettled).toHaveBeenCalledTimes(1);
  });

  describe('that a reply says are pending', () => {
    const pendingOf = (...ids: string[]): object => ({
      subtype: 'success',
      response: {},
      pending_permission_requests: [
        ...ids.map((id) => ({
          type: 'control_request',
          request_id: id,
          request: { subtype: 'can_use_tool' },
        })),
        null,
      ],
    });

    it('are taken up, but not those that are being worked on', async () => {
      const settle: (() => void)[] = [];
      const answerer = vi.fn(() => new Promise<object>((resolve) => settle.push(() => resolve({}))));
      const { ask, channel, reply, written, warnings } = setUp({ can_use_tool: answerer });
      ask('open', { subtype: 'can_use_tool' });
      const answered = channel.request({ subtype: 'initialize' }, { requestId: 'i' });
      reply('i', pendingOf('open', 'new'));
      await answered;
      expect(answerer).toHaveBeenCalledTimes(2);
      for (const each of settle) each();
      await tick();
      expect(written.slice(1).map((line) => line['response'])).toMatchObject([
        { request_id: 'open' },
        { request_id: 'new' },
      ]);
      expect(warnings).toEqual([]);
    });

    it('go back to their answerer when they had been left open, if the handshake was repeated', async () => {
      const answers: unknown[] = [LEFT_OPEN, LEFT_OPEN, { behavior: 'deny' }];
      const answerer = vi.fn(() => answers.shift());
      const { ask, channel, reply, written } = setUp({ can_use_tool: answerer });
      ask('open', { subtype: 'can_use_tool' });
      const other = channel.request({ subtype: 'mcp_status' }, { requestId: 'other' });
      reply('other', pendingOf('open'));
      await other;
      expect(answerer).toHaveBeenCalledTimes(1);
      for (const id of ['first', 'second', 'third']) {
        const answered = channel.request({ subtype: 'initialize' }, { requestId: id });
        reply(id, pendingOf(...(id === 'third' ? [] : ['open'])));
        await answered;
      }
      expect(answerer).toHaveBeenCalledTimes(3);
      expect(written.filter((line) => line['type'] === 'control_response')).toEqual([
        {
          type: 'control_response',
          response: { subtype: 'success', request_id: 'open', response: { behavior: 'deny' } },
        },
      ]);
    });

    it('are not answered twice when the reply was written before the answer was read', async () => {
      const answerer = vi.fn(() => ({ behavior: 'allow' }));
      const { ask, channel, reply, written } = setUp({ can_use_tool: answerer });
      const answered = channel.request({ subtype: 'initialize' }, { requestId: 'i' });
      ask('asked', { subtype: 'can_use_tool' });
      reply('i', pendingOf('asked'));
      await answered;
      expect(answerer).toHaveBeenCalledTimes(1);
      expect(written).toHaveLength(2);
      // Once no reply is due, the CLI may use the id for another question.
      ask('asked', { subtype: 'can_use_tool' });
      expect(answerer).toHaveBeenCalledTimes(2);
    });

    it.each(['can_use_tool', 'request_user_dialog', 'elicitation'])(
      'are remembered as answered until no reply is due (%s)',
      async (subtype) => {
        const answerer = vi.fn(() => ({}));
        const { ask, channel, reply } = setUp({ [subtype]: answerer, can_use_tool: answerer });
        const first = channel.request({ subtype: 'one' }, { requestId: '1' });
        const second = channel.request({ subtype: 'two' }, { requestId: '2' });
        ask('asked', { subtype });
        reply('1', pendingOf('asked', 'listed'));
        // The second reply may have been written before any of these answers was read.
        reply('2', pendingOf('asked', 'listed'));
        await Promise.all([first, second]);
        expect(answerer).toHaveBeenCalledTimes(2);
        // One that was sent after all answers is not: what it lists does wait.
        const third = channel.request({ subtype: 'three' }, { requestId: '3' });
        reply('3', pendingOf('asked'));
        await third;
        expect(answerer).toHaveBeenCalledTimes(3);
      },
    );

    it('are remembered as answered also where a repeated handshake listed them', async () => {
      const answerer = vi.fn(() => ({}));
      const { channel, reply } = setUp({ can_use_tool: answerer });
      const first = channel.request({ subtype: 'initialize' }, { requestId: '1' });
      const second = channel.request({ subtype: 'initialize' }, { requestId: '2' });
      reply('1', pendingOf('listed'));
      reply('2', pendingOf('listed'));
      await Promise.all([first, second]);
      expect(answerer).toHaveBeenCalledTimes(1);
    });

    it('are new when they were answered before the request was sent', async () => {
      const answerer = vi.fn(() => ({}));
      const { ask, channel, reply } = setUp({ can_use_tool: answerer });
      ask('asked', { subtype: 'can_use_tool' });
      const answered = channel.request({ subtype: 'mcp_status' }, { requestId: 'i' });
      reply('i', pendingOf('asked'));
      await answered;
      expect(answerer).toHaveBeenCalledTimes(2);
    });

    it('are not looked at when nobody waits for the reply', () => {
      const answerer = vi.fn(() => ({}));
      const { reply } = setUp({ can_use_tool: answerer });
      reply('nobody', pendingOf('old'));
      expect(answerer).not.toHaveBeenCalled();
    });
  });
});

describe('requests of ours', () => {
  it('resolves with the response and rejects with the CLI’s error and code', async () => {
    const { channel, written, reply } = setUp();
    const good = channel.request({ subtype: 'one' });
    const bad = channel.request({ subtype: 'two' });
    reply(written[1]?.['request_id'], { subtype: 'error', error: 'refused', error_code: 'busy' });
    reply(written[0]?.['request_id'], { subtype: 'success', response: { fine: true } });
    await expect(good).resolves.toEqual({ fine: true });
    const error = await bad.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ControlRequestError);
    expect(error).toMatchObject({ message: 'refused', errorCode: 'busy', subtype: 'two' });
  });

  it('keeps its id space apart from the CLI’s', async () => {
    const { channel, ask, reply, written } = setUp({ go: () => LEFT_OPEN });
    const ours = channel.request({ subtype: 'x' }, { requestId: 'same' });
    ask('same', { subtype: 'go' });
    channel.answer('same', 1);
    reply('same', { subtype: 'success', response: 'ours' });
    await expect(ours).resolves.toBe('ours');
    expect(written).toHaveLength(2);
  });

  it('refuses an id that is still open', async () => {
    const { channel, written } = setUp();
    const first = channel.request({ subtype: 'x' }, { requestId: 'same' });
    await expect(channel.request({ subtype: 'y' }, { requestId: 'same' })).rejects.toMatchObject({
      errorCode: 'duplicate_request_id',
    });
    expect(written).toHaveLength(1);
    channel.close(new SessionClosedError());
    await expect(first).rejects.toBeInstanceOf(SessionClosedError);
  });

  it('withdraws a request whose signal aborts, and ignores the late reply', async () => {
    const { channel, written, reply } = setUp();
    const controller = new AbortController();
    const answer = channel.request({ subtype: 'slow' }, { signal: controller.signal, requestId: 'r' });
    controller.abort('enough');
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
    expect(written[1]).toEqual({ type: 'control_cancel_request', request_id: 'r' });
    reply('r', { subtype: 'success' });
    expect(channel.inFlight).toBe(0);
  });

  it('does not cancel a request on the wire where the CLI would exit because of it', async () => {
    const { channel, written } = setUp({}, { canWithdraw: () => false });
    const controller = new AbortController();
    const answer = channel.request({ subtype: 'slow' }, { signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toBeInstanceOf(AbortError);
    expect(written).toHaveLength(1);
    expect(channel.inFlight).toBe(0);
  });

  it('never writes a request whose signal has already aborted', async () => {
    const { channel, written } = setUp();
    await expect(channel.request({ subtype: 'x' }, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
      AbortError,
    );
    expect(written).toEqual([]);
  });

  it('rejects what JSON cannot hold without leaving it open', async () => {
    const { channel } = setUp();
    const request = { subtype: 'x', value: 1n } as unknown as { subtype: string };
    await expect(channel.request(request)).rejects.toMatchObject({ code: 'UNENCODABLE' });
    expect(channel.inFlight).toBe(0);
  });
});

describe('what is not control traffic', () => {
  it('passes messages on untouched, known or not', () => {
    const { receive, messages } = setUp();
    const lines = [{ type: 'assistant' }, { type: 'from_the_future', x: 1 }, { no: 'type' }];
    for (const line of lines) receive(line);
    expect(messages).toEqual(lines);
  });

  it.each([
    'nonsense',
    'null',
    '5',
    '"x"',
    '[]',
    'true',
    '{"type":"control_response"}',
    '{"type":"control_request"}',
    '{"type":"control_response","response":null}',
    '{"type":"control_cancel_request"}',
    '{"a":',
  ])('reports %s and goes on', (line) => {
    const { channel, warnings, messages, written } = setUp();
    channel.receiveLine(line);
    expect(warnings).toMatchObject([{ code: NOT_JSON.has(line) ? 'MALFORMED_LINE' : 'MALFORMED_FRAME' }]);
    expect(messages).toEqual([]);
    expect(written).toEqual([]);
    channel.receiveLine('{"type":"assistant"}');
    expect(messages).toHaveLength(1);
  });

  const RESULT = '{"type":"result","text":"\\u0000 kept"}';
  it.each([
    ['before it', `\0${RESULT}`],
    ['after it', `${RESULT}\0`],
    ['on both sides', `\0\0\0${RESULT}\0`],
    ['with white space', `\0 \t${RESULT}\r\0`],
    ['before a byte order mark', `\0\uFEFF${RESULT}`],
    ['a page of them', `${'\0'.repeat(4096)}${RESULT}${'\0'.repeat(4096)}`],
  ])('takes a line with NUL bytes %s, and says so', (_where, line) => {
    const lines: string[] = [];
    const { channel, warnings, messages } = setUp({}, { onMessage: (_message, text) => lines.push(text) });
    channel.receiveLine(line);
    // The text goes on without them, since it may be parsed again.
    expect(lines).toEqual([RESULT]);
    expect(messages).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['PADDED_LINE']);
    expect(warnings[0]?.message).toContain(` ${line.length - RESULT.length} characters `);
  });

  it('returns the message of a line with NUL bytes that is read later, and does not receive it', () => {
    const { channel, warnings, messages } = setUp();
    expect(channel.readMessage(`${RESULT}\0\0`)).toEqual(JSON.parse(RESULT));
    expect(messages).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['PADDED_LINE']);
    expect(channel.readMessage('{"type":\0')).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toEqual(['PADDED_LINE', 'MALFORMED_LINE']);
  });

  it.each([
    ['only NUL bytes', '\0\0'],
    ['one inside', '{"type":\0"result"}'],
    ['one inside a string', '{"type":"re\0sult"}'],
    ['one between two lines', '{"type":"a"}\0{"type":"b"}'],
    ['around garbage', '\0{"type":\0'],
    ['around what is no message', '\0null\0'],
    ['another control character around it', '\u0001{"type":"result"}'],
  ])('leaves out a line with %s, with one warning', (_what, line) => {
    const { channel, warnings, messages } = setUp();
    channel.receiveLine(line);
    expect(messages).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual([expect.stringMatching(/^MALFORMED_/)]);
  });

  it('takes a reply and a request with NUL bytes around them', async () => {
    const { channel, written } = setUp({ go: () => 1 });
    const answer = channel.request({ subtype: 'x' }, { requestId: 'q' });
    channel.receiveLine(
      '\0{"type":"control_response","response":{"subtype":"success","request_id":"q","response":7}}',
    );
    await expect(answer).resolves.toBe(7);
    channel.receiveLine('{"type":"control_request","request_id":"r","request":{"subtype":"go"}}\0');
    expect(written).toHaveLength(2);
  });

  it('ignores replies to no open request, and keep_alive', () => {
    const { reply, receive, warnings, messages } = setUp();
    reply('nobody', { subtype: 'success' });
    receive({ type: 'keep_alive', startup_mark: 'x' });
    expect(warnings).toEqual([]);
    expect(messages).toEqual([]);
  });
});

describe('the end', () => {
  it('settles everything once and ignores what comes later', async () => {
    let signal: AbortSignal | undefined;
    let release: (value: unknown) => void = () => {};
    const { channel, ask, written, messages, receive } = setUp({
      go: (_request, context) => {
        signal = context.signal;
        return new Promise((resolve) => (release = resolve));
      },
    });
    ask('r', { subtype: 'go' });
    const ours = channel.request({ subtype: 'x' });
    const reason = new SessionClosedError('over');
    channel.close(reason);
    channel.close(new Error('again'));
    await expect(ours).rejects.toBe(reason);
    expect(signal?.reason).toBe(reason);
    release('late');
    await tick();
    receive({ type: 'assistant' });
    expect(messages).toEqual([]);
    expect(written).toHaveLength(1);
    expect(() => channel.send({ type: 'user' })).toThrow(reason);
    await expect(channel.request({ subtype: 'y' })).rejects.toBe(reason);
  });

  it('reports when the number of open requests goes down', async () => {
    const onSettled = vi.fn();
    const { channel, ask, reply, written } = setUp({ go: () => 1 }, { onSettled });
    ask('r', { subtype: 'go' });
    expect(onSettled).toHaveBeenCalledTimes(1);
    const answer = channel.request({ subtype: 'x' });
    reply(written[1]?.['request_id'], { subtype: 'success' });
    await answer;
    expect(onSettled).toHaveBeenCalledTimes(2);
  });

  it('reports it also for what was withdrawn, left open or not ours, and needs nobody to listen', () => {
    const answerers = { open: () => LEFT_OPEN, other: () => NOT_OURS, slow: () => new Promise(() => {}) };
    const onSettled = vi.fn();
    for (const more of [{ onSettled }, {}]) {
      const { channel, ask, receive } = setUp(answerers, more);
      const counts: number[] = [];
      ask('left', { subtype: 'open' });
      counts.push(onSettled.mock.calls.length);
      ask('other', { subtype: 'other' });
      counts.push(onSettled.mock.calls.length);
      ask('slow', { subtype: 'slow' });
      receive({ type: 'control_cancel_request', request_id: 'slow' });
      counts.push(onSettled.mock.calls.length);
      channel.request({ subtype: 'x' }, { requestId: 'ours' }).catch(() => {});
      channel.expire('ours', new Error('too late'));
      counts.push(onSettled.mock.calls.length);
      expect(counts).toEqual('onSettled' in more ? [1, 2, 3, 4] : [4, 4, 4, 4]);
    }
  });

  it('leaves alone what is left open only after the end', async () => {
    let release: (value: unknown) => void = () => {};
    const onSettled = vi.fn();
    const go = (): Promise<unknown> => new Promise((resolve) => (release = resolve));
    const { channel, ask, written } = setUp({ go }, { onSettled });
    ask('r', { subtype: 'go' });
    channel.close(new SessionClosedError());
    release(LEFT_OPEN);
    await tick();
    expect(written).toEqual([]);
    expect(onSettled).not.toHaveBeenCalled();
  });

  it('keeps the first reason of a request that was withdrawn before, whenever its signal is read', () => {
    let context: AnswerContext | undefined;
    const { channel, ask, receive } = setUp({
      go: (_request, given) => {
        context = given;
        return new Promise(() => {});
      },
    });
    ask('r', { subtype: 'go' });
    receive({ type: 'control_cancel_request', request_id: 'r' });
    channel.close(new SessionClosedError());
    expect(context?.signal.reason).toBeInstanceOf(AbortError);
    expect(context?.signal).toBe(context?.signal);
  });
});

describe('what is counted as open', () => {
  it('tells requests of ours from those that are worked on here', async () => {
    const { channel, ask, receive, reply } = setUp({
      slow: () => new Promise(() => {}),
      open: () => LEFT_OPEN,
    });
    const ours = channel.request({ subtype: 'x' }, { requestId: 'ours' });
    ask('a', { subtype: 'slow' });
    ask('b', { subtype: 'slow' });
    ask('c', { subtype: 'open' });
    expect([channel.inFlight, channel.outboundInFlight, channel.inboundAwaited]).toEqual([4, 1, 2]);
    expect(channel.countOutbound((subtype) => subtype === 'x')).toBe(1);
    expect(channel.countOutbound((subtype) => subtype !== 'x')).toBe(0);
    receive({ type: 'control_cancel_request', request_id: 'a' });
    expect([channel.inFlight, channel.inboundAwaited]).toEqual([4, 1]);
    reply('ours', { subtype: 'success' });
    await ours;
    expect([channel.inFlight, channel.outboundInFlight]).toEqual([3, 0]);
  });

  it('forgets what was both left open and withdrawn, in either order', async () => {
    let release: (value: unknown) => void = () => {};
    const { channel, ask, receive } = setUp({
      open: () => LEFT_OPEN,
      later: () => new Promise((resolve) => (release = resolve)),
    });
    ask('a', { subtype: 'open' });
    expect(channel.inFlight).toBe(1);
    receive({ type: 'control_cancel_request', request_id: 'a' });
    expect(channel.inFlight).toBe(0);
    ask('b', { subtype: 'later' });
    receive({ type: 'control_cancel_request', request_id: 'b' });
    expect(channel.inFlight).toBe(1);
    release(LEFT_OPEN);
    await tick();
    expect(channel.inFlight).toBe(0);
  });

  it('counts one that went back to its answerer as worked on', async () => {
    const answers: unknown[] = [LEFT_OPEN, new Promise(() => {})];
    const { channel, ask, reply } = setUp({ can_use_tool: () => answers.shift() });
    ask('open', { subtype: 'can_use_tool' });
    expect(channel.inboundAwaited).toBe(0);
    const again = channel.request({ subtype: 'initialize' }, { requestId: 'i' });
    const request = { subtype: 'can_use_tool' };
    reply('i', {
      subtype: 'success',
      pending_permission_requests: [{ type: 'control_request', request_id: 'open', request }],
    });
    await again;
    expect(channel.inboundAwaited).toBe(1);
  });

  it('costs each of ten thousand open requests no more than each of a thousand', () => {
    const perRequest = (count: number): number => {
      const { channel, ask } = setUp(
        { work: () => new Promise(() => {}) },
        // The code that decides about the end of the input looks at every settlement.
        { write: () => {}, onSettled: () => void (channel.inboundAwaited + channel.inFlight) },
      );
      for (let id = 0; id < count; id += 1) ask(String(id), { subtype: 'work' });
      const walked = countWalked(() => {
        for (let id = 0; id < count; id += 1) channel.answer(String(id), id);
      });
      expect(channel.inFlight).toBe(0);
      return walked / count;
    };
    // Where every settlement walks all that are open, it is ten times as much.
    expect(perRequest(10_000)).toBe(perRequest(1_000));
  });

  it('leaves nothing behind on the signal of a request that was answered', async () => {
    const { channel, reply } = setUp();
    const { signal } = new AbortController();
    const answer = channel.request({ subtype: 'x' }, { signal, requestId: 'r' });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    reply('r', { subtype: 'success' });
    await answer;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('small duties', () => {
  it('writes a message', () => {
    const { channel, written } = setUp();
    channel.send({ type: 'user', n: 1 });
    expect(written).toEqual([{ type: 'user', n: 1 }]);
  });

  it('lets a request expire with its error, tells the CLI, and takes an unknown id for settled', async () => {
    const { channel, written } = setUp();
    const answer = channel.request({ subtype: 'x' }, { requestId: 'r' });
    const error = new Error('too late');
    channel.expire('nobody', new Error('no'));
    channel.expire('r', error);
    await expect(answer).rejects.toBe(error);
    expect(written[1]).toEqual({ type: 'control_cancel_request', request_id: 'r' });
    expect(written).toHaveLength(2);
  });

  it('names the code of an id used twice, and the subtype that nobody answers', () => {
    const { ask, warnings, written } = setUp({ go: () => new Promise(() => {}) });
    ask('r', { subtype: 'go' });
    ask('r', { subtype: 'go' });
    expect(warnings).toMatchObject([{ code: 'MALFORMED_FRAME' }]);
    ask('a', { subtype: 'toString' });
    ask('b', { subtype: 5 });
    expect(written.map((line) => (line['response'] as WireObject)['error'])).toEqual([
      'Unsupported control request subtype: toString',
      'The control request names no subtype',
    ]);
  });

  it('fills short request ids up', () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.5);
    expect(createRequestId()).toBe('i0000000000');
    expect(createRequestId()).toMatch(/^[0-9a-z]{11}$/);
  });
});

describe('any order of requests, replies, withdrawals and the end', () => {
  const id = fc.constantFrom('a', 'b');
  const on = (name: Play['do'], more: Record<string, fc.Arbitrary<unknown>> = {}) =>
    fc.record({ do: fc.constant(name), id, ...more }) as fc.Arbitrary<Play>;
  const answerer = fc.constantFrom('now', 'throws', 'later', 'leaves', 'later-leaves', 'not-ours', 'nobody');
  const step: fc.Arbitrary<Play> = fc.oneof(
    { weight: 4, arbitrary: on('request') },
    { weight: 3, arbitrary: on('reply', { ok: fc.boolean() }) },
    on('abort'),
    on('expire'),
    { weight: 4, arbitrary: on('ask', { answerer }) },
    { weight: 3, arbitrary: on('release', { ok: fc.boolean() }) },
    on('withdraw'),
    on('answer'),
    on('noise', { line: fc.constantFrom('x', '\0', '{"type":"control_response"}', '{"type":"assistant"}') }),
  );

  it('settles each request once, as a simple model says', async () => {
    const anyEnd = fc.option(fc.nat(40), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), anyEnd, async (steps, end) => {
        const { seen, expected } = await playOnChannel(steps, end);
        expect(seen).toEqual(expected);
      }),
      propertyOptions(200),
    );
  });
});
