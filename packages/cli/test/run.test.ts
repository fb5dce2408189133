// `inboard run` on the fake CLI: what it shows, where prompts come from, and what Ctrl-C does. On the real CLI:
// test/e2e/cli.test.ts.
import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runConversation } from '../src/run/run-conversation.js';
import { runOnce } from '../src/run/run-once.js';
import { RunView } from '../src/run/run-view.js';
import { runCommandLine } from '../src/terminal/command-line.js';
import { StopRequest } from '../src/terminal/terminal.js';
import {
  createSdkMcpServer,
  tool,
  type QueryOptions,
  type SessionToolEvent,
} from '@inboard/inboard/index.js';
import {
  createFakeCli,
  endTurn,
  gate,
  held,
  text,
  toolUse,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { DemoView } from '../src/demo/demo-view.js';
import { TerminalTextWriter } from '../src/terminal/terminal.js';
import { expectTame, HOSTILE_TEXT, hostileText } from '../../../test/support/hostile-text.js';
import { propertyOptions } from '../../../test/support/seed.js';
import { createFakeTerminal } from './fake-terminal.js';

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool('list', 'Lists', { count: 'integer' }, ({ count }) => 'row\n'.repeat(count))],
});

function open(script: FakeScript, { isTTY }: { isTTY: boolean }) {
  const fake = createFakeCli(script);
  const terminal = createFakeTerminal({ isTTY, env: { NO_COLOR: '1' } });
  const view = new RunView(terminal);
  const options: QueryOptions = {
    transport: fake.transport,
    mcpServers: { shop },
    allowedTools: [shop],
    includePartialMessages: true,
    onToolEvent: (event) => view.showToolEvent(event),
  };
  return { fake, terminal, view, setup: { terminal, view, options } };
}

/** Ends with the text the prompt waits for. */
async function typeAt(terminal: ReturnType<typeof createFakeTerminal>, after: string, keys: string) {
  await terminal.waitFor(after);
  await turn();
  terminal.stdin.write(keys);
}

describe('a run in a pipe', () => {
  it('shows what a tool answered, cut, with its size, and nothing that is only for terminals', async () => {
    const { fake, terminal, setup } = open(
      [toolUse('mcp__shop__list', { count: 1 }), toolUse('mcp__shop__list', { count: 300 }), text('Done.')],
      { isTTY: false },
    );
    await using _fake = fake;
    expect(await runOnce('Go.', { ...setup, isJson: false })).toBe(0);
    await turn();
    const { stdout, stderr } = terminal.written();
    expect(stdout).toBe('Done.\n');
    expect(stderr).toMatch(/^> mcp__shop__list \{"count":1\}\n< mcp__shop__list done in \d+ ms: row\n/);
    expect(stderr).toMatch(/\n< mcp__shop__list done in \d+ ms: (row ){50}… \(1200 characters\)\n/);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('Starting');
  });
});

describe('what a tool answered', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'a\u001b[31m\tb\n' }] }, ': a [31m b'],
    [{ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }, ': [image: image/png, 3 bytes]'],
    [
      [{ type: 'image', source: { type: 'base64', data: 'AAAA', media_type: 'image/gif' } }],
      ': [image: image/gif, 3 bytes]',
    ],
    ['plain', ': plain'],
    [{ content: [] }, ''],
    [undefined, ''],
  ])('is shown on one line: %j', async (result, expected) => {
    const terminal = createFakeTerminal();
    const event = { type: 'end', inProcess: false, toolName: 'Read', toolUseId: 't', durationMs: 3, result };
    new RunView(terminal).showToolEvent(event as SessionToolEvent);
    await turn();
    expect(terminal.written().stderr).toBe(`< Read done in 3 ms${expected}\n`);
  });
});

describe('a run at a terminal', () => {
  it('gives a sign of life, and takes several turns until the person leaves', async () => {
    const { fake, terminal, setup } = open([text('First.'), text('Second.')], { isTTY: true });
    await using _fake = fake;
    const ended = runConversation('One', setup);
    await terminal.waitFor('Starting the Claude CLI');
    await typeAt(terminal, 'you> ', 'Two\r');
    await terminal.waitFor('Two\r\n');
    await typeAt(terminal, 'so far', '\u0003');
    expect(await ended).toBe(0);
    expect(terminal.written().stdout).toBe('First.\nSecond.\n');
    expect(terminal.written().stderr).toContain('Press Ctrl-C or Ctrl-D at the prompt to leave.');
    // Once the prompt is there, nothing of the line before is left.
    expect(terminal.written().stderr).not.toMatch(/Starting[^\r]*\nCtrl-C/);
  });

  it('is interrupted by Ctrl-C once, and goes on', async () => {
    const door = gate();
    const { fake, terminal, setup } = open([held(text('Never.'), door), text('Better.')], { isTTY: true });
    await using _fake = fake;
    const ended = runConversation('Long', setup);
    await door.reached;
    expect(terminal.interrupt()).toBe(true);
    await terminal.waitFor('interrupted, ');
    await typeAt(terminal, 'you> ', 'Short\r');
    await terminal.waitFor('ok, ');
    await typeAt(terminal, 'ok, ', '\u0004');
    expect(await ended).toBe(0);
    expect(terminal.written().stdout).toBe('Better.\n');
    // At the prompt Ctrl-C is a key, and no handler takes it as a signal.
    expect(terminal.interrupt()).toBe(false);
  });

  it('ends by a second Ctrl-C while the first is not answered', async () => {
    const door = gate();
    const { fake, terminal, setup } = open([held(text('Never.'), door)], { isTTY: true });
    const ended = runConversation('Long', setup);
    await door.reached;
    expect(terminal.interrupt()).toBe(true);
    expect(terminal.interrupt()).toBe(false);
    terminal.stop(new StopRequest('SIGINT'));
    await expect(ended).rejects.toThrow();
    await fake.close({ verify: false });
  });

  it.each([
    ['one answer', false],
    ['a conversation', true],
  ])('says that there is no account, not that the model said so: %s', async (_, isTTY) => {
    const noAccount = { status: 401, message: 'Not logged in · Please run /login' };
    const { fake, terminal, setup } = open([endTurn({ apiError: noAccount })], { isTTY });
    const running = isTTY ? runConversation('Hello', setup) : runOnce('Hello', { ...setup, isJson: false });
    await expect(running).rejects.toMatchObject({
      code: 'NO_ACCOUNT',
      message: expect.stringMatching(/has no account.*Set ANTHROPIC_API_KEY, or start "claude"/) as string,
    });
    await turn();
    expect(terminal.written().stdout).toBe('');
    expect(terminal.written().stderr).not.toContain('Please run /login');
    await fake.close({ verify: false });
  });

  it('says at once that the CLI cannot be started', async () => {
    const { setup } = open([], { isTTY: true });
    const options = { pathToClaudeCodeExecutable: '/nowhere/claude' };
    await expect(runConversation(undefined, { ...setup, options })).rejects.toThrow(/nowhere/);
  });
});

describe('the prompt', () => {
  it.each([
    [['run', 'tools.mjs'], { isTTY: false }, 'There is no prompt: standard input is empty'],
    [['run', 'tools.mjs', '-'], { isTTY: true }, 'standard input is empty'],
    [['run', 'tools.mjs', '--once'], { isTTY: true }, 'Give a prompt'],
    [['run', 'tools.mjs', '--json'], { isTTY: true }, 'Give a prompt'],
    [['run'], { isTTY: true }, 'takes 1 to 2 arguments'],
    [['run', 'tools.mjs', 'Hi', '--strict'], {}, '--strict needs a script'],
  ])('is missing, or has a wrong option, in %j', async (args, options, reason) => {
    const terminal = createFakeTerminal(options);
    terminal.stdin.end();
    expect(await runCommandLine(args, terminal)).toBe(2);
    await turn();
    expect(terminal.written().stderr).toContain(reason);
  });
});

describe('text that acts on terminals', () => {
  it('is tame however the model streams it, and the same as when it comes whole', async () => {
    const write = async (pieces: readonly string[]): Promise<string> => {
      const terminal = createFakeTerminal();
      const stream = new TerminalTextWriter(terminal);
      for (const piece of pieces) stream.write(piece);
      stream.endLine();
      await turn();
      return terminal.written().stdout;
    };
    await fc.assert(
      fc.asyncProperty(hostileText, fc.integer({ min: 1, max: 3 }), async (text, size) => {
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
          text.slice(index * size, (index + 1) * size),
        );
        const inPieces = await write(pieces);
        expectTame(inPieces);
        expect(inPieces).toBe(await write([text]));
      }),
      propertyOptions(150),
    );
  });

  it('does not act through a run', async () => {
    const hostile = createSdkMcpServer({
      name: 'shop',
      tools: [
        tool('say', 'Says', { text: 'string' }, ({ text: said }, extra) => {
          extra.log('info', said);
          extra.progress({ progress: 1, message: said });
          return said;
        }),
        tool('fail', 'Fails', {}, () => {
          throw new Error(HOSTILE_TEXT);
        }),
      ],
    });
    const { fake, terminal, view, setup } = open(
      [toolUse('mcp__shop__say', { text: HOSTILE_TEXT }), toolUse('mcp__shop__fail', {}), text(HOSTILE_TEXT)],
      { isTTY: false },
    );
    await using _fake = fake;
    const options = { ...setup.options, mcpServers: { shop: hostile }, allowedTools: [hostile] };
    expect(await runOnce('Go.', { ...setup, options, isJson: false })).toBe(0);
    view.warn(HOSTILE_TEXT);
    const outcome = {
      ok: false,
      kind: 'api_error',
      text: HOSTILE_TEXT,
      turns: 1,
      durationMs: 1,
      turnCostUsd: 0,
      totalCostUsd: 0,
    };
    view.showOutcome(outcome as unknown as Parameters<typeof view.showOutcome>[0]);
    view.showToolEvent({
      type: 'start',
      toolName: HOSTILE_TEXT,
      toolUseId: 't',
      input: HOSTILE_TEXT,
    } as unknown as SessionToolEvent);
    await turn();
    const { stdout, stderr } = terminal.written();
    expectTame(stdout);
    expectTame(stderr);
    expect(stdout).toContain('\\u001b]52;');
    expect(stderr).toContain('Warning: a\\u001b]52;');
  });

  it('does not act through the demo', async () => {
    const terminal = createFakeTerminal({ env: { FORCE_COLOR: '1' } });
    const view = new DemoView(terminal, true);
    const content = [
      { type: 'text', text: HOSTILE_TEXT },
      { type: 'tool_use', name: HOSTILE_TEXT, input: { [HOSTILE_TEXT]: HOSTILE_TEXT } },
    ];
    view.showMessage({ type: 'assistant', message: { content } } as never, 1);
    view.showMessage(
      {
        type: 'system',
        subtype: 'init',
        tools: [`mcp__${HOSTILE_TEXT}`],
        claude_code_version: HOSTILE_TEXT,
      } as never,
      1,
    );
    view.showToolEvent({ type: 'start', toolName: HOSTILE_TEXT, input: HOSTILE_TEXT } as never, []);
    view.showToolEvent({ type: 'end', durationMs: 1 } as never, [HOSTILE_TEXT]);
    view.showLine('in', JSON.stringify({ request_id: HOSTILE_TEXT, request: { subtype: HOSTILE_TEXT } }));
    view.showLine('out', HOSTILE_TEXT);
    await turn();
    expectTame(terminal.written().stdout, { hasColours: true });
  });

  it('is held back while a question stands, so that it cannot pass for a part of it', async () => {
    const terminal = createFakeTerminal();
    const view = new RunView(terminal);
    await view.whileAsking(async () => {
      view.warn('The model wants to run ls');
      view.showToolEvent({
        type: 'log',
        toolName: 't',
        toolUseId: 't',
        level: 'info',
        data: 'Allow it?',
      } as unknown as SessionToolEvent);
      await turn();
      expect(terminal.written()).toEqual({ stdout: '', stderr: '' });
    });
    await turn();
    expect(terminal.written().stderr).toBe('Warning: The model wants to run ls\n  t info: Allow it?\n');
  });
});
