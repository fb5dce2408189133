// Record with a scripted CLI, replay without one: the same program sees the same, a changed one is told what changed.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReplayError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { Options } from '../../../src/options/options.js';
import type { SDKMessage, SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';
import { createQuery, type Query } from '../../../src/verbs/query/query.js';
import type { Prompt } from '../../../src/live/input/prompt-source.js';
import { readTrace } from '../../../src/record/trace/read-trace.js';
import { formatReport } from '../../../src/record/trace/replay/format-report.js';
import { hideSecrets } from '../../../src/record/trace/replay/hide-secrets.js';
import { diffJson } from '../../../src/record/trace/replay/json-diff.js';
import { createComparison, type ReplayReport } from '../../../src/record/trace/replay/replay-report.js';
import { TapeMatches } from '../../../src/record/trace/replay/tape-matches.js';
import { readScript } from '../../../src/record/trace/replay/tape-script.js';
import { openTape, type Tape, type TapeOptions } from '../../../src/record/trace/replay/tape.js';
import type { Trace } from '../../../src/record/trace/trace-event.js';
import { stringifyDeep } from '../../../src/util/deep-json.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { makeTrace } from './support/make-trace.js';
import { stageCli } from '../../../../../test/support/scripted-cli.js';
import { watchHost, type HostWatch } from '../../../../../test/support/watch-host.js';
import { PATIENCE_MS } from '../../../../../test/support/wait-until.js';
import {
  answered,
  ask,
  assistant,
  AWAIT_END,
  canUseTool,
  emit,
  exit,
  expectLine,
  handshake,
  hookCallback,
  init,
  reply,
  result,
  state,
  turn,
  type Step,
} from '../../../../../test/support/steps.js';

let folder = '';
let host: HostWatch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-test-'));
  host = watchHost();
});
afterEach(async () => {
  try {
    await host.expectClean();
  } finally {
    host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Played {
  messages: SDKMessage[];
  error: unknown;
}

async function play(query: Query, react?: (message: SDKMessage, query: Query) => unknown): Promise<Played> {
  const messages: SDKMessage[] = [];
  try {
    for await (const message of query) {
      messages.push(message);
      if ((await react?.(message, query)) === 'leave') break;
    }
  } catch (error) {
    return { messages, error };
  }
  return { messages, error: undefined };
}

interface Show {
  steps: Step[];
  prompt?: Prompt;
  options?: Options;
  react?: (message: SDKMessage, query: Query) => unknown;
}

/** Records a program on a scripted CLI. */
async function record({
  steps,
  prompt = 'hi',
  options = {},
  react,
}: Show): Promise<Played & { trace: Trace }> {
  const cli = stageCli('process', steps);
  const file = join(folder, 'run.jsonl');
  try {
    const query = createQuery({
      prompt,
      options: {
        pathToClaudeCodeExecutable: await cli.executable(),
        env: { PATH: process.env['PATH'] ?? '' },
        claudeCodeVersion: '2.1.325',
        trace: { file },
        onWarning: () => {},
        ...options,
      },
    });
    const played = await play(query, react);
    return { ...played, trace: await readTrace(file) };
  } finally {
    await cli.dispose();
  }
}

/** For a program that does not do what the tape waits for; any other one has time. */
const STUCK = { waitMs: 300 };

interface Replay {
  prompt?: Prompt;
  options?: Options;
  tape?: TapeOptions;
  react?: Show['react'];
}

async function replay(
  trace: Trace,
  { options, tape: how, prompt, react }: Replay = {},
): Promise<Played & { tape: Tape }> {
  const tape = await openTape(trace, { waitMs: PATIENCE_MS, ...how });
  const query = createQuery({
    prompt: prompt ?? tape.prompt,
    options: { onWarning: () => {}, ...options, transport: tape.transport },
  });
  return { ...(await play(query, react)), tape };
}

const callTool = (id: string, rpcId: number, args: object): Step =>
  ask(id, {
    subtype: 'mcp_message',
    server_name: 'shop',
    message: {
      jsonrpc: '2.0',
      id: rpcId,
      method: 'tools/call',
      params: {
        name: 'count',
        arguments: args,
        _meta: { 'claudecode/toolUseId': `toolu_${rpcId}`, progressToken: rpcId },
      },
    },
  });

const shop = (count: (article: string) => string | Promise<string>): Options => ({
  mcpServers: {
    shop: createSdkMcpServer({
      name: 'shop',
      tools: [tool('count', 'Counts', { article: 'string' }, ({ article }) => count(article))],
    }),
  },
});

const busyTurn: Step[] = [
  ...handshake(),
  expectLine('user'),
  emit(state('running'), init(), assistant('let me see')),
  ask('p1', canUseTool({ tool_name: 'mcp__shop__count', input: { article: 'apples' } })),
  answered('p1'),
  ask('h1', hookCallback()),
  answered('h1'),
  callTool('m1', 1, { article: 'apples' }),
  callTool('m2', 2, { article: 'pears' }),
  answered('m1'),
  answered('m2'),
  emit(assistant('done'), result(), state('idle')),
  AWAIT_END,
  exit(0),
];

const busyOptions = (count: (article: string) => string | Promise<string>, seen: string[] = []): Options => ({
  ...shop(count),
  canUseTool: (name) => {
    seen.push(`permission ${name}`);
    return Promise.resolve({ behavior: 'allow' });
  },
  hooks: {
    PreToolUse: [
      {
        hooks: [
          (input) => {
            seen.push(`hook ${input.hook_event_name}`);
            return Promise.resolve({ continue: true });
          },
        ],
      },
    ],
  },
});

describe('the same program', () => {
  it('sees the same messages, and the report finds nothing', async () => {
    const count = (article: string): string => `7 ${article}`;
    const recorded = await record({ steps: busyTurn, options: busyOptions(count) });
    expect(recorded.error).toBeUndefined();
    const seen: string[] = [];
    const replayed = await replay(recorded.trace, { options: busyOptions(count, seen) });
    expect(replayed.error).toBeUndefined();
    expect(replayed.messages).toEqual(recorded.messages);
    expect(seen).toEqual(['permission mcp__shop__count', 'hook PreToolUse']);
    const report = replayed.tape.report();
    expect(report).toEqual({
      ok: true,
      finished: true,
      compared: 5,
      differences: [],
      missing: [],
      unexpected: [],
    });
    expect(formatReport(report)).toBe('The replay matches the tape: 5 compared.');
  });

  it('may answer in another order and at another pace', async () => {
    // One of two calls at once waits for the other: first this one, then that one.
    const inOrder = (first: string): ((article: string) => Promise<string>) => {
      let release: () => void = () => {};
      const isDone = new Promise<void>((resolve) => {
        release = resolve;
      });
      return async (article) => {
        if (article === first) release();
        else await isDone;
        return article;
      };
    };
    const recorded = await record({ steps: busyTurn, options: busyOptions(inOrder('pears')) });
    const count = inOrder('apples');
    const replayed = await replay(recorded.trace, { options: busyOptions(count) });
    expect(replayed.messages).toEqual(recorded.messages);
    expect(replayed.tape.report().ok).toBe(true);
  });

  it('talks in several turns, each when the tape has come to it', async () => {
    const say = (...words: string[]): SDKUserMessage[] =>
      words.map((text) => ({
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text }] },
        parent_tool_use_id: null,
        uuid: randomUUID(),
      }));
    const prompt = say('a', 'b', 'c');
    const steps = [
      ...handshake(),
      ...prompt.flatMap(({ uuid }) => turn('hello', { user_message_uuid: uuid })),
      AWAIT_END,
      exit(0),
    ];
    const recorded = await record({ steps, prompt });
    expect(recorded.error).toBeUndefined();
    const replayed = await replay(recorded.trace);
    expect(replayed.messages).toEqual(recorded.messages);
    expect(replayed.tape.report()).toMatchObject({ ok: true, compared: 3 });
    // A prompt of one's own is compared with that of the tape, and finds its own ids in the answers.
    const own = say('a', 'B', 'c');
    const other = await replay(recorded.trace, { prompt: own });
    expect(
      other.messages.flatMap((message) => ('user_message_uuid' in message ? message.user_message_uuid : [])),
    ).toEqual(own.map(({ uuid }) => uuid));
    expect(other.tape.report()).toMatchObject({
      ok: false,
      differences: [
        { kind: 'prompt', changes: [{ path: 'message.content[0].text', taped: 'b', live: 'B' }] },
      ],
    });
  });

  it('puts its own control requests, whose ids are new each time', async () => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      expectLine('set_model'),
      reply({}),
      expectLine('mcp_status'),
      reply({ mcpServers: [] }),
      emit(assistant('now'), result(), state('idle')),
      AWAIT_END,
      exit(0),
    ];
    const react = async (message: SDKMessage, query: Query): Promise<void> => {
      if (message.type !== 'system' || message.subtype !== 'init') return;
      await query.setModel('other');
      await query.mcpServerStatus();
    };
    const recorded = await record({ steps, react });
    expect(recorded.error).toBeUndefined();
    const replayed = await replay(recorded.trace, { react });
    expect(replayed.error).toBeUndefined();
    expect(replayed.messages).toEqual(recorded.messages);
    expect(replayed.tape.report().ok).toBe(true);
    // Asking once more for what changes nothing is answered from the tape.
    const twice = await replay(recorded.trace, {
      react: async (message, query) => {
        await react(message, query);
        if (message.type === 'assistant') expect(await query.mcpServerStatus()).toEqual([]);
      },
    });
    expect(twice.error).toBeUndefined();
    expect(twice.tape.report().ok).toBe(true);
  });

  it('has servers that ask questions of their own and report progress', async () => {
    // The id is the first that the servers of this process make up; at the replay it is another.
    const roots = { jsonrpc: '2.0', id: 'server-1', result: { roots: ['here'] } };
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      callTool('m1', 1, { article: 'apples' }),
      expectLine('mcp_message', 'progress'),
      reply(undefined, 'progress'),
      expectLine('mcp_message', 'question'),
      reply(undefined, 'question'),
      ask('a1', { subtype: 'mcp_message', server_name: 'shop', message: roots }),
      answered('m1'),
      emit(result(), state('idle')),
      AWAIT_END,
      exit(0),
    ];
    const asking = (reports: number, method = 'roots/list'): Options => ({
      mcpServers: {
        shop: createSdkMcpServer({
          name: 'shop',
          tools: [
            tool('count', 'Counts', { article: 'string' }, async (_, extra) => {
              for (let count = 0; count < reports; count += 1) extra.progress(count);
              return JSON.stringify(await extra.sendRequest({ method }));
            }),
          ],
        }),
      },
    });
    const recorded = await record({ steps, options: asking(1) });
    expect(recorded.error).toBeUndefined();
    for (const reports of [0, 1, 3]) {
      const replayed = await replay(recorded.trace, { options: asking(reports) });
      expect(replayed.error).toBeUndefined();
      expect(replayed.tape.report()).toMatchObject({ ok: true, finished: true });
    }
    const other = await replay(recorded.trace, { options: asking(0, 'sampling/createMessage'), tape: STUCK });
    expect(other.error).toMatchObject({ code: 'REPLAY_STUCK', expected: 'the control request "roots/list"' });
    expect(other.tape.report().unexpected).toMatchObject([{ name: 'sampling/createMessage' }]);
  });

  it('that left early leaves early again', async () => {
    const react = (message: SDKMessage): string | undefined =>
      message.type === 'assistant' ? 'leave' : undefined;
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init(), assistant('x')),
      AWAIT_END,
      exit(0),
    ];
    const recorded = await record({ steps, react });
    const replayed = await replay(recorded.trace, { react });
    expect(replayed.messages).toEqual(recorded.messages);
    expect(replayed.tape.report()).toMatchObject({ ok: true, finished: true });
    // And one that stays is told what the tape expects.
    const stayed = await replay(recorded.trace, { tape: STUCK });
    expect(stayed.error).toMatchObject({
      code: 'REPLAY_STUCK',
      expected: expect.stringContaining('the end of the query') as string,
    });
  });

  it('that leaves before a question of the tape is told what it left out', async () => {
    const leaveAt =
      (text: string) =>
      (message: SDKMessage): string | undefined =>
        JSON.stringify(message).includes(text) ? 'leave' : undefined;
    const seen: string[] = [];
    const options = busyOptions((article) => `7 ${article}`, seen);
    // The recorded program stayed to the end, or left too, but only after the questions.
    const lasting = await record({ steps: busyTurn, options });
    const leaving = await record({ steps: busyTurn, options, react: leaveAt('"done"') });
    for (const recorded of [lasting, leaving]) {
      seen.length = 0;
      const { tape } = await replay(recorded.trace, { options, react: leaveAt('let me see') });
      const report = tape.report();
      expect(report).toMatchObject({ ok: false, finished: false });
      // What it was asked before it had left is not missing; everything after is.
      const asked = seen.length;
      expect(report.missing.map(({ kind }) => kind)).toEqual(
        ['permission', 'hook', 'tool', 'tool'].slice(asked),
      );
      expect(asked).toBeLessThan(2);
      expect(formatReport(report)).toContain('is on the tape but did not occur.');
    }
    // As early as the recorded one, it left nothing out.
    const { tape } = await replay(leaving.trace, { options, react: leaveAt('"done"') });
    expect(tape.report()).toMatchObject({ ok: true, finished: true, missing: [] });
  });

  it('that leaves before a question that the recorded program left at is told so', async () => {
    const steps: Step[] = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init(), assistant('let me see')),
      ask('p1', canUseTool({ tool_name: 'Bash', input: { command: 'ls' } })),
      AWAIT_END,
      exit(0),
    ];
    // Closed by its own callback, so that the question is on the tape and no answer to it is.
    const closing = (): Options => {
      const abortController = new AbortController();
      const leave = (): Promise<never> => {
        abortController.abort();
        return new Promise(() => {});
      };
      return { abortController, canUseTool: leave };
    };
    const recorded = await record({ steps, options: closing() });
    const same = await replay(recorded.trace, { options: closing() });
    expect(same.tape.report()).toMatchObject({ ok: true, finished: true });
    const early = await replay(recorded.trace, {
      options: closing(),
      react: (message) => (message.type === 'system' ? 'leave' : undefined),
    });
    expect(early.tape.report()).toMatchObject({ ok: false, finished: false });
  });

  it('meets the same crash', async () => {
    const steps: Step[] = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      { do: 'stderr', text: 'it went wrong\n' },
      { do: 'kill', signal: 'SIGSEGV' },
    ];
    const recorded = await record({ steps });
    const replayed = await replay(recorded.trace);
    expect(replayed.messages).toEqual(recorded.messages);
    expect(recorded.error).toMatchObject({ code: 'PROCESS_KILLED', signal: 'SIGSEGV' });
    expect(replayed.error).toEqual(recorded.error);
    expect(replayed.tape.report().ok).toBe(true);
  });
});

describe('a changed program', () => {
  it('is told where its tools answer otherwise', async () => {
    const recorded = await record({ steps: busyTurn, options: busyOptions((article) => `7 ${article}`) });
    const options = busyOptions((article) => (article === 'pears' ? '8 pears' : `7 ${article}`));
    const replayed = await replay(recorded.trace, { options });
    expect(replayed.messages).toEqual(recorded.messages);
    const report = replayed.tape.report();
    expect(report).toMatchObject({
      ok: false,
      finished: true,
      missing: [],
      unexpected: [],
      differences: [
        {
          kind: 'tool',
          name: 'count',
          toolUseId: 'toolu_2',
          question: { arguments: { article: 'pears' } },
          changes: [{ path: 'result.content[0].text', taped: '7 pears', live: '8 pears' }],
        },
      ],
    });
    expect(formatReport(report)).toMatch(
      /the tool call "count" \(toolu_2\) differs:\n {2}result\.content\[0\]\.text\n {4}- "7 pears"\n {4}\+ "8 pears"/,
    );
    for (const tape of [
      { ignore: ['result.content[*].text'] },
      { ignore: [/text$/] },
      { isSame: ({ live }: { live: unknown }) => live === '8 pears' },
    ]) {
      expect((await replay(recorded.trace, { options, tape })).tape.report().ok).toBe(true);
    }
  });

  it('is told without the secrets of its answers, which go to the same logs as the tape', () => {
    const change = (path: string, taped: unknown, live: unknown) => ({ path, taped, live });
    const changes = [
      change(
        'result.content[0].text',
        'the key: [redacted]',
        'the key: sk-ant-0123456789abcdef, for 8 pears',
      ),
      change('result.structuredContent.password', undefined, 'hunter2'),
    ];
    const report: ReplayReport = {
      ok: false,
      finished: true,
      compared: 1,
      differences: [{ kind: 'tool', name: 'count', t: 1, taped: {}, live: { password: 'hunter2' }, changes }],
      missing: [],
      unexpected: [],
    };
    for (const text of [formatReport(report), JSON.stringify(hideSecrets(report))]) {
      expect(text).toContain('8 pears');
      expect(text).not.toMatch(/sk-ant|hunter2/);
    }
  });

  it('is told without the values of secret variables, nor what stands among secrets', () => {
    const live = {
      env: { ANY: 'plain-one' },
      args: ['--token', 'plain-two'],
      text: 'It is the-value-of-it.',
    };
    const taped = { env: {}, args: ['--token', ''], text: '' };
    const changes = diffJson(taped, live);
    const item = { kind: 'tool', name: 'the-value-of-it', t: 1 } as const;
    const report: ReplayReport = {
      ok: false,
      finished: true,
      compared: 1,
      missing: [item],
      unexpected: [item],
      differences: [{ ...item, question: { password: 'plain-three' }, taped, live, changes }],
      error: new ReplayError('It waits for the-value-of-it.', 'the answer'),
    };
    vi.stubEnv('SOME_API_KEY', 'the-value-of-it');
    try {
      for (const text of [formatReport(report), JSON.stringify(hideSecrets(report))]) {
        expect(text).toContain('It is [redacted].');
        expect(text).not.toMatch(/plain-|the-value-of-it/);
      }
      const { error } = hideSecrets(report);
      expect([error instanceof ReplayError, error?.message]).toEqual([true, 'It waits for [redacted].']);
      expect(formatReport(report, { redact: { values: ['It is'] } })).not.toContain('It is');
      expect(formatReport(report, { redact: false })).toContain('plain-two');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('is told of permissions and hooks that decide otherwise, and of servers that are gone', async () => {
    const recorded = await record({ steps: busyTurn, options: busyOptions((article) => article) });
    const replayed = await replay(recorded.trace, {
      options: { canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'no' }) },
    });
    expect(replayed.tape.report().differences).toMatchObject([
      {
        kind: 'permission',
        changes: [
          { path: 'behavior', taped: 'allow', live: 'deny' },
          { path: 'updatedInput' },
          { path: 'message' },
        ],
      },
      { kind: 'hook', name: 'PreToolUse' },
      { kind: 'tool', toolUseId: 'toolu_1' },
      { kind: 'tool', toolUseId: 'toolu_2' },
    ]);
  });

  it('that never answers ends with an error that says what is missing', async () => {
    const recorded = await record({ steps: busyTurn, options: busyOptions((article) => article) });
    const replayed = await replay(recorded.trace, {
      options: busyOptions(() => new Promise(() => {})),
      tape: STUCK,
    });
    expect(replayed.error).toMatchObject({
      name: 'ReplayError',
      code: 'REPLAY_STUCK',
      expected: 'the answer to the tool "count" (toolu_1)',
    });
    const report = replayed.tape.report();
    expect(report.finished).toBe(false);
    expect(report.missing.map(({ kind, toolUseId }) => [kind, toolUseId])).toEqual([
      ['tool', 'toolu_1'],
      ['tool', 'toolu_2'],
    ]);
    expect(report.error).toBe(replayed.error);
  });

  it('that does not put a request the tape waits for is told so, and what it did instead', async () => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      expectLine('set_model'),
      reply({}),
      emit(result(), state('idle')),
      AWAIT_END,
      exit(0),
    ];
    const onInit =
      (act: (query: Query) => Promise<unknown>) =>
      async (message: SDKMessage, query: Query): Promise<void> => {
        if (message.type === 'system' && message.subtype === 'init') await act(query).catch(() => {});
      };
    const recorded = await record({ steps, react: onInit((query) => query.setModel('a')) });
    const other = await replay(recorded.trace, {
      react: onInit((query) => query.setPermissionMode('plan')),
      tape: STUCK,
    });
    expect(other.error).toMatchObject({ expected: 'the control request "set_model"' });
    expect((other.error as Error).message).toContain('set_permission_mode');
    expect(other.tape.report().unexpected).toMatchObject([{ kind: 'request', name: 'set_permission_mode' }]);
    const changed = await replay(recorded.trace, { react: onInit((query) => query.setModel('b')) });
    expect(changed.tape.report().differences).toMatchObject([
      { kind: 'request', changes: [{ path: 'model', taped: 'a', live: 'b' }] },
    ]);
  });
});

describe('a fully taped replay', () => {
  it('runs nothing of the program', async () => {
    const recorded = await record({ steps: busyTurn, options: busyOptions((article) => article) });
    const seen: string[] = [];
    const options = busyOptions((article) => {
      seen.push(article);
      return 'other';
    }, seen);
    for (const each of [options, {}]) {
      const replayed = await replay(recorded.trace, { options: each, tape: { tools: 'taped' } });
      expect(replayed.messages).toEqual(recorded.messages);
      expect(replayed.tape.report()).toMatchObject({ ok: true, finished: true, compared: 1 });
    }
    expect(seen).toEqual([]);
  });

  it('can tape permissions and hooks, and run the tools', async () => {
    const recorded = await record({ steps: busyTurn, options: busyOptions((article) => article) });
    const replayed = await replay(recorded.trace, {
      options: shop((article) => article),
      tape: { permissions: 'taped', hooks: 'taped' },
    });
    expect(replayed.tape.report()).toMatchObject({ ok: true, compared: 3 });
  });
});

describe('a tape', () => {
  it('serves one query', async () => {
    const recorded = await record({ steps: [...handshake(), ...turn(), AWAIT_END, exit(0)] });
    const { tape } = await replay(recorded.trace);
    const again = await play(createQuery({ prompt: 'hi', options: { transport: tape.transport } }));
    expect(again.error).toMatchObject({ code: 'ALREADY_OPEN' });
  });

  it('that was cut off, or has a gap, says so where it ends', async () => {
    const recorded = await record({ steps: [...handshake(), ...turn(), AWAIT_END, exit(0)] });
    const cut = await replay({ ...recorded.trace, steps: recorded.trace.steps.slice(0, 5), end: undefined });
    expect(cut.error).toMatchObject({ code: 'TRACE_INCOMPLETE' });
    const steps = [...recorded.trace.steps.slice(0, 5), { type: 'gap', t: 9, reason: 'max-bytes' } as const];
    expect((await replay({ ...recorded.trace, steps })).error).toMatchObject({ code: 'TRACE_INCOMPLETE' });
    const large = recorded.trace.steps.map((step, index) =>
      index === 4 ? ({ type: 'frame', t: 9, dir: 'in', truncated: { bytes: 99, head: '{' } } as const) : step,
    );
    expect((await replay({ ...recorded.trace, steps: large })).error).toMatchObject({
      code: 'TRACE_INCOMPLETE',
      message: expect.stringContaining('maxFrameBytes') as string,
    });
  });

  it('fits a secret that was hidden on it', async () => {
    const recorded = await record({
      steps: busyTurn,
      options: busyOptions(() => 'token=abcdefgh of the shop'),
    });
    const replayed = await replay(recorded.trace, {
      options: busyOptions(() => 'token=ijklmnop of the shop'),
    });
    expect(replayed.tape.report().ok).toBe(true);
    const other = await replay(recorded.trace, { options: busyOptions(() => 'token=ijklmnop of the mill') });
    expect(other.tape.report().differences).toHaveLength(2);
  });
});

describe('any trace', () => {
  /** Plays a host that answers what the tape has; `change` makes the answers of this run. */
  async function replayByHand(trace: Trace, change: (answer: string) => string): Promise<ReplayReport> {
    const tape = await openTape(trace, { waitMs: 0 });
    const transport = await tape.transport({} as never);
    const said = trace.steps.flatMap((step) =>
      step.type === 'frame' && step.dir === 'out' && step.frame ? [step.frame] : [],
    );
    const answers = new Map<unknown, object>();
    for (const frame of said)
      if (frame['type'] === 'control_response')
        answers.set((frame['response'] as { request_id: unknown }).request_id, frame);
    await new Promise<void>((resolve) => {
      transport.open({
        line: (text) => {
          const frame = JSON.parse(text) as { type?: unknown; request_id?: unknown };
          const answer = answers.get(frame.request_id);
          if (frame.type === 'control_request' && answer)
            transport.write(change(stringifyDeep(answer) ?? ''));
          if (frame.type === 'result') transport.endInput();
        },
        fault: () => {},
        closed: () => resolve(),
      });
      for (const frame of said)
        if (frame['type'] !== 'control_response') transport.write(stringifyDeep(frame) ?? '');
    });
    return tape.report();
  }

  const anyTrace = fc
    .tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.string(),
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 4 }),
    )
    .map(([calls, text, extra]) => {
      const trace = makeTrace({ calls, text });
      const more = extra.map(
        (frame) => ({ type: 'frame', t: 60, dir: 'in', frame: { ...frame, type: 'note' } }) as const,
      );
      return {
        calls,
        trace: { ...trace, steps: [...trace.steps.slice(0, 4), ...more, ...trace.steps.slice(4)] },
      };
    });

  it('is replayed to its end, and a changed answer is a difference', async () => {
    await fc.assert(
      fc.asyncProperty(anyTrace, async ({ calls, trace }) => {
        const same = await replayByHand(trace, (answer) => answer);
        expect(same).toMatchObject({ ok: true, finished: true, compared: 1 + 2 * calls });
        const changed = await replayByHand(trace, (answer) => answer.replace('"allow"', '"deny"'));
        expect(changed).toMatchObject({ ok: calls === 0, finished: true });
        expect(changed.differences).toHaveLength(calls);
        expect(typeof formatReport(changed)).toBe('string');
      }),
      propertyOptions(15),
    );
  });

  it('nested however deep is compared too', async () => {
    const deep = `${'['.repeat(20_000)}7${']'.repeat(20_000)}`;
    const text = JSON.stringify(makeTrace({ calls: 1 })).replaceAll('"text":"7"', `"text":${deep}`);
    const trace = JSON.parse(text) as Trace;
    expect(await replayByHand(trace, (answer) => answer)).toMatchObject({ ok: true, finished: true });
    const report = await replayByHand(trace, (answer) => answer.replace('[7]', '[8]'));
    expect(report).toMatchObject({ ok: false, finished: true, differences: [{ name: 'count' }] });
    expect(formatReport(report)).toContain('    + 8');
  });

  it('differs where it cannot be compared', async () => {
    const trace = makeTrace({ calls: 1 });
    const compare = createComparison({
      ignore: [
        Object.assign(/x/, {
          test: () => {
            throw new Error('no');
          },
        }),
      ],
    });
    const matches = new TapeMatches({
      script: readScript(trace),
      modes: { tools: 'live', permissions: 'live', hooks: 'live', dialogs: 'live' },
      compare,
      tapedReplies: new Map(),
    });
    matches.take({ type: 'user', message: { role: 'user', content: 'other' } }, 0);
    expect(matches.differences).toMatchObject([{ kind: 'prompt', changes: [{ path: '' }] }]);
  });
});
