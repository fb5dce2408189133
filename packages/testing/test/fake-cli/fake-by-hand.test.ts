// A fake CLI played by hand, in memory and as a program: it does what the script says, and nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  ask,
  crash,
  expectEnd,
  expectLine,
  ignore,
  raw,
  refuse,
  respond,
  stall,
  type FakeScript,
  type FakeScriptItem,
} from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { playScript, RawHost, stageFake, STAGES } from './fake-stages.js';

const byHand = { byHand: true };
const line = (message: object): FakeScriptItem => raw(`${JSON.stringify(message)}\n`);
const result = { type: 'result', subtype: 'success', is_error: false, result: 'mine', session_id: 's' };

describe.each(STAGES)('a fake CLI played by hand (%s)', (kind) => {
  it('sees the end of the input even where it does not leave at it', async () => {
    const script = [
      ignore('end of input'),
      expectLine('initialize'),
      respond({ commands: [], models: [], account: {} }),
      expectLine('user'),
      line(result),
      expectEnd(),
      line({ type: 'system', subtype: 'after the end' }),
      crash({ code: 0 }),
    ];
    const { messages, error } = await playScript(kind, script, { fake: byHand });
    expect(error).toBeUndefined();
    expect(messages.map((message) => ('subtype' in message ? message.subtype : ''))).toEqual([
      'success',
      'after the end',
    ]);
  });

  it('takes the lines the script asks for, and sends what it says', async () => {
    const script = [
      expectLine('initialize'),
      respond({ commands: [], models: [], account: { email: 'me@example.org' } }),
      expectLine('user'),
      ({ line: taken }: { line: unknown }) => line({ type: 'system', subtype: 'taken', taken }),
      line(result),
      expectEnd(),
    ];
    let account: unknown;
    const { fake, messages, error } = await playScript(kind, script, {
      fake: byHand,
      act: async (q) => {
        account = await q.accountInfo();
      },
    });
    expect(error).toBeUndefined();
    expect(account).toEqual({ email: 'me@example.org' });
    expect(messages).toEqual([expect.objectContaining({ subtype: 'taken' }), result]);
    expect(messages[0]).toMatchObject({ taken: { type: 'user', message: { role: 'user' } } });
    expect(fake.sessions).toMatchObject([
      { prompts: ['Go.'], initialize: { subtype: 'initialize' }, isInputEnded: true, isOver: true },
    ]);
    fake.verify();
  });

  it('answers requests in any order, refuses them, or never answers', async () => {
    const script: FakeScript = [
      expectLine('initialize'),
      respond({}),
      expectLine({ request: { model: 'one' } }, 'one'),
      expectLine(({ request }) => (request as { model?: string } | undefined)?.model === 'two', 'two'),
      expectLine('mcp_status'),
      refuse('no such model', { to: 'two', code: 'not_found' }),
      respond({}, { to: 'one' }),
      crash({ code: 4 }),
    ];
    const outcomes: unknown[] = [];
    const { error } = await playScript(kind, script, {
      fake: byHand,
      act: async (q) => {
        const calls = [q.setModel('one'), q.setModel('two'), q.mcpServerStatus()];
        for (const call of calls) outcomes.push(await call.catch((reason: unknown) => reason));
      },
    });
    expect(outcomes[0]).toBeUndefined();
    expect(outcomes[1]).toMatchObject({ code: 'CONTROL_REQUEST_FAILED', errorCode: 'not_found' });
    expect(outcomes[2]).toBe(error);
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: 4 });
  });

  it('leaves at the end of its input while it waits for a line', async () => {
    const script = [
      expectLine('initialize'),
      respond({}),
      expectLine('user'),
      line(result),
      expectLine('never'),
    ];
    const { fake, error } = await playScript(kind, script, { fake: byHand });
    expect(error).toBeUndefined();
    expect(() => fake.verify()).toThrow('expectLine');
  });
});

describe('a fake CLI played by hand', () => {
  it('asks with steps of its own, and minds no answer to what the script wrote', async () => {
    const fake = stageFake(
      [
        expectLine('initialize'),
        respond({}, { fields: { pending: 1 } }),
        line({ type: 'control_request', request_id: 'mine', request: { subtype: 'anything' } }),
        expectLine({ type: 'control_response', response: { request_id: 'mine' } }),
        ask({ subtype: 'something' }),
        ({ reply }) => line({ type: 'result', reply }),
      ],
      byHand,
    );
    const host = new RawHost(fake);
    host.initialize();
    await host.asked('anything');
    host.answer('mine');
    host.answer(await host.asked('something'), { yes: true });
    expect(await host.result()).toEqual({ type: 'result', reply: { yes: true } });
    expect(host.lines[0]).toEqual({
      type: 'control_response',
      response: { request_id: 'i', subtype: 'success', response: {}, pending: 1 },
    });
    expect(await host.endInput()).toMatchObject({ exitCode: 0 });
    fake.verify();
  });

  it.each<[string, FakeScript, string]>([
    ['has no turns', [say('Hello.')], 'has no turns'],
    ['cannot answer what it did not take', [respond({}, { to: 'it' })], 'has not taken a request it'],
  ])('%s, and says so', async (_what, script, problem) => {
    const fake = stageFake(script, byHand);
    expect(await new RawHost(fake).end).toMatchObject({ exitCode: 1 });
    expect(() => fake.verify()).toThrow(problem);
  });
});

describe('the program of a fake CLI played by hand', () => {
  it('is killed by SIGTERM as any other', async () => {
    const child = spawn(await stageFake([raw('up'), stall()], byHand).executable());
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});

describe('expectLine()', () => {
  it('beside the answers of the fake waits for a line that it acts on itself', async () => {
    const script = [expectLine('user'), ({ line: taken }: { line: unknown }) => say(typeof taken)];
    const { fake, messages } = await playScript('memory', script);
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'object' });
    fake.verify();
  });
});
