// How each callback of the public API is set off, by the name of its type.
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
  type Options,
  type Query,
  type SessionStore,
} from '@inboard/inboard/index.js';
import {
  ask,
  createFakeCli,
  elicit,
  endTurn,
  send,
  stderr,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { withTelemetry } from '@inboard/inboard/otel.js';
import { createUiChat, type UiChatOptions } from '@inboard/inboard/ui.js';

/** A callback of the host, as a test gives it. */
export type Callback = (...given: never[]) => unknown;
/** Has a callback called, and says what it can reach meanwhile. */
export type SetOff = (callback: Callback, reach: (inside: Reach) => void) => Promise<unknown>;

/** What a callback may call from inside. */
export interface Reach {
  close(): unknown;
  abort?: (() => unknown) | undefined;
  /** Has the CLI withdraw what it asks. */
  interrupt?: (() => unknown) | undefined;
  send?: (() => unknown) | undefined;
}

/** Throws anything, where an expression is wanted. */
export const raise = (thrown: unknown): never => {
  throw thrown;
};

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
export const LISTENERS: Record<string, { name: string; setOff: SetOff }> = {
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
export const ANSWERERS: Record<string, SetOff> = {
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
  'UiChatOptions.user': inChat((user) => ({ user })),
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
