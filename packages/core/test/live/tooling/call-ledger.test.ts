// Keys of calls: the same for the question and the call, before and after a restart, and different for every other call.
import { expect, it } from 'vitest';
import { createCallLedger, type CallLedger } from '../../../src/live/tooling/call-ledger.js';
import type { CallIdentity } from '../../../src/wire/protocol/call-identity.js';
import type { SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';

const userMessage = (uuid?: string): SDKUserMessage =>
  ({
    type: 'user',
    message: { role: 'user', content: 'Go.' },
    parent_tool_use_id: null,
    ...(uuid && { uuid }),
  }) as SDKUserMessage;

/** Plays a CLI to a ledger. */
function play(ledger: CallLedger, sessionId = 's1') {
  return {
    /** A message is written, and its turn begins; `reported` as newer CLIs do. */
    begin(uuid?: string, { reported = true, written = true } = {}) {
      if (written) ledger.names.wrote(userMessage(uuid));
      if (uuid && reported)
        ledger.observe({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
      ledger.observe({ type: 'system', subtype: 'init', session_id: sessionId });
    },
    use(id: string, input: unknown = { order: 7 }, name = 'mcp__shop__refund', parent?: string) {
      const content = [{ type: 'tool_use', id, name, input }];
      ledger.observe({ type: 'assistant', message: { content }, parent_tool_use_id: parent ?? null });
    },
    end(id: string, text = 'paid back') {
      const block = { type: 'tool_result', tool_use_id: id, content: text, is_error: text.startsWith('[') };
      ledger.observe({ type: 'user', message: { content: [block] } });
    },
    result(...uuids: string[]) {
      ledger.observe({ type: 'result', ...(uuids.length > 0 && { user_message_uuids: uuids }) });
    },
    identify(toolUseId: string, input: unknown = { order: 7 }): CallIdentity {
      return ledger.identify({ toolUseId, toolName: 'mcp__shop__refund', input });
    },
  };
}

it('names the question about a call and the call alike, even if the input was changed between', () => {
  const cli = play(createCallLedger({}));
  cli.begin('u1');
  cli.use('t1');
  const asked = cli.identify('t1');
  expect(asked).toEqual({ callKey: expect.stringMatching(/^call_[0-9a-f]{40}_1$/) as string, attempt: 1 });
  expect(cli.identify('t1', { order: 8 })).toEqual(asked);
});

it('gives a call that had ended its key again where its CLI was killed before it had saved the call', () => {
  const ledger = createCallLedger({});
  const cli = play(ledger);
  cli.begin('u1');
  cli.use('saved', { order: 6 });
  cli.use('lost');
  cli.use('aside', { order: 8 }, 'mcp__shop__refund', 'toolu_task');
  const { callKey } = cli.identify('lost');
  for (const id of ['saved', 'lost', 'aside']) cli.end(id);
  ledger.cut();
  ledger.names.expect(ledger.names.nameOf('u1'));
  ledger.keepSaved(new Set(['saved']));
  cli.begin('u1', { written: false });
  cli.use('again');
  expect(cli.identify('again')).toEqual({ callKey, attempt: 2 });
  // What is saved, and what a subagent has in a transcript of its own, was another call.
  cli.use('more', { order: 6 });
  cli.use('other', { order: 8 });
  expect([cli.identify('more', { order: 6 }).attempt, cli.identify('other', { order: 8 }).attempt]).toEqual([
    1, 1,
  ]);
});

it('counts equal calls of a message, in the order in which they were made', () => {
  const cli = play(createCallLedger({}));
  cli.begin('u1');
  cli.use('t1');
  cli.use('t2', { order: 8 });
  cli.use('t3');
  const third = cli.identify('t3').callKey;
  const first = cli.identify('t1').callKey;
  expect(third).toBe(first.replace(/_1$/, '_2'));
  expect(cli.identify('t2').callKey).toMatch(/_1$/);
  expect(cli.identify('t2').callKey).not.toBe(first);
});

it('gives equal calls of another message, conversation or tool another key', () => {
  const keys = [
    ['s1', 'u2', 'a'],
    ['s1', 'u3', 'a'],
    ['s2', 'u2', 'a'],
    ['s1', 'u2', 'b'],
  ].map(([session, uuid, tool]) => {
    const cli = play(createCallLedger({ resume: 'x' }), session);
    cli.begin(uuid);
    cli.use('t1', {}, tool);
    return cli.identify('t1').callKey;
  });
  expect(new Set(keys).size).toBe(4);
});

it('knows a call again that was cut off with its CLI, and counts the tries', () => {
  const ledger = createCallLedger({});
  const cli = play(ledger);
  cli.begin('u1');
  cli.use('t1');
  cli.end('t1');
  cli.use('t2');
  const [done, cut] = [cli.identify('t1'), cli.identify('t2')];
  ledger.cut();
  // Sent again under another id, as after a crash.
  ledger.names.rename('u1-again', ledger.names.nameOf('u1'));
  cli.begin('u1-again');
  cli.use('t9');
  expect(cli.identify('t9')).toEqual({ callKey: cut.callKey, attempt: 2 });
  cli.use('t10');
  expect(cli.identify('t10').callKey).toBe(done.callKey.replace(/_1$/, '_3'));
});

it('knows it again in another process, from what the transcript tells', () => {
  const before = play(createCallLedger({}));
  before.begin('u1');
  before.use('t1');
  before.end('t1');
  before.use('t2');
  const cut = before.identify('t2');

  const ledger = createCallLedger({ resume: 's1' });
  ledger.restore({
    message: 'first',
    calls: [
      { toolName: 'mcp__shop__refund', input: { order: 7 }, hasEnded: true },
      { toolName: 'mcp__shop__refund', input: { order: 7 }, hasEnded: false },
    ],
  });
  ledger.names.expect('first');
  const after = play(ledger);
  // The CLI continues by itself, under an id that the host did not give.
  after.begin('unknown', { written: false });
  after.use('t7');
  expect(after.identify('t7')).toEqual({ callKey: cut.callKey, attempt: 2 });
  after.result('u1');
  after.begin('u2');
  after.use('t8');
  expect(after.identify('t8').attempt).toBe(1);
  expect(after.identify('t8').callKey).not.toBe(cut.callKey);
});

it('names the first message of a conversation alike, with and without an id', () => {
  const keys = [undefined, 'u1'].map((uuid) => {
    const cli = play(createCallLedger({}));
    cli.begin(uuid);
    cli.use('t1');
    return cli.identify('t1').callKey;
  });
  expect(keys[0]).toBe(keys[1]);
});

it('lets no message without an id pass for another', () => {
  const cli = play(createCallLedger({ resume: 's1' }));
  cli.begin();
  cli.use('t1');
  const first = cli.identify('t1').callKey;
  cli.result();
  cli.begin();
  cli.use('t2');
  expect(cli.identify('t2').callKey).not.toBe(first);
});

it('follows CLIs that report on no message, and messages taken into a running turn', () => {
  const reported = play(createCallLedger({}));
  const silent = play(createCallLedger({}));
  const keys = [reported, silent].map((cli, index) => {
    const isReported = { reported: index === 0 };
    cli.begin('u1', isReported);
    cli.result(...(index === 0 ? ['u1'] : []));
    cli.begin('u2', isReported);
    cli.begin('u3', isReported);
    cli.use('t1');
    return cli.identify('t1').callKey;
  });
  expect(keys[0]).toBe(keys[1]);
});

it('takes a call whose outcome the CLI calls unknown for cut off', () => {
  const cli = play(createCallLedger({}));
  cli.begin('u1');
  cli.use('t1');
  const { callKey } = cli.identify('t1');
  cli.end('t1', '[Tool call interrupted: the session ended before this call’s result was recorded.]');
  cli.use('t2');
  expect(cli.identify('t2')).toEqual({ callKey, attempt: 2 });
});

it('counts on in a turn with more calls than it holds', () => {
  const cli = play(createCallLedger({}));
  cli.begin('u1');
  for (let count = 1; count <= 2_000; count += 1) {
    cli.use(`t${count}`);
    cli.end(`t${count}`);
  }
  cli.use('last');
  expect(cli.identify('last').callKey).toMatch(/_2001$/);
});
