// What is recorded of calls as they run, and in which order.
import { describe, expect, it, vi } from 'vitest';
import { completeCall } from '../../../../src/calls/pending/complete-call.js';
import { SessionStoreError } from '../../../../src/errors.js';
import { createMemoryCallRecords } from '../../../../src/record/calls/memory-call-records.js';
import { RecordedCalls } from '../../../../src/verbs/conversation/completion/recorded-calls.js';
import { runningCalls } from '../../../../src/verbs/conversation/completion/running-calls.js';
import { waitUntil } from '../../../../../../test/support/wait-until.js';
import type { McpReply } from '../../../../src/answer/mcp/answer-mcp-message.js';
import type { ToolRequest } from '../../../../src/live/tooling/call-recorder.js';
import type { RepeatPolicy } from '../../../../src/answer/mcp/tool/repeat-policy.js';
import type { CallRecords } from '../../../../src/wire/protocol/config/call-records.js';

const RESULT = { content: [{ type: 'text', text: 'paid' }] };
const OUTPUT = { server: 'shop', tool: 'pay' };
const REPLY = { mcp_response: { jsonrpc: '2.0', id: 1, result: RESULT } };

function createRecorder(records: CallRecords = createMemoryCallRecords(), attempt = 1) {
  const onFailure = vi.fn();
  const identify = () => ({ callKey: 'call_1', attempt });
  const recorder = new RecordedCalls({ records, owner: 'me', identify, onFailure });
  const types = async () => (await records.load()).map(({ type }) => type);
  return { recorder, records, onFailure, types };
}

function createCall(onRepeat?: RepeatPolicy, context: object = {}): ToolRequest {
  const named = { toolUseId: 'toolu_1', toolName: 'mcp__shop__pay', input: { order: 7 } };
  const { signal } = new AbortController();
  return { ...named, id: 1, onRepeat, context: { requestId: 'r1', signal, ...context } };
}

describe('recorded calls', () => {
  it('are written before their handler runs, and their result before the CLI gets it', async () => {
    const { recorder, records, types } = createRecorder();
    let before: unknown;
    const reply = recorder.run(createCall(), () => {
      before = records.load();
      return REPLY;
    });
    expect(reply).toBe(REPLY);
    expect(await before).toMatchObject([{ type: 'begun', callKey: 'call_1', owner: 'me', attempt: 1 }]);
    expect(await types()).toEqual(['begun', 'ended']);
  });

  it('wait for a place that takes its time', async () => {
    const memory = createMemoryCallRecords();
    const order: string[] = [];
    const { recorder } = createRecorder({
      ...memory,
      add: async (fact) => {
        await memory.add(fact);
        order.push(fact.type);
      },
    });
    await recorder.run(createCall(), () => {
      order.push('handler');
      return REPLY;
    });
    expect(order).toEqual(['begun', 'handler', 'ended']);
  });

  /** Records on a disk that is full while `isFull` says so. */
  function createFullDisk(isFull: (type: string) => boolean) {
    const memory = createMemoryCallRecords();
    return createRecorder({
      ...memory,
      add: (fact) => {
        if (isFull(fact.type)) throw new Error('The disk is full');
        return memory.add(fact);
      },
    });
  }

  it('go on where nothing of their turn can be stored, which is said', async () => {
    const { recorder, onFailure } = createFullDisk(() => true);
    await recorder.cover('message', undefined);
    expect(await recorder.run(createCall(), () => REPLY)).toBe(REPLY);
    expect(onFailure).toHaveBeenCalledTimes(3);
  });

  it.each<[RepeatPolicy | undefined, boolean]>([
    [undefined, false],
    ['unknown', false],
    ['run', true],
    ['recorded', true],
  ])(
    'run without a record of their beginning only if they may run twice, where their turn is recorded: %s',
    async (onRepeat, runs) => {
      const { recorder, onFailure } = createFullDisk((type) => type === 'begun');
      await recorder.cover('message', undefined);
      const handler = vi.fn(() => REPLY);
      const reply = await recorder.run(createCall(onRepeat), handler);
      expect(handler).toHaveBeenCalledTimes(runs ? 1 : 0);
      expect(JSON.stringify(reply).includes('must not run twice')).toBe(!runs);
      expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ message: 'The disk is full' }));
    },
  );

  it('do not go on after a person has answered if that cannot be stored, unless they may run twice', async () => {
    for (const [onRepeat, goesOn] of [
      ['unknown', false],
      ['run', true],
    ] as const) {
      const { recorder } = createFullDisk((type) => type === 'working');
      let answered: unknown;
      await recorder.run(createCall(onRepeat), async () => {
        const wait = { answer: Promise.resolve('yes'), isOver: () => false };
        answered = await recorder.wait('r1', wait).catch((error: Error) => error.message);
        return REPLY;
      });
      if (goesOn) expect(answered).toBe('yes');
      else expect(answered).toContain('must not run twice');
    }
  });

  it('of an older turn are refused where they cannot be stored, although this process has not begun the turn', async () => {
    const { recorder } = createFullDisk((type) => type === 'begun');
    const handler = vi.fn(() => REPLY);
    const identified = recorder.identifiedBy(() => ({ callKey: 'call_1', attempt: 1 }));
    expect(JSON.stringify(await identified.run(createCall(), handler))).toContain('must not run twice');
    expect(handler).not.toHaveBeenCalled();
  });

  it.each(['is stopped', 'loses its CLI'])(
    'do not begin where the conversation %s before they are written',
    async (how) => {
      const memory = createMemoryCallRecords();
      const call = createCall('unknown');
      const { recorder, types } = createRecorder({
        ...memory,
        add: async (fact) => {
          await memory.add(fact);
          if (fact.type !== 'begun') return;
          if (how === 'is stopped') recorder.stop(new Error('Closed'));
          else Object.assign(call.context, { isWithdrawn: true });
        },
      });
      const handler = vi.fn(() => REPLY);
      expect(JSON.stringify(await recorder.run(call, handler))).toContain('did not run');
      expect(handler).not.toHaveBeenCalled();
      // Who takes the turn up may run it, and waits for nobody.
      expect(await types()).toEqual(['begun', 'waiting', 'left']);
    },
  );

  it('do not go on where the store takes nothing from this process any more', async () => {
    const refused: string[] = [];
    const memory = createMemoryCallRecords();
    const { recorder } = createRecorder({
      ...memory,
      add: async (fact) => {
        if (!refused.includes(fact.type)) return await memory.add(fact);
        const cause = Object.assign(new Error('Another process has the conversation'), { fatal: true });
        throw new SessionStoreError('calls', 'refused', { cause });
      },
    });
    const wait = { answer: Promise.resolve('yes'), isOver: () => false };
    refused.push('working');
    await recorder.run(createCall(), async () => {
      await expect(recorder.wait('r1', wait)).rejects.toThrow('refused');
      return REPLY;
    });
    refused.push('begun');
    const handler = vi.fn(() => REPLY);
    expect(await recorder.run(createCall(), handler)).toMatchObject({
      mcp_response: { result: { isError: true } },
    });
    expect(handler).not.toHaveBeenCalled();
  });

  it.each<[RepeatPolicy | undefined, 'recorded' | 'handler']>([
    ['recorded', 'recorded'],
    ['unknown', 'recorded'],
    ['run', 'handler'],
    [undefined, 'handler'],
  ])('that are made again get what their tool wants: %s', async (onRepeat, expected) => {
    const { recorder } = createRecorder(undefined, 2);
    recorder.earlier.remember('call_1', { begunAt: 5, isWaiting: false, result: RESULT });
    const handler = vi.fn((): McpReply => ({ mcp_response: { result: { content: [] } } }));
    const reply = await recorder.run(createCall(onRepeat), handler);
    expect(handler).toHaveBeenCalledTimes(expected === 'handler' ? 1 : 0);
    if (expected === 'recorded') expect(reply).toMatchObject({ mcp_response: { id: 1, result: RESULT } });
  });

  it('whose outcome nobody knows do not run again where their tool says so', async () => {
    const { recorder } = createRecorder(undefined, 2);
    recorder.earlier.remember('call_1', { begunAt: 5, isWaiting: false, result: undefined });
    const handler = vi.fn(() => REPLY);
    const reply = await recorder.run(createCall('unknown'), handler);
    expect(handler).not.toHaveBeenCalled();
    expect(JSON.stringify(reply)).toContain('This call began at 1970-01-01T00:00:00.005Z');
  });

  it('that the CLI has withdrawn have no result', async () => {
    const { recorder, types } = createRecorder();
    await recorder.run(createCall(undefined, { isWithdrawn: true }), async () => REPLY);
    expect(await types()).toEqual(['begun', 'left']);
  });

  it('that the CLI has cancelled while they were pending are withdrawn', async () => {
    const { recorder, records, types } = createRecorder();
    let cancel = (_reply: McpReply): void => {};
    // As for `notifications/cancelled`, the request that carries the call is still open.
    const reply = recorder.run(createCall(), () => new Promise((resolve) => (cancel = resolve)));
    let isPending = (): void => {};
    const pending = new Promise<void>((resolve) => (isPending = resolve));
    void recorder.pend('r1', {
      callKey: 'call_1',
      note: undefined,
      output: OUTPUT,
      onPending: () => isPending(),
    });
    await pending;
    cancel({ mcp_response: { ...REPLY.mcp_response, result: { ...RESULT, isError: true } } });
    await reply;
    expect(await types()).toEqual(['begun', 'pending', 'withdrawn']);
    const late = completeCall(records, { callKey: 'call_1', sessionId: 's1' }, { value: 'paid' });
    await expect(late).rejects.toThrow('because its turn was stopped');
  });

  it('that the CLI has cancelled before it was stored that they are pending do not stay pending', async () => {
    const memory = createMemoryCallRecords();
    let store = (): void => {};
    const gate = new Promise<void>((resolve) => (store = resolve));
    const { recorder, types } = createRecorder({
      ...memory,
      add: async (fact) => {
        if (fact.type === 'pending') await gate;
        await memory.add(fact);
      },
    });
    let cancel = (_reply: typeof REPLY): void => {};
    const reply = recorder.run(createCall(), () => new Promise((resolve) => (cancel = resolve)));
    // The call begins when that is stored.
    await waitUntil(() => recorder.keyOf('r1') !== undefined);
    const onPending = vi.fn();
    void recorder.pend('r1', { callKey: 'call_1', note: undefined, output: OUTPUT, onPending });
    cancel(REPLY);
    await reply;
    store();
    await waitUntil(async () => (await types()).includes('withdrawn'));
    expect(await types()).toEqual(['begun', 'ended', 'pending', 'withdrawn']);
    expect(onPending).not.toHaveBeenCalled();
    expect(recorder.pending.list()).toEqual([]);
    const late = completeCall(memory, { callKey: 'call_1', sessionId: 's1' }, { value: 'paid' });
    await expect(late).rejects.toThrow('because its turn was stopped');
  });

  it('run on when their CLI is gone by itself, until the conversation is over', async () => {
    const { recorder, types } = createRecorder();
    let finish = (_reply: typeof REPLY): void => {};
    const context = { isWithdrawn: false };
    const reply = recorder.run(
      createCall(undefined, context),
      () => new Promise((resolve) => (finish = resolve)),
    );
    const cancel = vi.fn();
    expect(recorder.keep({ id: 1, cancel }, 'r1')).toBe(true);
    context.isWithdrawn = true;
    const running = runningCalls.find('call_1');
    finish(REPLY);
    await reply;
    expect(await running).toEqual(RESULT);
    expect(await types()).toEqual(['begun', 'ended']);
    recorder.stop(new Error('over'));
    expect(cancel).not.toHaveBeenCalled();
    expect(recorder.keep({ id: 2, cancel }, 'r2')).toBe(false);
  });

  it('that were kept are cancelled with their conversation, and then have no result', async () => {
    const { recorder, types } = createRecorder();
    let finish = (_reply: typeof REPLY): void => {};
    const reply = recorder.run(createCall(), () => new Promise((resolve) => (finish = resolve)));
    const running = runningCalls.find('call_1');
    recorder.keep({ id: 1, cancel: () => finish(REPLY) }, 'r1');
    recorder.stop(new Error('over'));
    await reply;
    expect(await running).toBeUndefined();
    expect(await types()).toEqual(['begun', 'left']);
  });

  it('that were kept are cancelled when their turn is stopped', async () => {
    const { recorder, types } = createRecorder();
    const context = { isWithdrawn: true };
    let finish = (_reply: typeof REPLY): void => {};
    const reply = recorder.run(
      createCall(undefined, context),
      () => new Promise((resolve) => (finish = resolve)),
    );
    const call = {
      id: 1,
      cancel: () => {
        if (!recorder.keep(call, 'r1')) finish(REPLY);
      },
    };
    expect(recorder.keep(call, 'r1')).toBe(true);
    recorder.cancelKept(new Error('interrupted'));
    await reply;
    expect(await types()).toEqual(['begun', 'left']);
  });

  it('are recorded under the name that the process which runs them knows', async () => {
    const { recorder, records } = createRecorder();
    const other = recorder.identifiedBy(() => ({ callKey: 'call_of_another', attempt: 3 }));
    await other.run(createCall(), () => Promise.resolve(REPLY));
    expect(await records.load()).toMatchObject([
      { type: 'begun', callKey: 'call_of_another', attempt: 3 },
      { type: 'ended', callKey: 'call_of_another' },
    ]);
  });

  it('say when their handler waits for a person', async () => {
    const { recorder, types } = createRecorder();
    await recorder.run(createCall(), async () => {
      const wait = { answer: Promise.resolve('yes'), isOver: () => false };
      expect(await recorder.wait('r1', wait)).toBe('yes');
      return REPLY;
    });
    expect(await types()).toEqual(['begun', 'waiting', 'working', 'ended']);
  });

  it.each([
    ['goes on where whom it asked fails', false, ['begun', 'waiting', 'working', 'ended']],
    ['still waits where it is told that its call is over', true, ['begun', 'waiting', 'ended']],
  ])('know that a handler %s', async (_title, isOver, facts) => {
    const { recorder, types } = createRecorder();
    await recorder.run(createCall(), async () => {
      const wait = { answer: Promise.reject(new Error('no answer')), isOver: () => isOver };
      await expect(recorder.wait('r1', wait)).rejects.toThrow('no answer');
      return REPLY;
    });
    expect(await types()).toEqual(facts);
  });

  it('let no handler go on with an answer that comes after the conversation is over', async () => {
    const { recorder, types } = createRecorder();
    let answer = (_text: string): void => {};
    const running = recorder.run(createCall(), async () => {
      const wait = {
        answer: new Promise<string>((resolve) => (answer = resolve)),
        isOver: () => true,
      };
      await expect(recorder.wait('r1', wait)).rejects.toThrow('abandoned');
      return REPLY;
    });
    recorder.stop(new Error('abandoned'));
    answer('yes');
    await running;
    expect(await types()).toEqual(['begun', 'waiting', 'left']);
  });

  it('record a question that is not answered at once, and its answer', async () => {
    const { recorder, records } = createRecorder();
    const asked = { tool_use_id: 'toolu_1', tool_name: 'mcp__shop__pay', input: { order: 7 }, title: 'Pay?' };
    recorder.questions.note('r1', { asked, askedAt: 1 });
    recorder.questions.settle('r1', { answer: { behavior: 'allow' }, by: undefined });
    recorder.questions.note('r2', { asked, askedAt: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    recorder.questions.settle('r2', { answer: { behavior: 'deny', message: 'No.' }, by: 'ann' });
    expect(await records.load()).toMatchObject([
      { type: 'asked', callKey: 'call_1', question: { title: 'Pay?' } },
      { type: 'answered', callKey: 'call_1', answer: { behavior: 'deny', message: 'No.' }, by: 'ann' },
    ]);
  });

  it('record a question whose CLI ends in the moment of it: people may have been asked', async () => {
    const { recorder, records } = createRecorder();
    const asked = { tool_use_id: 'toolu_1', tool_name: 'mcp__shop__pay', input: { order: 7 }, title: 'Pay?' };
    recorder.questions.note('r1', { asked, askedAt: 1 });
    recorder.questions.settle('r1', { answer: undefined, by: undefined });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await records.load()).toMatchObject([
      { type: 'asked', callKey: 'call_1', question: { title: 'Pay?' } },
    ]);
  });
});
