// Turns that go on after they were cut off: by the CLI itself where it says so in its handshake, else by a message.
import { describe, expect, it, vi } from 'vitest';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { RepeatPolicy } from '../../src/answer/mcp/tool/repeat-policy.js';
import { tool } from '../../src/answer/mcp/tool/tool.js';
import { CallLedger } from '../../src/live/tooling/call-ledger.js';
import { InMemorySessionStore } from '../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../src/record/history/store/stored-entries.js';
import type { InboardWarning } from '../../src/options/check/warning.js';
import { createDeferred } from '../../src/util/deferred.js';
import type { SDKUserMessage } from '../../src/wire/protocol/messages/messages.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { useSessions } from '../../../../test/support/session-scene.js';
import {
  answered,
  ask,
  assistant,
  emit,
  expectLine,
  handshake,
  HANG,
  init,
  lifecycle,
  result,
  type Step,
} from '../../../../test/support/steps.js';

const ID = '00000000-0000-4000-8000-00000000000b';
const KILL: Step = { do: 'kill', signal: 'SIGKILL' };
const isRunning = { session_state: 'running' };
const started = [lifecycle('of-the-cli', 'started'), { ...init(), session_id: ID }];
const goesOn = (text: string, more: object = {}): Step =>
  emit(...started, assistant(text), result({ result: text, ...more }), lifecycle('of-the-cli', 'completed'));
const begun = (index: number): Step[] => [
  expectLine('user'),
  emit(lifecycle(`$uuid:${index}`, 'started'), { ...init(), session_id: ID }),
];
const answers = (index: number, text: string): Step[] => [
  ...begun(index),
  emit(assistant(text), result({ result: text, user_message_uuids: [`$uuid:${index}`] })),
];
const prompt = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'Pay order 7.' } };
const call = {
  type: 'assistant',
  uuid: 'a1',
  message: { content: [{ type: 'tool_use', id: 't1', name: 'pay', input: { order: 7 } }] },
};
const answer = { type: 'assistant', uuid: 'a2', message: { content: [{ type: 'text', text: 'Paid.' }] } };
const stop = { type: 'user', uuid: 's1', message: { content: '[Request interrupted by user]' } };

/** Options to resume a conversation whose transcript has these entries. */
async function resumed(...entries: object[]) {
  const sessionStore = new InMemorySessionStore();
  const key = { projectKey: await findProjectKey(process.cwd()), sessionId: ID };
  if (entries.length > 0) await sessionStore.append(key, entries as never);
  return { resume: ID, sessionStore };
}

describe('a session that is opened with interrupted: continue', () => {
  const play = useSessions();
  const interrupted = 'continue';

  it('has a turn for what the CLI goes on with by itself', async () => {
    const options = await resumed(prompt, call);
    const scene = play(
      [[...handshake(isRunning), goesOn('Paid.', { user_message_uuids: ['u1'] }), ...answers(0, 'Bye.')]],
      {
        interrupted,
        options,
      },
    );
    const turn = await scene.session.continued;
    expect(turn?.uuid).toBe('u1');
    expect(await turn?.text()).toBe('Paid.');
    expect(scene.starts[0]?.extendEnv).toEqual({
      CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
      CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
    });
    // The CLI knows in-process servers before it asks the model.
    expect(scene.starts[0]?.sdkServerRegistration).toBe('argv');
    expect(await scene.session.send('Thanks.').text()).toBe('Bye.');
    expect(() => scene.session.send({ type: 'user', uuid: 'u1', message: prompt.message } as never)).toThrow(
      'has already been sent',
    );
  });

  it('asks a CLI to go on that does not do so by itself, and names the calls whose outcome is unknown', async () => {
    const options = await resumed(prompt, call);
    const scene = play([[...handshake(), ...answers(0, 'Paid.')]], { interrupted, options });
    const turn = await scene.session.continued;
    expect(turn?.uuid).toBe('u1');
    expect(await turn?.text()).toBe('Paid.');
    const written = JSON.stringify(scene.clis[0]?.lines());
    expect(written).toContain('The last turn was cut off before it was finished.');
    expect(written).toContain('- pay {\\\\\\"order\\\\\\":7}');
  });

  it.each([
    ['was answered', [prompt, answer]],
    ['was stopped on request', [prompt, call, stop]],
    ['never was', []],
  ])('has none where the last turn %s', async (_how, entries) => {
    const options = await resumed(...entries);
    const scene = play([[...handshake(), ...answers(0, 'Bye.')]], { interrupted, options });
    expect(await scene.session.continued).toBeUndefined();
    if (entries.length > 0) expect(scene.starts[0]?.extendEnv).toBeUndefined();
    expect(await scene.session.send('Hello?').text()).toBe('Bye.');
  });

  it('believes the CLI where the transcript cannot be read, and says so', async () => {
    const warnings: InboardWarning[] = [];
    const sessionStore = new InMemorySessionStore();
    sessionStore.load = () => Promise.reject(new Error('away'));
    const options = {
      resume: ID,
      sessionStore,
      onWarning: (warning: InboardWarning) => warnings.push(warning),
    };
    const scene = play([[...handshake(isRunning), goesOn('Paid.')]], { interrupted, options });
    expect(await (await scene.session.continued)?.text()).toBe('Paid.');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('The transcript could not be read'),
    ]);
  });

  it('starts a lazy one to find out, and rejects when it ends before', async () => {
    const options = await resumed(prompt);
    const scene = play([[...handshake(isRunning), goesOn('Paid.')]], { interrupted, options, lazy: true });
    expect(scene.starts).toEqual([]);
    expect(await (await scene.session.continued)?.text()).toBe('Paid.');
    const other = play([[HANG]], { interrupted, options });
    const { continued } = other.session;
    await other.session.close();
    await expect(continued).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    await expect(other.session.continued).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('loses the turn with the CLI that went on with it', async () => {
    const options = await resumed(prompt, call);
    const scene = play([[...handshake(isRunning), emit(...started), KILL]], { interrupted, options });
    const turn = await scene.session.continued;
    expect((await outcomeOf(turn?.outcome() as Promise<unknown>)).error).toMatchObject({
      code: 'TURN_LOST',
      uuid: 'u1',
    });
  });

  it.each([
    ['anything else', { interrupted: 'resume', options: { resume: ID } }],
    ['no conversation', { interrupted: 'continue' }],
  ])('refuses %s', (_what, input) => {
    expect(() => play([], input as never)).toThrow(/"interrupted"/);
  });
});

it('has nothing to continue where that was not asked for', async () => {
  const { openSession } = await import('../../src/verbs/conversation/open-session.js');
  const session = openSession({ lazy: true });
  expect(await session.continued).toBeUndefined();
  expect(session.state).toBe('suspended');
  await session.close();
});

describe('a restart with resend: continue', () => {
  const play = useSessions();
  const restart = { resend: 'continue', backoffMs: 0 } as const;
  const toolUse = { ...call, parent_tool_use_id: null };

  it('goes on with the turn, which ends with the result of the next CLI', async () => {
    const scene = play(
      [
        [...handshake(), ...begun(0), emit(toolUse), KILL],
        [...handshake(isRunning), goesOn('Paid.')],
      ],
      { restart },
    );
    const turn = scene.session.send('Pay order 7.');
    expect(await turn.text()).toBe('Paid.');
    expect(scene.starts.map(({ extendEnv }) => extendEnv?.['CLAUDE_CODE_RESUME_INTERRUPTED_TURN'])).toEqual([
      undefined,
      '1',
    ]);
    expect(scene.events.find(({ type }) => type === 'restarted')).toMatchObject({
      lost: [],
      resent: [turn.uuid],
    });
  });

  it('sends a message again of which nothing was saved, unless a tool was called', async () => {
    const sessionStore = new InMemorySessionStore();
    const untouched = play(
      [
        [...handshake(), ...begun(0), KILL],
        [...handshake(), ...answers(0, 'Paid.')],
      ],
      { restart, options: { sessionStore } },
    );
    expect(await untouched.session.send('Pay order 7.').text()).toBe('Paid.');
    const touched = play([[...handshake(), ...begun(0), emit(toolUse), KILL], handshake()], {
      restart,
      options: { sessionStore },
    });
    const { error } = await outcomeOf(touched.session.send('Pay order 7.').outcome());
    expect(error).toMatchObject({
      code: 'TURN_LOST',
      toolsUsed: true,
      sessionGoesOn: true,
      cause: { signal: 'SIGKILL' },
    });
  });

  /** A tool that pays, and a CLI that calls it as `id`. */
  function createShop(onRepeat: RepeatPolicy, run: () => Promise<string>) {
    const pay = tool({ name: 'pay', description: 'Pays', inputSchema: { order: 'number' }, onRepeat, run });
    const begin = (id: string): Step[] => {
      const input = { order: 7 };
      const params = { name: 'pay', arguments: input, _meta: { 'claudecode/toolUseId': id } };
      const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
      const block = { type: 'tool_use', id, name: 'mcp__shop__pay', input };
      return [
        emit({ type: 'assistant', uuid: id, message: { content: [block] }, parent_tool_use_id: null }),
        ask(id, { subtype: 'mcp_message', server_name: 'shop', message }),
      ];
    };
    const end = (id: string): Step[] => [
      answered(id),
      emit({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'paid' }] },
        parent_tool_use_id: null,
      }),
    ];
    return { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }), begin, end };
  }

  it('does not run a call again that had ended before the CLI saved it', async () => {
    const run = vi.fn(async () => 'paid');
    const { shop, begin, end } = createShop('recorded', run);
    const options = { ...(await resumed(prompt)), mcpServers: { shop }, onWarning: () => {} };
    const scene = play(
      [
        [...handshake(), ...begun(0), ...begin('t1'), ...end('t1'), KILL],
        [
          ...handshake(isRunning),
          emit(...started),
          ...begin('t2'),
          ...end('t2'),
          emit(assistant('Paid.'), result({ result: 'Paid.' })),
        ],
      ],
      { restart, options },
    );
    const message = { ...prompt, parent_tool_use_id: null } as SDKUserMessage;
    expect(await scene.session.send(message).text()).toBe('Paid.');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('does not run a call again that was running when its CLI was killed before it had saved the call', async () => {
    const isRunningNow = createDeferred<void>();
    const run = vi.fn(async () => {
      isRunningNow.resolve();
      return await new Promise<string>(() => {});
    });
    const { shop, begin, end } = createShop('unknown', run);
    const options = { ...(await resumed(prompt)), mcpServers: { shop }, onWarning: () => {} };
    const scene = play(
      [
        [...handshake(), ...begun(0), ...begin('t1'), expectLine('set_model'), KILL],
        [
          ...handshake(isRunning),
          emit(...started),
          ...begin('t2'),
          ...end('t2'),
          emit(assistant('Paid.'), result({ result: 'Paid.' })),
        ],
      ],
      { restart, options },
    );
    const message = { ...prompt, parent_tool_use_id: null } as SDKUserMessage;
    const text = scene.session.send(message).text();
    await isRunningNow.promise;
    void scene.session.setModel('m').catch(() => {});
    expect(await text).toBe('Paid.');
    expect(run).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(scene.clis[1]?.received())).toContain('outcome is unknown');
  });

  it('names the calls of a message that it sends again as another process would', async () => {
    const seen = vi.fn((_: unknown, extra: { callKey?: string | undefined }) => extra.callKey ?? '');
    const look = tool({
      name: 'look',
      description: 'Looks',
      inputSchema: {},
      run: (given, extra) => seen(given, extra),
    });
    const shop = createSdkMcpServer({ name: 'shop', tools: [look] });
    const params = { name: 'look', arguments: {}, _meta: { 'claudecode/toolUseId': 't1' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const asks = [ask('t1', { subtype: 'mcp_message', server_name: 'shop', message }), answered('t1')];
    const scene = play(
      [
        [...handshake(), ...answers(0, 'Hello.'), ...begun(1), KILL],
        [
          ...handshake(),
          ...begun(0),
          ...asks,
          emit(assistant('Seen.'), result({ user_message_uuids: ['$uuid:0'] })),
        ],
      ],
      { restart, options: { mcpServers: { shop }, onWarning: () => {} } },
    );
    await scene.session.send('Hello.').text();
    await scene.session.send('Look.').outcome();
    const [sent] = scene.clis[1]?.received().filter(({ type }) => type === 'user') ?? [];
    const calls = [{ toolUseId: 't1', toolName: 'mcp__shop__look', input: {}, hasEnded: false }];
    const asRead = CallLedger.identifyAll(ID, String(sent?.['uuid']), calls);
    expect(seen.mock.results[0]?.value).toBe(asRead.get('t1')?.callKey);
  });

  it('continues a turn once only', async () => {
    const scene = play(
      [
        [...handshake(), ...begun(0), emit(toolUse), KILL],
        [...handshake(isRunning), emit(...started), KILL],
        handshake(),
      ],
      { restart },
    );
    const { error } = await outcomeOf(scene.session.send('Pay order 7.').outcome());
    expect(error).toMatchObject({ code: 'TURN_LOST', resent: true });
  });

  it('loses it where no other CLI follows', async () => {
    const scene = play([[...handshake(), ...begun(0), emit(toolUse), KILL]], {
      restart: { ...restart, maxRestarts: 1 },
    });
    const { error } = await outcomeOf(scene.session.send('Pay order 7.').outcome());
    expect(error).toMatchObject({ code: 'TURN_LOST', sessionGoesOn: false });
  });
});

it('abandon() ends the CLI without asking it to stop its turn', async () => {
  const { stageTroupe } = await import('../../../../test/support/session-scene.js');
  const { createConversation, presentConversation } =
    await import('../../src/verbs/conversation/open-session.js');
  const troupe = stageTroupe([[...handshake(), ...begun(0), HANG]]);
  const session = presentConversation(createConversation({ launch: troupe.launch }));
  const turn = session.send('Pay order 7.');
  const reader = turn[Symbol.asyncIterator]();
  await reader.next();
  const { error } = await outcomeOf(Promise.all([turn.outcome(), session.abandon(), session.close()]));
  await session.abandon();
  expect(error).toMatchObject({ code: 'SESSION_CLOSED' });
  expect(troupe.clis[0]?.requests('interrupt')).toEqual([]);
  expect(troupe.clis[0]?.isGone()).toBe(true);
  await troupe.dispose();
});
