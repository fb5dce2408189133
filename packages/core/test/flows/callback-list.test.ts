// Every callback of the public API is known: those that callback-faults.test.ts lets misbehave, and those of which this file says why
// not. The list of callbacks is read from the public types: one that is new fails here until it is known how to set it off.
import { expect, it } from 'vitest';
import { readSourceFiles } from '../../../../test/package/project.js';
import { listFunctionTypes } from '../../../inboard/test/public-definitions.js';
import { ANSWERERS, LISTENERS } from './set-off-callbacks.js';

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
  'Calls',
  // One that fails is tried by the conformance suite; an attempt rejects with its error.
  'Ledger',
  'LedgerStore',
  'PostgresLedger',
  'ClusterCalls',
  // Of engines and their libraries: what they throw is the engine's to retry.
  'ConversationClient',
  'ConversationHandlers',
  'DbosClient',
  'DbosHandle',
  'DbosTurns',
  'TemporalWorkflowHandle',
  'TurnActivities',
  'TurnAnswers',
  'OpenClusterTelemetry',
  'Controls',
  'UnlistedControls',
  'Inspector',
  'Query',
  'Session',
  'SessionGroup',
  'SpareProcess',
  'UiChat',
  'UiChatOpening',
  'Offline',
  'WarmPool',

  'WarmQuery',
  'Turn',
  'HandlerExtra',
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

  'HealthHandler',
  'HealthServer',

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
  'HarnessPending',
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
  'LedgerCase',
  'LedgerFactory',
  'LedgerUnderTest',
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

/** Tested elsewhere, because they need more than one session or have rules of their own. */
const ELSEWHERE: Record<string, string> = {
  AttemptAgent: 'awaited: the attempt rejects with its error',
  'AttemptTurnInput.onMessage': 'awaited: the attempt rejects with its error, like that of the agent',
  EngineAgent: 'awaited: the attempt rejects with its error, and the engine tries again',
  'EngineOptions.onMessage': 'awaited, as in AttemptTurnInput: packages/engines/test/engine-messages.test.ts',
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
  'CallRecords.watch': 'only a hint to load again: packages/core/test/verbs/conversation/completion',
  'HarnessCallOptions.onPending': 'fails the test that gave it: packages/testing/test/agent',
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
  'ResultParser.parse': 'its caller awaits it: packages/core/test/answer/mcp/handler-extra.test.ts',
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
  'ClusterTelemetryOptions.health': 'guarded like stats: packages/otel/src/cluster/cluster-numbers.ts',
  'ConversationClientOptions.start':
    'its caller awaits it: packages/engines/test/temporal/conversation-client.test.ts',
  'HealthSubject.health': 'packages/core/test/health/serve-health.test.ts',
  'HealthSubject.metrics': 'packages/core/test/health/serve-health.test.ts',
  'RetentionRun.keepOn': 'its caller awaits it: test/services/postgres/retention.test.ts',
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
