// The fake CLI as a user of the test kit meets it: one script, in memory and as a program.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSdkMcpServer, query, tool } from '@inboard/inboard/index.js';
import {
  ask,
  askPermission,
  compact,
  createFakeCli,
  elicit,
  endTurn,
  expectControl,
  expectPrompt,
  finishTask,
  fireHook,
  send,
  stall,
  startTask,
  type FakeContext,
} from '@inboard/inboard/testing.js';
import { say, think, useTool, useTools } from '@inboard/testing/fake-cli/script/build-steps.js';
import { openTalk } from '../../../../test/e2e/support/talk.js';
import { kindsOf, openShop, playScript, pointTo, resultsOf, stageFake, STAGES } from './fake-stages.js';

describe.each(STAGES)('a fake CLI (%s)', (kind) => {
  it('answers a prompt', async () => {
    const { fake, messages } = await playScript(kind, [think('Hm.'), say('Hello.')], { prompt: 'Hi' });
    expect(kindsOf(messages)).toEqual([
      'system/init',
      'system/thinking_tokens',
      'assistant',
      'assistant',
      'result/success',
    ]);
    expect(resultsOf(messages)).toMatchObject([{ result: 'Hello.', num_turns: 1 }]);
    fake.verify();
    expect(fake.sessions).toMatchObject([{ index: 0, prompts: ['Hi'], isOver: true }]);
    expect(fake.requests).toMatchObject([{ session: 0, subtype: 'initialize' }]);
    expect(fake.log.map(({ from, frame }) => `${from} ${String(frame?.['type'])}`).slice(0, 3)).toEqual([
      'host control_request',
      'cli control_response',
      'host user',
    ]);
  });

  it('calls a tool of the host and uses its answer', async () => {
    const script = [
      useTool('mcp__shop__count', { article: 'apples' }),
      ({ answer }: FakeContext) => say(`There are ${answer.text}.`),
      useTool('mcp__shop__fail'),
      useTool('mcp__shop__nothing'),
      useTool('Bash', { command: 'ls' }, { result: 'a.txt', permission: 'skip' }),
      ({ answers }: FakeContext) => say(answers.map(({ text, isError }) => `${text} ${isError}`).join('; ')),
    ];
    const { fake, messages } = await playScript(kind, script, { options: openShop() });
    expect(resultsOf(messages)).toMatchObject([
      {
        result:
          '7 apples false; out of stock true; <tool_use_error>Error: No such tool available: mcp__shop__nothing</tool_use_error> true; a.txt false',
        num_turns: 5,
      },
    ]);
    fake.verify();
  });

  it('plays turns, and answers waiting prompts together', async () => {
    const script = [
      expectPrompt('one'),
      say('first'),
      expectPrompt(/two[^]*three/),
      ({ prompt }: FakeContext) => say(prompt),
    ];
    const { fake, messages } = await playScript(kind, script, { prompt: ['one', 'two', 'three'] });
    expect(resultsOf(messages)).toMatchObject([{ result: 'first' }, { result: 'two\nthree' }]);
    fake.verify();
  });

  it('asks, fires hooks, elicits, and passes the host’s replies to the script', async () => {
    const seen: unknown[] = [];
    const note = ({ reply }: FakeContext): void => void seen.push(reply);
    const script = [
      askPermission('Bash', { command: 'ls' }, { title: 'May I?' }),
      note,
      fireHook('Notification', { message: 'Look' }),
      note,
      elicit({ serverName: 'remote', message: 'Your name?' }),
      note,
      ask({ subtype: 'no_such_thing' }),
      note,
      say('Done.'),
    ];
    const { fake, error } = await playScript(kind, script, {
      options: {
        canUseTool: (_name, input, { title }) =>
          Promise.resolve({ behavior: 'deny', message: `${title} ${String(input['command'])}` }),
        hooks: { Notification: [{ hooks: [() => Promise.resolve({ systemMessage: 'seen' })] }] },
        onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
      },
    });
    expect(error).toBeUndefined();
    expect(seen).toEqual([
      { behavior: 'deny', message: 'May I? ls', toolUseID: expect.any(String) },
      { systemMessage: 'seen' },
      { action: 'accept', content: { name: 'Ada' } },
      undefined,
    ]);
    fake.verify();
  });

  it('ends a turn with any result', async () => {
    const script = [
      endTurn('error_max_turns'),
      endTurn({ apiError: { status: 529, type: 'overloaded_error', message: 'Overloaded' } }),
      say('I would rather not.'),
      endTurn({ stopReason: 'refusal' }),
      endTurn({ structuredOutput: { city: 'Lund' } }),
    ];
    const prompt = async function* (): AsyncGenerator<string> {
      for (const each of ['a', 'b', 'c', 'd']) {
        yield each;
        await fake().then((done) => done);
      }
    };
    let release: () => void = () => {};
    const fake = (): Promise<void> =>
      new Promise((resolve) => {
        release = resolve;
      });
    const staged = stageFake(script);
    const options = await pointTo(kind, staged);
    const results: unknown[] = [];
    for await (const message of query({ prompt: prompt(), options })) {
      if (message.type !== 'result') continue;
      results.push(message);
      release();
    }
    expect(results).toMatchObject([
      { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' },
      {
        subtype: 'success',
        is_error: true,
        terminal_reason: 'api_error',
        result: 'API Error: 529 Overloaded',
      },
      { subtype: 'success', is_error: false, stop_reason: 'refusal' },
      { subtype: 'success', structured_output: { city: 'Lund' }, result: '{"city":"Lund"}' },
    ]);
    staged.verify();
  });

  it('runs tasks in the background, and begins another turn when one ends', async () => {
    const script = [
      startTask({ id: 't', type: 'agent', description: 'Look around' }),
      say('Started.'),
      endTurn(),
      finishTask('t', { summary: 'All clear' }),
      say('It is done.'),
    ];
    const { fake, messages } = await playScript(kind, script, { options: openShop() });
    expect(resultsOf(messages)).toMatchObject([
      { result: 'Started.' },
      { result: 'It is done.', origin: { kind: 'task-notification' } },
    ]);
    expect(kindsOf(messages)).toContain('system/task_notification');
    fake.verify();
  });

  it('streams partial messages', async () => {
    const { messages } = await playScript(kind, [say(['one ', 'two'])], {
      options: { includePartialMessages: true },
    });
    const events = messages.flatMap((message) => (message.type === 'stream_event' ? message.event.type : []));
    expect(events).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(resultsOf(messages)).toMatchObject([{ result: 'one two' }]);
  });

  it('carries out control requests, with effect on what follows', async () => {
    const script = [
      expectControl('set_permission_mode', ({ mode }) => mode === 'plan'),
      expectControl('set_model'),
      expectControl('mcp_status'),
      say('Hello.'),
    ];
    const { fake, messages } = await playScript(kind, script, {
      act: async (q) => {
        await q.setPermissionMode('plan');
        await q.setModel('other');
        expect(await q.mcpServerStatus()).toMatchObject([{ name: 'shop', status: 'connected' }]);
      },
      options: openShop(),
    });
    expect(messages.find((message) => message.type === 'assistant')).toMatchObject({
      message: { model: 'other' },
    });
    expect(messages.find((message) => message.type === 'system' && message.subtype === 'init')).toMatchObject(
      {
        model: 'other',
        permissionMode: 'plan',
      },
    );
    fake.verify();
  });

  it('is interrupted, and skips the rest of the turn', async () => {
    let tellBegun: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      tellBegun = resolve;
    });
    const script = [say('Well,'), () => tellBegun(), stall(), say('never'), endTurn(), say('again')];
    const { fake, messages } = await playScript(kind, script, {
      prompt: ['one', 'two'],
      act: async (q) => {
        await begun;
        await q.interrupt();
      },
    });
    expect(resultsOf(messages)).toMatchObject([
      { subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' },
      { subtype: 'success', result: 'again' },
    ]);
    fake.verify();
  });

  it('compacts, and sends any message', async () => {
    const script = [
      say('Hi.'),
      compact(),
      send({ type: 'system', subtype: 'news', text: 'x' }),
      say('Back.'),
    ];
    const { messages, fake } = await playScript(kind, script);
    expect(kindsOf(messages)).toEqual(expect.arrayContaining(['system/compact_boundary', 'system/news']));
    fake.verify();
  });

  it('plays several sessions, each its own script', async () => {
    const fake = stageFake(async ({ index, firstPrompt }) => [say(`${index}: ${await firstPrompt}`)]);
    const options = await pointTo(kind, fake);
    const run = async (prompt: string): Promise<unknown> => {
      let last: unknown;
      for await (const message of query({ prompt, options })) last = message;
      return last;
    };
    const results = await Promise.all(['a', 'b', 'c'].map(run));
    expect(results.map((result) => (result as { result: string }).result.slice(3)).toSorted()).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(fake.sessions.map(({ index }) => index)).toEqual([0, 1, 2]);
    fake.verify();
  });

  it('behaves like an older version', async () => {
    const { fake, messages } = await playScript(
      kind,
      [useTool('mcp__shop__count', { article: 'pears' }), ({ answer }) => say(answer.text)],
      { options: openShop(), fake: { version: '2.1.33' } },
    );
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'user', 'assistant', 'result/success']);
    expect(messages[0]).toMatchObject({ claude_code_version: '2.1.33' });
    const methods = fake.log.flatMap(({ from, frame }) => {
      const request = frame?.['request'] as { message?: { method?: string } } | undefined;
      return from === 'cli' && request?.message?.method !== undefined ? [request.message.method] : [];
    });
    expect(methods).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    fake.verify();
  });

  it('runs read-only tools of one message at once', async () => {
    const call = { name: 'mcp__shop__count', input: { article: 'a' } };
    const { fake, messages } = await playScript(kind, [useTools([call, call, call]), say('Done.')], {
      options: openShop(),
    });
    const order = fake.log.flatMap(({ from, frame }) =>
      frame?.['type'] === 'user' && from === 'cli'
        ? ['result']
        : (frame?.['request'] as { message?: { method?: string } } | undefined)?.message?.method ===
            'tools/call'
          ? ['call']
          : [],
    );
    expect(order).toEqual(['call', 'call', 'call', 'result', 'result', 'result']);
    expect(resultsOf(messages)).toMatchObject([{ num_turns: 4 }]);
    fake.verify();
  });
});

describe('what a host decides, a fake CLI keeps to', () => {
  const COUNT = 'mcp__shop__count';
  const APPLES = { article: 'apples' };
  const { mcpServers } = openShop();
  const call = [useTool(COUNT, APPLES), ({ answer }: FakeContext) => say(answer.text)];

  it('denies what nobody allows, and asks no more once a rule was given', async () => {
    const denied = await playScript('memory', call, { options: { mcpServers } });
    expect(resultsOf(denied.messages)).toMatchObject([
      {
        result: `Claude requested permissions to use ${COUNT}, but you haven't granted it yet.`,
        permission_denials: [{ tool_name: COUNT, tool_input: APPLES }],
      },
    ]);
    let asked = 0;
    const twice = await playScript('memory', [call, call], {
      options: {
        mcpServers,
        canUseTool: (toolName, input) => {
          asked += 1;
          return Promise.resolve({
            behavior: 'allow',
            updatedInput: { ...input, article: 'pears' },
            updatedPermissions: [
              { type: 'addRules', rules: [{ toolName }], behavior: 'allow', destination: 'session' },
            ],
          });
        },
      },
    });
    expect(asked).toBe(1);
    expect(resultsOf(twice.messages)).toMatchObject([{ result: '7 apples' }]);
    twice.fake.verify();
  });

  it('ends the turn when a denial says so', async () => {
    const { fake, messages } = await playScript('memory', [call, say('never')], {
      options: {
        mcpServers,
        canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'Stop.', interrupt: true }),
      },
    });
    expect(resultsOf(messages)).toMatchObject([
      { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' },
    ]);
    fake.verify();
  });

  it('lets hooks change input and output, allow, and block a prompt', async () => {
    const { fake, messages } = await playScript('memory', call, {
      options: {
        mcpServers,
        hooks: {
          PreToolUse: [
            {
              matcher: 'mcp__shop__.*',
              hooks: [
                () =>
                  Promise.resolve({
                    hookSpecificOutput: {
                      hookEventName: 'PreToolUse',
                      permissionDecision: 'allow',
                      updatedInput: { article: 'plums' },
                    },
                  }),
              ],
            },
          ],
          PostToolUse: [
            {
              hooks: [
                ({ tool_response: response }) =>
                  Promise.resolve({
                    hookSpecificOutput: {
                      hookEventName: 'PostToolUse',
                      updatedMCPToolOutput: `checked ${JSON.stringify(response)}`,
                    },
                  }),
              ],
            },
          ],
        },
      },
    });
    expect(resultsOf(messages)).toMatchObject([{ result: 'checked [{"type":"text","text":"7 plums"}]' }]);
    fake.verify();
    const blocked = await playScript('memory', [say('second')], {
      prompt: ['first', 'second'],
      options: {
        hooks: {
          UserPromptSubmit: [
            {
              hooks: [
                ({ prompt }) =>
                  Promise.resolve(prompt === 'first' ? { decision: 'block', reason: 'not that' } : {}),
              ],
            },
          ],
        },
      },
    });
    expect(resultsOf(blocked.messages)).toMatchObject([
      { num_turns: 0, result: 'UserPromptSubmit operation blocked by hook: not that' },
      { result: 'second' },
    ]);
    blocked.fake.verify();
  });

  it('withdraws a call when its time is over', async () => {
    let tellCalled: () => void = () => {};
    const called = new Promise<void>((resolve) => {
      tellCalled = resolve;
    });
    const reasons: unknown[] = [];
    const slow = createSdkMcpServer({
      name: 'slow',
      tools: [
        tool('wait', 'Waits', {}, async (_args, { signal }) => {
          tellCalled();
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve);
          });
          reasons.push(signal.aborted);
          return 'late';
        }),
      ],
    });
    const script = [
      useTool('mcp__slow__wait', {}, { cancelWhen: called }),
      ({ answer }: FakeContext) => say(`${answer.failure}: ${answer.text}`),
    ];
    const { fake, messages } = await playScript('memory', script, {
      options: { mcpServers: { slow }, allowedTools: ['mcp__slow'] },
    });
    expect(resultsOf(messages)).toMatchObject([
      { result: 'cancelled: MCP server "slow" tool "wait" timed out' },
    ]);
    expect(reasons).toEqual([true]);
    fake.verify();
  });

  it('stops a shell, connects new servers, and calls their tools', async () => {
    let tellStarted: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      tellStarted = resolve;
    });
    const script = [
      startTask({ id: 'sh', type: 'shell' }),
      () => tellStarted(),
      expectControl('stop_task'),
      expectControl('mcp_set_servers'),
      // The answer comes before the new servers are connected, and the next turn waits for them.
      expectPrompt('two'),
      call,
    ];
    const talk = openTalk();
    const { fake, messages } = await playScript('memory', script, {
      prompt: talk.prompt,
      options: { allowedTools: ['mcp__shop'] },
      act: async (q) => {
        talk.say('one');
        await started;
        await q.stopTask('sh');
        expect(await q.setMcpServers(mcpServers ?? {})).toMatchObject({ added: ['shop'] });
        talk.say('two');
        talk.end();
      },
    });
    expect(resultsOf(messages).at(-1)).toMatchObject({ result: '7 apples' });
    expect(kindsOf(messages)).toContain('system/task_notification');
    fake.verify();
  });
});

describe('the executable', () => {
  it('prints its version, and is gone after the fake is closed', async () => {
    const fake = createFakeCli([], { version: '2.1.300', allowEarlyEnd: true });
    const path = await fake.executable();
    expect(await fake.executable()).toBe(path);
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toMatch(/^2\.1\.300 /);
    await fake.close();
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('finds a place for its socket where the temporary folder is deep', async () => {
    const deep = mkdtempSync(join(tmpdir(), 'deep-'.repeat(20)));
    vi.stubEnv('TMPDIR', deep);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(deep, { recursive: true });
    });
    const { fake, messages } = await playScript('executable', [say('Hello.')]);
    expect(resultsOf(messages)).toMatchObject([{ result: 'Hello.' }]);
    fake.verify();
  });

  it('can be used by any program: pipes in, pipes out, an exit code', async () => {
    await using fake = createFakeCli([endTurn({ apiError: { status: 400, message: 'no' } })]);
    const path = await fake.executable();
    const child = spawn(path, ['--output-format', 'stream-json'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = ['{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}'];
    lines.push('{"type":"user","message":{"role":"user","content":"Hi"}}');
    child.stdin.end(`${lines.join('\n')}\n`);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const code = await new Promise((resolve) => {
      child.on('close', resolve);
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(4);
    expect(fake.sessions).toMatchObject([{ args: ['--output-format', 'stream-json'], prompts: ['Hi'] }]);
  });
});
