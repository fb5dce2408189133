// Tools that are `parallel`: their calls run side by side, and nothing that needs a question runs without one.
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  allow,
  createSdkMcpServer,
  deny,
  query,
  tool,
  type InboardWarning,
  type Options,
  type Query,
  type SDKMessage,
} from '@inboard/inboard/index.js';
import {
  createFakeCli,
  createToolHarness,
  reply,
  text,
  toolUse,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { isRecord } from '../../src/util/guards.js';

const CREATE = 'mcp__board__create';
const both = reply(toolUse(CREATE, { title: 'a' }), toolUse(CREATE, { title: 'b' }));
const script: FakeScript = [both, text('Done.')];

/** A server whose tool returns only when `guests` calls of it are in its handler. */
function openBoard(guests = 2) {
  const here: (() => void)[] = [];
  const ran: string[] = [];
  const create = tool({
    name: 'create',
    description: 'Creates a ticket',
    inputSchema: { title: 'string' },
    annotations: { destructiveHint: false },
    parallel: true,
    run: async ({ title }) => {
      ran.push(title);
      await new Promise<void>((resolve) => {
        here.push(resolve);
        if (here.length >= guests) for (const leave of here) leave();
      });
      return `created ${title}`;
    },
  });
  return { ran, board: createSdkMcpServer({ name: 'board', tools: [create] }) };
}

interface Seen {
  asked: string[];
  warnings: InboardWarning[];
  messages: SDKMessage[];
  sent: readonly Record<string, unknown>[];
}

async function play(
  board: NonNullable<Options['mcpServers']>[string],
  options: Options,
  more: {
    script?: FakeScript;
    version?: string;
    act?: (q: Query, message: SDKMessage) => Promise<void>;
    isAllowed?: boolean;
  } = {},
): Promise<Seen> {
  const fake = createFakeCli(more.script ?? script, more.version ? { version: more.version } : {});
  onTestFinished(() => fake.close({ verify: false }));
  const seen = { asked: [] as string[], warnings: [] as InboardWarning[], messages: [] as SDKMessage[] };
  const q = query({
    prompt: 'Go.',
    options: {
      transport: fake.transport,
      mcpServers: { board },
      onWarning: (warning) => seen.warnings.push(warning),
      canUseTool: (name, _input, { decisionReason }) => {
        seen.asked.push(`${name} ${decisionReason ?? ''}`.trim());
        return Promise.resolve(more.isAllowed === false ? deny('No.') : allow());
      },
      ...options,
    },
  });
  for await (const message of q) {
    seen.messages.push(message);
    await more.act?.(q, message);
  }
  const sent = fake.log.flatMap(({ from, frame }) => (from === 'host' && frame ? [frame] : []));
  return { ...seen, sent };
}

/** The tools as the handshake lists them. */
function listedIn({ sent }: Seen): unknown {
  const { request } = sent.find(({ type }) => type === 'control_request') as { request: never };
  const { sdkMcpServerManifests: manifests } = request as { sdkMcpServerManifests: never };
  return (manifests as { board: { toolsListResult: { tools: unknown[] } } }).board.toolsListResult.tools[0];
}

const resultOf = ({ messages }: Seen): unknown =>
  messages.flatMap((message) => (message.type === 'result' && 'result' in message ? message.result : []))[0];
const codesOf = ({ warnings }: Seen): string[] =>
  warnings.map(({ code }) => code).filter((code) => code.startsWith('PARALLEL'));

describe('a parallel tool', () => {
  it('has two calls in its handler at the same time', async () => {
    const { board, ran } = openBoard();
    const seen = await play(board, {});
    expect(ran.toSorted()).toEqual(['a', 'b']);
    expect(seen.asked).toEqual([CREATE, CREATE]);
    expect(resultOf(seen)).toBe('Done.');
  });

  it('is listed with the hint that the CLI needs, a mark that it is not true, and what else its author says', async () => {
    const { board } = openBoard();
    expect(listedIn(await play(board, {}))).toMatchObject({
      name: 'create',
      annotations: { destructiveHint: false, readOnlyHint: true },
      _meta: { 'inboard/parallel': true },
    });
  });

  it('is not called read-only where the program asks for its servers', async () => {
    const { board } = openBoard();
    const found: unknown[] = [];
    await play(
      board,
      {},
      {
        act: async (q, message) => {
          if (message.type === 'assistant') found.push(...(await q.mcpServerStatus()));
        },
      },
    );
    expect(found[0]).toMatchObject({ name: 'board', tools: [{ name: 'create', annotations: {} }] });
    expect(JSON.stringify(found)).not.toContain('readOnly');
  });

  it.each<[string, Options]>([
    ['', {}],
    [', although a rule allows it', { allowedTools: [CREATE] }],
    [
      ', although a hook allows it',
      {
        hooks: {
          PreToolUse: [
            {
              hooks: [
                () =>
                  Promise.resolve({
                    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
                  }),
              ],
            },
          ],
        },
      },
    ],
  ])('does not run without a question while the CLI plans%s', async (_case, options) => {
    const { board, ran } = openBoard();
    const seen = await play(board, { permissionMode: 'plan', ...options }, { isAllowed: false });
    expect(seen.asked).toEqual([CREATE, CREATE]);
    expect(ran).toEqual([]);
  });

  it('is asked about from the moment on at which the mode changes to planning', async () => {
    const { board, ran } = openBoard(1);
    const seen = await play(
      board,
      { allowedTools: [CREATE] },
      {
        script: [toolUse(CREATE, { title: 'first' }), both, text('Done.')],
        act: async (q, message) => {
          if (message.type === 'user') await q.setPermissionMode('plan');
        },
      },
    );
    expect(ran.toSorted()).toEqual(['a', 'b', 'first']);
    expect(seen.asked).toEqual([CREATE, CREATE]);
    expect(codesOf(seen)).toEqual([]);
  });

  it.each<[string, Options]>([
    ['default', { permissionMode: 'default' }],
    ['acceptEdits', { permissionMode: 'acceptEdits' }],
    ['dontAsk', { permissionMode: 'dontAsk' }],
  ])('runs without a question where a rule allows it, in the mode %s', async (_mode, options) => {
    const { board, ran } = openBoard();
    const seen = await play(board, { ...options, allowedTools: [CREATE] });
    expect(ran.toSorted()).toEqual(['a', 'b']);
    expect(seen.asked).toEqual([]);
  });

  it('runs one call after another if it was added after the session began, and says so', async () => {
    let inside = 0;
    let most = 0;
    const board = createSdkMcpServer({ name: 'board' });
    const add = (): string => {
      board.instance.registerTool(
        'create',
        { parallel: true, inputSchema: { title: 'string' } },
        async () => {
          most = Math.max(most, ++inside);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
        },
      );
      return 'added';
    };
    board.instance.registerTool('add', {}, add);
    const seen = await play(board, {}, { script: [toolUse('mcp__board__add'), both, text('Done.')] });
    expect(resultOf(seen)).toBe('Done.');
    expect(most).toBe(1);
    expect(codesOf(seen)).toEqual(['PARALLEL_TOOL_LATE']);
    expect(JSON.stringify(seen.sent)).not.toContain('readOnlyHint');
  });

  it('is listed by the tool harness as its author marked it', async () => {
    const harness = createToolHarness(openBoard().board);
    const [listed] = await harness.listTools();
    expect(listed?.['annotations']).toEqual({ destructiveHint: false });
    expect(JSON.stringify(listed)).not.toContain('inboard/parallel');
    await harness.close();
  });

  it('needs no hook, hint or mark if it is read-only', async () => {
    const look = tool({
      name: 'create',
      inputSchema: { title: 'string' },
      readOnly: true,
      parallel: true,
      run: () => 1,
    });
    const seen = await play(createSdkMcpServer({ name: 'board', tools: [look] }), {});
    expect(listedIn(seen)).toMatchObject({ annotations: { readOnlyHint: true } });
    expect(JSON.stringify(seen.sent)).not.toMatch(/inboard\/parallel|PreToolUse/);
  });
});

it('a read-only tool is not asked about while the CLI plans', async () => {
  const look = tool({ name: 'create', inputSchema: { title: 'string' }, readOnly: true, run: () => 'x' });
  const board = createSdkMcpServer({ name: 'board', tools: [look] });
  expect((await play(board, { permissionMode: 'plan' })).asked).toEqual([]);
});

it('a tool with the official annotation is listed as before', async () => {
  const create = tool('create', 'Creates', {}, () => 'x', { annotations: { readOnlyHint: true } });
  const seen = await play(createSdkMcpServer({ name: 'board', tools: [create] }), {});
  const listed = listedIn(seen);
  expect(isRecord(listed) && listed['annotations']).toEqual({ readOnlyHint: true });
  expect(JSON.stringify(seen.sent)).not.toMatch(/inboard\/parallel|PreToolUse/);
});
