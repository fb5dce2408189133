// Each step of a session times each way in which it can be cut off. What must hold everywhere: everything open
// settles, within a bounded time, there is exactly one end, the child is gone, and the host never notices.
import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../src/answer/mcp/tool/tool.js';
import type { Options } from '../../src/options/options.js';
import type { Query } from '../../src/verbs/query/query.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd, useScenes, type Ending } from '../../../../test/support/scene.js';
import type { StageKind } from '../../../../test/support/scripted-cli.js';
import {
  HANG,
  answered,
  ask,
  assistant,
  canUseTool,
  emit,
  exit,
  expectLine,
  handshake,
  hookCallback,
  init,
  mark,
  reply,
  result,
  state,
  type Step,
} from '../../../../test/support/steps.js';
import { settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

/** A step of the protocol: how the session gets there, and how it would have gone on. */
interface Point {
  before: Step[];
  after: Step[];
  phase: 'handshake' | 'running';
  /** The message is answered by now, so that a bad exit is no longer news. */
  isAnswered?: true;
  /** A callback of the host is at work. */
  isAsking?: true;
}

const INITIALIZED = handshake();
const IN_TURN = [...INITIALIZED, expectLine('user'), emit(state('running'), init(), assistant('half'))];
const FINISH = [emit(assistant('whole'), result()), emit(state('idle'))];

const TOOL_CALL = {
  subtype: 'mcp_message',
  server_name: 'demo',
  message: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'slow', arguments: {} } },
};

const POINTS: Record<string, Point> = {
  'before the handshake is answered': {
    before: INITIALIZED.slice(0, 1),
    after: [...INITIALIZED.slice(1), expectLine('user'), ...FINISH],
    phase: 'handshake',
  },
  'after the handshake': { before: INITIALIZED, after: [expectLine('user'), ...FINISH], phase: 'running' },
  'in a turn': { before: IN_TURN, after: FINISH, phase: 'running' },
  'during a permission question': {
    before: [...IN_TURN, emit(state('requires_action')), ask('p', canUseTool())],
    after: [answered('p'), emit(state('running')), ...FINISH],
    phase: 'running',
    isAsking: true,
  },
  'during a hook': {
    before: [...IN_TURN, ask('h', hookCallback())],
    after: [answered('h'), ...FINISH],
    phase: 'running',
    isAsking: true,
  },
  'during a call of a tool of ours': {
    before: [...IN_TURN, ask('t', TOOL_CALL)],
    after: [answered('t'), ...FINISH],
    phase: 'running',
    isAsking: true,
  },
  'during a control request of ours': {
    before: [...IN_TURN, expectLine('set_model')],
    after: [reply({}, 'set_model'), ...FINISH],
    phase: 'running',
  },
  'between result and idle': {
    before: [...IN_TURN, emit(result())],
    after: [emit(state('idle'))],
    phase: 'running',
    isAnswered: true,
  },
  'after everything, before the exit': {
    before: [...IN_TURN, ...FINISH],
    after: [],
    phase: 'running',
    isAnswered: true,
  },
};

/** A way to be cut off: what the CLI does at the mark, or what the host does on hearing of it. */
interface Fault {
  steps?: Step[];
  act?: (session: { q: Query; abort: (reason: unknown) => void }) => Promise<unknown>;
  /** What the iteration ends with, when the message is not answered yet. */
  error?: object;
  /** The same when it is. */
  errorWhenAnswered?: object;
  /** The session goes on, to its own good end. */
  isHarmless?: true;
}

const REASON = { reason: 'chaos' };
const GARBAGE = [
  'not json\n',
  'null\n5\n"x"\n[]\n\n \r\n',
  '{"type":"control_response"}\n{"type":"control_request"}\n{"half":\n',
  '{"type":"control_response","response":{"subtype":"success","request_id":"nobody"}}\r\n',
  '{"type":"control_cancel_request","request_id":"nobody"}\n',
].join('');

const FAULTS: Record<string, Fault> = {
  'exit 0': { steps: [exit(0)], error: { code: 'NO_RESULT' } },
  'exit 1': { steps: [exit(1)], error: { code: 'PROCESS_EXITED', exitCode: 1 } },
  SIGKILL: {
    steps: [{ do: 'kill', signal: 'SIGKILL' }],
    error: { code: 'PROCESS_KILLED', signal: 'SIGKILL' },
  },
  'a closed stdin': {
    steps: [{ do: 'closeInput' }, mark('deaf'), { do: 'ignoreEnd' }, HANG],
    act: async ({ q }) => {
      // A closed pipe is noticed only by writing to it.
      await outcomeOf(q.setPermissionMode('plan'));
    },
    error: { code: 'PROCESS_KILLED', signal: 'SIGTERM' },
  },
  'a closed stdout': {
    steps: [{ do: 'ignoreEnd' }, { do: 'closeOutput' }, HANG],
    error: { code: 'PROCESS_KILLED', signal: 'SIGTERM' },
  },
  garbage: { steps: [{ do: 'raw', text: GARBAGE }], isHarmless: true },
  'abort()': {
    act: async ({ abort }) => abort(REASON),
    error: { code: 'ABORTED', cause: REASON },
    errorWhenAnswered: { code: 'ABORTED', cause: REASON },
  },
  'close()': { act: async ({ q }) => q.close() },
  'return()': { act: async ({ q }) => q.return() },
  'throw()': {
    act: async ({ q }) => {
      expect(await outcomeOf(q.throw(REASON))).toEqual({ error: REASON });
    },
  },
};

/** Plays one cell; `settle` bounds the time everything may take. */
async function playCell(
  play: ReturnType<typeof useScenes>,
  cell: { kind: StageKind; point: Point; fault: Fault },
  settle: <T>(promise: Promise<T>) => Promise<T>,
): Promise<void> {
  const { kind, point, fault } = cell;
  const abortController = new AbortController();
  const release = createDeferred<void>();
  const asked = createDeferred<void>();
  const signals: AbortSignal[] = [];
  const waitFor = async (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    asked.resolve();
    // A harmless fault lets the callbacks finish; any other leaves them waiting for ever, as a careless one does.
    await release.promise;
  };
  const options: Options = {
    abortController,
    closeGraceMs: 20,
    killGraceMs: 20,
    canUseTool: async (_name, _input, { signal }) => {
      await waitFor(signal);
      return { behavior: 'allow' };
    },
    mcpServers: {
      demo: createSdkMcpServer({
        name: 'demo',
        tools: [
          tool('slow', 'Takes its time', {}, async (_args, { signal }) => {
            await waitFor(signal);
            return 'done';
          }),
        ],
      }),
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async (_input, _id, { signal }) => {
              await waitFor(signal);
              return {};
            },
          ],
        },
      ],
    },
  };
  const isAsked = point.before.some((step) => step.do === 'expect' && step.match === 'set_model');
  const goOn = isAsked ? point.after : [expectLine('set_model'), reply({}, 'set_model'), ...point.after];
  const steps = [...point.before, mark('here'), ...(fault.steps ?? []), ...goOn];
  const { q, cli } = play({ kind, steps, options });
  const open = [q.initializationResult(), q.setModel('m')].map(outcomeOf);
  if (!fault.isHarmless) open.push(outcomeOf(q.streamInput(sleepForEver())));
  const ending = runToEnd(q);
  await settle(cli.marked('here'));
  // A mark and a question come by different pipes.
  if (point.isAsking) await settle(asked.promise);
  if (fault.isHarmless) release.resolve();
  if (fault.steps?.some(({ do: what }) => what === 'closeInput')) await settle(cli.marked('deaf'));
  const acted = fault.act?.({ q, abort: (reason) => abortController.abort(reason) });

  const { messages, error } = await settle(ending);
  await settle(Promise.all([acted, ...open]));
  expectEnding({ messages, error }, point, fault);
  expect(cli.isGone()).toBe(true);
  expect(signals).toHaveLength(point.isAsking ? 1 : 0);
  for (const signal of signals) expect(signal.aborted).toBe(!fault.isHarmless);
  expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
  for (const late of [q.setModel('n'), q.streamInput('more')]) {
    expect((await outcomeOf(late)).error).toBeInstanceOf(Error);
  }
}

function expectEnding({ messages, error }: Ending, point: Point, fault: Fault): void {
  if (fault.isHarmless) expect(messages.at(-1)).toMatchObject({ type: 'result' });
  const expected = point.isAnswered ? fault.errorWhenAnswered : fault.error;
  if (expected === undefined) expect(error).toBeUndefined();
  else expect(error).toMatchObject(expectedAt(point, expected));
}

/** A CLI that leaves tidily without having answered the handshake is a crash by another name. */
function expectedAt(point: Point, expected: object): object {
  const code = 'code' in expected ? expected.code : undefined;
  if (code === 'ABORTED') return expected;
  if (code === 'NO_RESULT' && point.phase === 'handshake')
    return { code: 'PROCESS_EXITED', exitCode: 0, phase: 'handshake' };
  return { ...expected, phase: point.phase };
}

async function* sleepForEver(): AsyncGenerator<string> {
  yield await new Promise<string>(() => {});
}

describe.each(Object.entries(POINTS))('%s', (_point, point) => {
  describe('in memory', () => {
    useVirtualClock();
    const play = useScenes();

    it.each(Object.entries(FAULTS))('%s', async (_fault, fault) => {
      await playCell(play, { kind: 'memory', point, fault }, (promise) => settleWithin(30_000, promise));
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});

// With a process, what the memory transport only imitates: real pipes, real signals, real exits.
const IN_PROCESS: Array<[string, string]> = [
  ...Object.keys(FAULTS)
    .filter((fault) => fault !== 'a closed stdin')
    .map((fault): [string, string] => ['in a turn', fault]),
  ...Object.keys(POINTS).flatMap((point): Array<[string, string]> => [
    [point, 'SIGKILL'],
    [point, 'abort()'],
    [point, 'garbage'],
  ]),
  ['before the handshake is answered', 'exit 0'],
  ['before the handshake is answered', 'close()'],
  ['during a permission question', 'exit 1'],
  ['during a permission question', 'return()'],
  ['during a hook', 'a closed stdout'],
  ['during a control request of ours', 'exit 0'],
  ['between result and idle', 'throw()'],
  ['after everything, before the exit', 'exit 1'],
];

describe('with a process', () => {
  const play = useScenes();
  const cells = new Map(IN_PROCESS.map((names) => [names.join(': '), names]));

  it.each([...cells.entries()])('%s', async (_, [pointName, faultName]) => {
    const point = POINTS[pointName];
    const fault = FAULTS[faultName];
    if (!point || !fault) throw new Error('There is no such cell');
    await playCell(play, { kind: 'process', point, fault }, (promise) => promise);
  });
});
