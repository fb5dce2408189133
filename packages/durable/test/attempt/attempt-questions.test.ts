// The questions of an attempt: which answers are used, when, and how often.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TransportFactory } from '../../../core/src/wire/transport/transport.js';
import { allow, createSdkMcpServer, deny, tool } from '../../../inboard/src/index.js';
import { createFakeCli, text, toolUse } from '../../../inboard/src/testing.js';
import { attemptTurn } from '../../src/attempt/attempt-turn.js';
import {
  createAnsweredStore,
  createAttemptApprovals,
  type QuestionAnswer,
} from '../../src/attempt/attempt-questions.js';
import { HeldQuestions } from '../../src/attempt/held-questions.js';
import { createMemoryLedger } from '../../src/ledger/memory-ledger.js';

function createQuestions(answers: QuestionAnswer[] = []) {
  const onChange = vi.fn();
  return { onChange, questions: new HeldQuestions({ store: createAnsweredStore(answers), onChange }) };
}

const ask = (questions: HeldQuestions, callKey: string, signal = new AbortController().signal) =>
  questions.canUseTool(
    'pay',
    { order: 7 },
    { signal, callKey, requestId: `r-${callKey}`, toolUseID: `t-${callKey}` },
  );

/** An object with lists in lists, so many levels in all. */
const nest = (levels: number): Record<string, unknown> => ({
  deep: JSON.parse('['.repeat(levels - 1) + ']'.repeat(levels - 1)) as unknown,
});

describe('an input that is nested too deep for an engine', () => {
  it('is denied before anybody is asked, by a call and by a handler', async () => {
    const { questions } = createQuestions();
    const approvals = createAttemptApprovals(questions, () => {});
    const options = { signal: new AbortController().signal, callKey: 'one', requestId: 'r', toolUseID: 't' };
    const context = { callKey: 'call', server: 'shop', tool: 'pay' };
    for (const input of [nest(202), nest(100_000)]) {
      const refused = { behavior: 'deny', message: expect.stringMatching(/deeper than 200 levels/) };
      expect(await approvals.canUseTool('pay', input, options)).toEqual(refused);
      expect(await approvals.ask({ title: 'Really?', input }, context)).toEqual(refused);
    }
    expect(questions.open).toEqual([]);
    const asked = approvals.canUseTool('pay', nest(200), options);
    expect(questions.open).toHaveLength(1);
    questions.close();
    await asked;
  });

  it('of a turn neither ends the process nor makes the turn wait', async () => {
    const run = async ({ order }: { order: string }) => `shipped ${order}`;
    const ship = tool(
      'ship',
      'Ships',
      { type: 'object', properties: { order: { type: 'string' } } },
      run as never,
    );
    const script = [toolUse('mcp__shop__ship', { order: '7', more: 'DEEP' }), text('Done.')];
    const fake = createFakeCli(script, { allowEarlyEnd: true });
    onTestFinished(() => fake.close({ verify: false }));
    // No CLI that writes JSON by recursion can be made to send such an input, so it is put into the lines.
    const transport: TransportFactory = async (request) => {
      const own = await fake.transport(request);
      const open = own.open.bind(own);
      const deep = '['.repeat(20_000) + ']'.repeat(20_000);
      own.open = (receiver) =>
        open({
          line: (line) => receiver.line(line.replaceAll('"DEEP"', deep)),
          fault: (error) => receiver.fault(error),
          closed: (end) => receiver.closed(end),
        });
      return own;
    };
    const shop = createSdkMcpServer({ name: 'shop', tools: [ship] });
    const end = await attemptTurn({
      ledger: createMemoryLedger(),
      conversation: 'chat',
      turn: { id: '1', content: 'Ship.' },
      agent: { transport, mcpServers: { shop }, claudeCodeVersion: '2.1.200' },
      suspendAfterMs: 0,
    });
    expect(end).toMatchObject({ state: 'ended', outcome: { ok: true, text: 'Done.' } });
  });
});

describe('a question of an attempt', () => {
  it('gets the answer that was given to it, once', async () => {
    const { questions } = createQuestions([{ id: 'one', result: allow(), by: 'ann' }]);
    expect(await ask(questions, 'one')).toEqual(allow());
    const again = ask(questions, 'one-more');
    expect(questions.open.map(({ id }) => id)).toEqual(['one-more']);
    expect(questions.toolUseIds).toEqual(['t-one-more']);
    questions.close();
    expect(await again).toBeNull();
  });

  it('stays open without an answer, and its waiter gets nothing when the attempt ends', async () => {
    const { questions, onChange } = createQuestions([{ id: 'another', result: deny('no') }]);
    const asked = ask(questions, 'one');
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(questions.open).toMatchObject([
      { id: 'one', kind: 'permission', toolName: 'pay', input: { order: 7 } },
    ]);
    questions.close();
    expect(await asked).toBeNull();
    expect(questions.open).toEqual([]);
  });

  it('gets the newest answer, if the one before could not be used and the question was asked again', async () => {
    const { questions } = createQuestions([{ id: 'one-again-2', result: deny('second thoughts') }]);
    expect(await ask(questions, 'one')).toEqual(deny('second thoughts'));
  });

  it('of a handler keeps its id, and lets the handler go on only while the attempt may', async () => {
    const context = { callKey: 'call', server: 'shop', tool: 'pay' };
    const { questions } = createQuestions();
    const asked = questions.ask({ title: 'Really?' }, context);
    const [question] = questions.open;
    expect(questions.toolUseIds).toEqual([]);
    questions.close();
    await expect(asked).rejects.toMatchObject({ code: 'PERMISSION_UNAVAILABLE' });
    const answers = [{ id: String(question?.id), result: allow() }];
    expect(await createQuestions(answers).questions.ask({ title: 'Really?' }, context)).toEqual(allow());
    const lost = createAttemptApprovals(createQuestions(answers).questions, () => {
      throw new Error('lost');
    });
    await expect(lost.ask({ title: 'Really?' }, context)).rejects.toThrow('lost');
  });
});
