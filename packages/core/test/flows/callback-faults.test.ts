// Every callback of the public API, misbehaving in every way: nothing reaches the host, what waits ends, and a listener that
// fails is a warning that names it, once. The list of callbacks is read from the public types: one that is new fails here
// until it is known how to set it off.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  allow,
  createApprovals,
  createMemoryApprovalStore,
  createSdkMcpServer,
  InMemorySessionStore,
  mcpPrompt,
  openSession,
  query,
  replayPermissions,
  run,
  tool,
  UsageLedger,
  type Options,
  type Query,
  type SessionStore,
} from '@inboard/inboard/index.js';
import {
  ask,
  createFakeCli,
  createMemoryTransport,
  elicit,
  endTurn,
  say,
  send,
  stderr,
  useTool,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { createRedactor, tapTransport, traceTransport } from '@inboard/inboard/trace.js';
import { withTelemetry } from '@inboard/inboard/otel.js';
import { createUiChat, type UiChatOptions } from '@inboard/inboard/ui.js';
import { readSourceFiles } from '../../../../test/package/project.js';
import { listFunctionTypes } from '../../../inboard/test/public-definitions.js';
import { propertyOptions } from '../../../../test/support/seed.js';
import { watchHost } from '../../../../test/support/watch-host.js';

/** Of this package: callers call them, or only their tests give them. */
const OURS = new Set([
  'CliServer',
  'TransportRequest',
  // Made by clusterTelemetry().
  'ClusterTelemetry',
  'Approvals',
  'Cluster',
  'ClusterApprovals',
  'ClusterConversation',
  'ClusterWorker',
  'FileCallRecords',
  // One that fails, or never answers, is tried in packages/cluster/test/work and by the conformance suite.
  'Journal',
  'SentTurn',
  'OpenClusterTelemetry',
  'Controls',
  'UnlistedControls',
  'Inspector',
  'Query',
  'Session',
  'SessionGroup',
  'SpareProcess',
  'UiChat',
  'Offline',
  'WarmPool',

  'WarmQuery',
  'Turn',
  'ToolContext',
  'ApprovalContext',
  'RegisteredTool',
  'RegisteredResource',
  'OutputReader',

  'DefineTool()',
  'DefinePrompt()',
  'DefineResource()',
  'QueryOptions()',
  'Redactor',
  'Tape',
  'TransportReceiver',

  'FakeCli',
  'Gate',
  'IsolatedEnvironment',
  'MatcherVerdict',
  'ScriptedModel',
  'SessionStoreCase',
  'TransportCase',
  'DispatcherCase',
  'Dispatcher',
  'DispatcherWork',

  'ToolHarness',
  'TrajectoryMatchers',
  'MemoryPeer',
  'streamTrace',
]);

/** Scripts, patterns and factories of tests: what they throw fails the test that gave them, by `verify()` or at once. */
const OF_TESTS = new Set([
  'CallRecordsCase',
  'CallRecordsFactory',
  'CallRecordsUnderTest',
  'MemoryCallRecordsOptions',
  'JournalCase',
  'JournalFactory',
  'JournalUnderTest',
  'MemoryJournalOptions',
  'BenchTool',
  'ChaosOptions.schedule',
  'CompareOptions.isSame',
  'ConformanceFactory',
  'DispatcherFactory',
  'FakeScript',
  'FakeScriptItem',

  'InputPattern',
  'LineMatcher',
  'PromptMatcher',
  'RequestMatcher',
  'RequestTest',
  'ScriptedModelOptions.countTokens',

  'Step',
  'StoreFactory',
  'TestRunner.describe',
  'TestRunner.it',
  'ReadTraceOptions.onProblem',
  'ControlAnswers',
]);

type Callback = (...given: never[]) => unknown;
type SetOff = (callback: Callback, reach: (inside: Reach) => void) => Promise<unknown>;

/** What a callback may call from inside. */
interface Reach {
  close(): unknown;
  abort?: (() => unknown) | undefined;
  /** Has the CLI withdraw what it asks. */
  interrupt?: (() => unknown) | undefined;
  send?: (() => unknown) | undefined;
}

const NEVER = new Promise<never>(() => {});
const UNREADABLE = {
  get message(): never {
    throw new Error('message');
  },
  get code(): never {
    throw new Error('code');
  },
  toString(): never {
    throw new Error('toString');
  },
};
const raise = (thrown: unknown): never => {
  throw thrown;
};

let within: Reach | undefined;
const MISBEHAVIOURS: Record<string, Callback> = {
  throws: () => raise(new Error('mine')),
  'throws null': () => raise(null),
  'throws undefined': () => raise(undefined),
  'throws a text': () => raise('mine'),
  'throws what cannot be read': () => raise(UNREADABLE),
  rejects: () => Promise.reject(new Error('mine')),
  'rejects with undefined': () => Promise.reject(),
  // oxlint-disable-next-line prefer-promise-reject-errors -- what is rejected with may be anything
  'rejects with what cannot be read': () => Promise.reject(UNREADABLE),
  'rejects later': async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    throw new Error('late');
  },
  // oxlint-disable-next-line unicorn/no-thenable -- callers give such things
  'gives a thenable whose then throws': () => ({ then: () => raise(new Error('then')) }),
  'gives what throws when it is asked for then': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- callers give such things
    get then(): never {
      throw new Error('getter');
    },
  }),
  'gives a function that is a thenable': () =>
    // oxlint-disable-next-line unicorn/no-thenable -- callers give such things
    Object.assign(() => {}, { then: () => raise(new Error('then')) }),
  'closes, and throws': () => {
    void within?.close();
    throw new Error('mine');
  },
  'sends more, and rejects': () => {
    const { send: sendMore } = within ?? {};
    // Once: what hears each line must not write one for each.
    if (within) within.send = undefined;
    sendMore?.();
    return Promise.reject(new Error('mine'));
  },
};
const WAITING: Record<string, Callback> = {
  'never settles': () => NEVER,
  'closes, and never settles': () => {
    void within?.close();
    return NEVER;
  },
};

/** Ways that each callback is tried with; of the others each gets some, in turn, and the seed says which come first. */
const FOR_EACH = new Set([
  'throws what cannot be read',
  'rejects later',
  'gives what throws when it is asked for then',
  'closes, and throws',
  'sends more, and rejects',
]);
const FURTHER_WAYS = 2;

function chooseWays(index: number): Record<string, Callback> {
  const all = Object.entries(MISBEHAVIOURS);
  const further = all.filter(([how]) => !FOR_EACH.has(how));
  const first = index * FURTHER_WAYS + propertyOptions(1).seed;
  const chosen = Array.from({ length: FURTHER_WAYS }, (_, step) => further[(first + step) % further.length]);
  return Object.fromEntries(all.filter((way) => FOR_EACH.has(way[0]) || chosen.includes(way)));
}

const FILE = '/home/x/.claude/projects/p/0b8e5f0c-9f5a-4b8e-8f0c-9f5a4b8e8f0c.jsonl';
/** One turn in which everything is asked that a CLI asks, and every listener has something to hear. */
const TOUR: FakeScript = [
  stderr('a word\n'),
  useTool('mcp__desk__look', {}),
  elicit({ serverName: 'desk', message: 'Which?' }),
  ask({ subtype: 'request_user_dialog', dialog_kind: 'choice', payload: {} }),
  send({ type: 'transcript_mirror', filePath: FILE, entries: [{ type: 'user', uuid: 'u' }] }),
  say('done'),
];

/** A query on the tour with these options; it ends by itself, or is closed after a while where something waits for ever. */
async function tour(
  options: Options,
  reach: (inside: Reach) => void,
  handler: Callback = () => 'seen',
): Promise<void> {
  const fake = createFakeCli(TOUR, { allowEarlyEnd: true, strict: false });
  const desk = createSdkMcpServer({ name: 'desk', tools: [tool('look', 'Looks', {}, handler as never)] });
  const store = new InMemorySessionStore();
  const abortController = new AbortController();
  const q: Query = query({
    prompt: 'Go.',
    options: {
      transport: fake.transport,
      mcpServers: { desk },
      canUseTool: async () => allow(),
      sessionStore: store,
      supportedDialogKinds: ['choice'],
      onUserDialog: async () => ({ behavior: 'cancelled' }),
      abortController,
      closeGraceMs: 0,
      killGraceMs: 0,
      ...options,
    },
  });
  reach({
    close: () => q.close(),
    abort: () => abortController.abort(),
    interrupt: () => void q.interrupt().catch(() => {}),
    send: () => void q.streamInput('More.').catch(() => {}),
  });
  try {
    for await (const message of q) if (message.type === 'result') break;
  } finally {
    await q.close();
    await fake.close({ verify: false });
  }
}

const inTour =
  (option: (callback: never) => Options): SetOff =>
  (callback, reach) =>
    tour(option(callback as never), reach);

const storeWith = (method: keyof SessionStore, callback: Callback): SessionStore =>
  Object.assign(new InMemorySessionStore(), { [method]: callback });

const approvalsWith =
  (method: string): SetOff =>
  async (callback, reach) => {
    const approvals = createApprovals({
      store: Object.assign(createMemoryApprovalStore(), { [method]: callback }),
    });
    reach({ close: () => approvals.close() });
    try {
      const opened = Promise.allSettled([
        approvals.ask({ title: 'May I?', id: 'q' }),
        approvals.watch().next(),
        approvals.ask({ title: 'And I?', id: 'r' }),
      ]);
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.allSettled([approvals.list(), approvals.answer('q', allow()), approvals.remove('q')]);
      approvals.close();
      await opened;
    } finally {
      approvals.close();
    }
  };

const resumeWith =
  (method: keyof SessionStore): SetOff =>
  (callback, reach) =>
    tour(
      {
        sessionStore: storeWith(method, callback),
        ...(method === 'load' ? { resume: '0b8e5f0c-9f5a-4b8e-8f0c-9f5a4b8e8f0c' } : { continue: true }),
      },
      reach,
    );

/** A chat with these options, whose answer fails; every response is read to its end. */
const inChat =
  (option: (callback: never) => Partial<UiChatOptions>): SetOff =>
  async (callback, reach) => {
    const fake = createFakeCli([useTool('mcp__desk__look', {}), endTurn('error_during_execution')], {
      allowEarlyEnd: true,
      strict: false,
    });
    const desk = createSdkMcpServer({ name: 'desk', tools: [tool('look', 'Looks', {}, () => 'seen')] });
    const chat = createUiChat({
      session: ({ canUseTool }) =>
        openSession({
          options: { transport: fake.transport, mcpServers: { desk }, canUseTool, closeGraceMs: 0 },
        }),
      settleMs: 1,
      ...option(callback as never),
    });
    reach({ close: () => chat.close() });
    const post = async (path: string, body: object): Promise<string> => {
      const request = new Request(`http://chat.test${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return await (await chat.fetch(request)).text();
    };
    try {
      const parts = [{ type: 'text', text: 'Go.' }];
      const events = await post('/', { id: 'c', messages: [{ id: 'u', role: 'user', parts }] });
      const approvalId = /"approvalId":"([^"]+)"/.exec(events)?.[1];
      const decision = { approvalId, approved: true, input: { changed: true } };
      // If the answer was not taken, the question still waits, so the turn is stopped.
      if (!(await post('/c/approvals', decision)).includes('answered')) await post('/c/stop', {});
      await chat.fetch(new Request('http://chat.test/c/stream?follow=true')).then((each) => each.text());
    } finally {
      await chat.close();
      await fake.close({ verify: false });
    }
  };

/** The callbacks that are not awaited. A failure is a warning `CALLBACK_FAILED` with this name. */
const LISTENERS: Record<string, { name: string; setOff: SetOff }> = {
  'Options.onToolEvent': { name: 'onToolEvent', setOff: inTour((onToolEvent) => ({ onToolEvent })) },
  'Options.onEnd': { name: 'onEnd', setOff: inTour((onEnd) => ({ onEnd })) },
  'Options.onWarning': {
    name: 'onWarning',
    setOff: inTour((onWarning) => ({ onWarning, onToolEvent: () => raise(new Error('to warn of')) })),
  },
  WireListener: { name: 'onWireLine', setOff: inTour((onWireLine) => ({ onWireLine })) },
  'UsageLedgerOptions.onThreshold': {
    name: 'usage.onThreshold',
    setOff: inTour((onThreshold) => ({ usage: { thresholdsUsd: [0], onThreshold } })),
  },
  'UsageLedgerOptions.onFault': {
    name: 'usage.onFault',
    setOff: inTour((onFault) => ({
      usage: { thresholdsUsd: [0], onThreshold: () => raise(new Error('to warn of')), onFault },
    })),
  },
  'UiStreamOptions.onError': { name: 'onError', setOff: inChat((onError) => ({ onError })) },
  'UiStreamOptions.metadata': { name: 'metadata', setOff: inChat((metadata) => ({ metadata })) },
  'TelemetryOptions.tracer': {
    name: 'withTelemetry',
    // A tracer is synchronous and gives a span. A promise in its place is not awaited.
    setOff: inTour((callback: Callback) => {
      const startSpan = (): unknown => {
        const given = callback();
        Promise.resolve(given).catch(() => {});
        return given;
      };
      return withTelemetry({}, { tracer: { startSpan, startActiveSpan: startSpan } as never });
    }),
  },
};

/** The callbacks that answer a question: the asker gets an answer, an error or the end. */
const ANSWERERS: Record<string, SetOff> = {
  AroundTool: inTour((aroundTool) => ({ aroundTool })),
  CanUseTool: inTour((canUseTool) => ({ canUseTool })),
  HookCallback: inTour((hook) => ({ hooks: { PreToolUse: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] } })),
  OnElicitation: inTour((onElicitation) => ({ onElicitation })),
  OnUserDialog: inTour((onUserDialog) => ({ onUserDialog })),
  'SdkMcpToolDefinition.handler': (callback, reach) => tour({}, reach, callback),
  ProcessSpawner: inTour((spawnClaudeCodeProcess) => ({
    spawnClaudeCodeProcess,
    transport: undefined,
    pathToClaudeCodeExecutable: 'claude',
    claudeCodeVersion: '2.1.325',
  })),
  'TransportFactory()': inTour((transport) => ({ transport })),
  PermissionLookup: inTour((lookup) => ({ canUseTool: replayPermissions(lookup) })),
  'SessionStore.load': resumeWith('load'),
  'SessionStore.listSessions': resumeWith('listSessions'),
  'TraceSink.write': inTour((write) => ({ trace: { write } })),
  'TraceSink.close': inTour((close) => ({ trace: { write: () => {}, close } })),
  'RedactOptions.text': inTour((text) => ({ trace: { file: '/dev/null', redact: { text } } })),
  'RunInput.onMessage': async (onMessage) => {
    const fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
    const options = { transport: fake.transport, closeGraceMs: 0 };
    await run({ prompt: 'Go.', options, onMessage: onMessage as never }).catch(() => {});
    await fake.close({ verify: false });
  },
  'UiChatOptions.session': inChat((session) => ({ session })),
  'UiChatOptions.authorize': inChat((authorize) => ({ authorize })),
  'UiChatOptions.checkInput': inChat((checkInput) => ({ checkInput })),
  'PromptDefinition.run': async (fill) => {
    const server = createSdkMcpServer({
      name: 'desk',
      prompts: [mcpPrompt('greet', 'Greets', {}, fill as never)],
    } as never);
    await server.instance.getPrompt('greet', {}).catch(() => {});
  },
  ...Object.fromEntries(
    ['put', 'answer', 'get', 'list', 'remove', 'watch'].map((method) => [
      `ApprovalStore.${method}`,
      approvalsWith(method),
    ]),
  ),
};

/** Tested elsewhere, because they need more than one session or have rules of their own. */
const ELSEWHERE: Record<string, string> = {
  Agent: 'a turn is tried again, then ends with its error: packages/cluster/test/work/turns.test.ts',
  'WorkOptions.onEvent': 'packages/cluster/test/work/turns.test.ts',
  'CliPlace.onEvent': 'packages/remote/test/serve.test.ts',
  'ConnectCliOptions.link': 'packages/remote/test/serve.test.ts',
  'TransportFactory.askVersion': 'packages/remote/test/travel.test.ts',
  'TransportFactory.projectKeyFor': 'packages/remote/test/travel.test.ts',
  'Options.stderr': 'packages/core/test/flows/consumer.test.ts',
  'RestartPolicy.onRestart': 'packages/core/test/flows/session-races.test.ts',
  'UsageLedgerOptions.onDisagreement': 'the same road as onThreshold',
  'Transport.open': 'packages/core/test/flows/hostile-transports.test.ts',
  'Transport.write': 'packages/core/test/flows/hostile-transports.test.ts',
  'Transport.drained': 'packages/core/test/flows/hostile-transports.test.ts',
  'Transport.guarded': 'packages/core/test/flows/hostile-transports.test.ts',
  'Transport.endInput': 'packages/core/test/flows/hostile-transports.test.ts',
  'Transport.terminate': 'packages/core/test/flows/hostile-transports.test.ts',
  'SpawnedProcess.kill': 'packages/core/test/flows/hostile-transports.test.ts',
  'SpawnedProcess.on': 'packages/core/test/wire/transport/process-transport.test.ts',
  'SpawnedProcess.once': 'never called',
  'SpawnedProcess.off': 'packages/core/test/wire/transport/process-transport.test.ts',
  'SessionStore.append': 'tried again after pauses: packages/core/test/record/history/session-mirror.test.ts',
  'SessionStore.delete': 'its caller awaits it: packages/core/test/record/history',
  'SessionStore.listSubkeys': 'its caller awaits it: packages/core/test/record/history',
  'SessionStore.calls':
    'said, and the session goes on without records: packages/core/test/record/history/find-call-records.test.ts',
  'CallRecords.add':
    'said, and the call goes on: packages/core/test/verbs/conversation/completion/recorded-calls.test.ts',
  'CallRecords.load': 'guarded like the store: packages/core/test/record/history/find-call-records.test.ts',
  'CallRecords.claim': 'guarded like the store: packages/core/test/record/history/find-call-records.test.ts',
  'CallClaim.renew': 'guarded like the store: packages/core/test/record/history/find-call-records.test.ts',
  'CallClaim.release': 'guarded like the store: packages/core/test/record/history/find-call-records.test.ts',
  'CompactCallRecordsOptions.isDelivered':
    'its caller awaits it: packages/core/test/record/calls/file-call-records.test.ts',
  'SessionStore.listSessionSummaries': 'its caller awaits it: packages/core/test/record/history',
  Completer: 'answers a request of a server: packages/core/test/answer/mcp',
  ReadResource: 'answers a request of a server: packages/core/test/answer/mcp',
  ReaderOf: 'answers a request of a server: packages/core/test/answer/mcp',
  'McpServerInstance.connect': 'packages/core/test/answer/mcp/foreign',
  'McpServerInstance.close': 'packages/core/test/answer/mcp/foreign',
  'InlineTool.handler': 'the same road as SdkMcpToolDefinition.handler',
  'InlineTool.run': 'the same road as SdkMcpToolDefinition.handler',
  'PlainTool.handler': 'the same road as SdkMcpToolDefinition.handler',
  'PlainTool.run': 'the same road as SdkMcpToolDefinition.handler',
  'PlainPrompt.run': 'answers a request of a server: packages/core/test/answer/mcp/prompts.test.ts',
  'ResourceTemplateExtras.list':
    'answers a request of a server: packages/core/test/answer/mcp/resources.test.ts',
  'UriTemplate.completeCallback':
    'answers a request of a server: packages/core/test/answer/mcp/tool-server.test.ts',
  'UriTemplate.listCallback':
    'answers a request of a server: packages/core/test/answer/mcp/tool-server.test.ts',
  'ResultParser.parse': 'its caller awaits it: packages/core/test/answer/mcp/tool-context.test.ts',
  'PromptStream.getReader': 'a prompt like any other: packages/core/test/live/input/prompt-source.test.ts',
  'McpTransport.start': 'its caller awaits it: packages/core/test/answer/mcp/tool-server.test.ts',
  'McpTransport.send': 'its caller awaits it: packages/core/test/answer/mcp/tool-server.test.ts',
  'McpTransport.close': 'its caller awaits it: packages/core/test/answer/mcp/tool-server.test.ts',
  'McpTransport.onmessage': 'set by us',
  'McpTransport.onclose': 'set by us',
  'McpTransport.onerror': 'set by us',
  toolHook: 'the same road as HookCallback',
  'RetryPolicy.when': 'in the try of the handler: packages/core/test/answer/mcp/limits.test.ts',
  'InspectOptions.print': 'packages/inspector/test/live/inspect.test.ts',
  'ClusterTelemetryOptions.stats': 'packages/otel/test/cluster.test.ts',
  'ServeAcpInput.onNote': 'packages/acp/test/serve-acp.test.ts',
  'RenderHtmlOptions.onLeftOut': 'packages/inspector/test/html/render-html.test.ts',
  'ApprovalPlace.list': 'its caller awaits it: packages/core/test/lifetime/session-data.test.ts',
  'ApprovalPlace.remove': 'its caller awaits it: packages/core/test/lifetime/session-data.test.ts',
  'FindSessionDataOptions.matchApproval':
    'a problem of its place: packages/core/test/lifetime/session-data.test.ts',
  'SessionDataFilter.where': 'its caller awaits it: packages/core/test/lifetime/session-data.test.ts',
  'TraceRequest.onWarning': 'below',
  'FetchHandler.fetch': 'packages/ui/test/node-listener.test.ts',
  toNodeListener: 'gives a function, and takes none',
  'Budgets.tenant': 'as a failed attempt of the turn: packages/cluster/test/limits/budgets.test.ts',
  'ClusterInput.onTrouble': 'packages/cluster/test/conversation.test.ts',
  WakeHandler: 'reported, and woken again: packages/testing/test/conformance/dispatcher-conformance.test.ts',
  'WorkSettings.onError': 'packages/cluster/test/dispatch/memory-dispatcher.test.ts',
  tapTransport: 'below',
};

it('every public type of a function is known here', () => {
  const known = (name: string): boolean =>
    [OURS, OF_TESTS].some((set) => set.has(name) || set.has(name.split('.')[0] ?? '')) ||
    [LISTENERS, ANSWERERS, ELSEWHERE].some((table) => Object.hasOwn(table, name));
  const names = listFunctionTypes(readSourceFiles());
  expect(names).toContain('HookCallback');
  expect(names).toContain('Options.onToolEvent');
  expect(names.filter((name) => !known(name))).toEqual([]);
  const listed = [...Object.keys(LISTENERS), ...Object.keys(ANSWERERS), ...Object.keys(ELSEWHERE)];
  // Interfaces of other packages are not read.
  expect(listed.filter((name) => !names.includes(name))).toEqual(['TelemetryOptions.tracer']);
});

/** Sets a callback off in each way, and gives the process warnings that came of it; nothing else may come of it. */
async function misbehave(setOff: SetOff, ways: Record<string, Callback>): Promise<string[]> {
  const warned: string[] = [];
  const emitWarning = vi
    .spyOn(process, 'emitWarning')
    .mockImplementation((warning) => void warned.push(String(warning)));
  const host = watchHost();
  onTestFinished(() => {
    emitWarning.mockRestore();
    host.stop();
    within = undefined;
  });
  for (const [how, callback] of Object.entries(ways)) {
    let calls = 0;
    const counted = (...given: never[]): unknown => {
      calls += 1;
      return callback(...given);
    };
    await setOff(counted, (inside) => (within = inside)).catch((error: unknown) => error);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await host.expectClean().catch((cause: unknown) => {
      throw new Error(`A callback that ${how} is felt by the host: ${String(cause)}`, { cause });
    });
    expect(calls, how).toBeGreaterThan(0);
  }
  return warned;
}

describe.each(Object.entries(LISTENERS).map(([type, row], index) => ({ type, index, ...row })))(
  '$type',
  ({ name, setOff, index }) => {
    it('may misbehave in every way, and its failure is reported once', async () => {
      vi.resetModules();
      const warned = await misbehave(setOff, { ...chooseWays(index), ...WAITING });
      // The process is told once, whatever follows.
      expect(warned.filter((text) => text.includes(`"${name}"`))).toHaveLength(1);
    });
  },
);

describe.each(Object.entries(ANSWERERS).map(([type, setOff], index) => ({ type, index, setOff })))(
  '$type',
  ({ setOff, index }) => {
    it('may misbehave in every way, and nobody waits for it for ever', async () => {
      await misbehave(setOff, chooseWays(index));
    });
  },
);

/** How a session ends, or a question in it, whose answerer never settles. */
const ENDINGS: Record<string, () => unknown> = {
  'close()': () => within?.close(),
  'abort()': () => within?.abort?.(),
  'a withdrawal': () => within?.interrupt?.(),
};
/** Asked before there is a CLI that could withdraw anything. */
const ASKED_EARLY = new Set(['SessionStore.load', 'SessionStore.listSessions', 'TransportFactory()']);
const ASKED_BY_CLI = new Set([
  'AroundTool',
  'CanUseTool',
  'HookCallback',
  'OnElicitation',
  'OnUserDialog',
  'SdkMcpToolDefinition.handler',
  'PermissionLookup',
]);

const GIVEN_NO_SIGNAL = new Set(['AroundTool', 'PermissionLookup']);

describe.each([...ASKED_BY_CLI, ...ASKED_EARLY])('%s that never settles', (type) => {
  const endings = Object.keys(ENDINGS).filter((how) => how !== 'a withdrawal' || ASKED_BY_CLI.has(type));

  it('keeps nobody from ending the session, and is told by its signal', async () => {
    const signals: AbortSignal[] = [];
    const waysOut = endings.map((how): [string, Callback] => {
      let isEnded = false;
      const wait = (...given: unknown[]): Promise<never> => {
        signals.push(...given.flatMap(readSignal));
        if (!isEnded) setImmediate(() => void ENDINGS[how]?.());
        isEnded = true;
        return NEVER;
      };
      return [`never settles, and ${how}`, wait];
    });
    await misbehave(ANSWERERS[type] as SetOff, Object.fromEntries(waysOut));
    if (ASKED_BY_CLI.has(type) && !GIVEN_NO_SIGNAL.has(type))
      expect(signals.length).toBeGreaterThanOrEqual(endings.length);
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});

function readSignal(given: unknown): AbortSignal[] {
  const { signal } = (given ?? {}) as { signal?: unknown };
  return signal instanceof AbortSignal ? [signal] : [];
}

it('the listeners of the trace entry point may fail', async () => {
  const { transport } = createMemoryTransport();
  await misbehave(async (callback) => {
    const tapped = tapTransport(transport, callback as never, callback as never);
    tapped.write('{}');
    const sink = { write: () => raise(new Error('full')) };
    const facts = { env: {}, hostEnv: {}, claudeCodeVersion: undefined, cwd: undefined };
    const traced = traceTransport({ transport, option: sink, onWarning: callback as never, ...facts });
    traced.write('{}');
    expect(createRedactor({ text: callback as never }).redactText('x')).not.toBe('x');
  }, MISBEHAVIOURS);
});

it('a ledger by itself survives its listeners', async () => {
  await misbehave(async (callback) => {
    const ledger = new UsageLedger({
      thresholdsUsd: [0],
      onThreshold: callback as never,
      onFault: callback as never,
    });
    ledger.observe({ type: 'result', total_cost_usd: 1, usage: {}, modelUsage: {} });
  }, MISBEHAVIOURS);
});
