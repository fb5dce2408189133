// The door `inboard/testing`: a fake CLI, a scripted model and a home for the real one, tools by themselves, and
// transports that are held to their rules or broken on purpose.
export type { ScriptAnswer, ScriptContext } from '../testing/script/script-context.js';
export { gate, type Gate } from '../testing/script/gate.js';
export { createIsolatedEnvironment } from '../testing/isolated-environment.js';
export type { IsolatedEnvironment, IsolatedEnvironmentOptions } from '../testing/isolated-environment.js';
export { startOffline } from '../testing/offline.js';
export type { Offline, OfflineOptions } from '../testing/offline.js';
export type { OtherAnswer, ScriptedModelOptions } from '../testing/scripted-model/model-answers.js';
export {
  apiError,
  block,
  cut,
  delayed,
  held,
  reply,
  structuredOutput,
  text,
  thinking,
  toolUse,
  type ApiErrorFacts,
  type Cut,
  type Hold,
  type MessageReply,
  type RawReply,
  type Reply,
  type ReplyBlock,
  type ReplyUsage,
  type Step,
  type StreamPoint,
  type ToolUseBlock,
  type ToolUseOptions,
} from '../testing/script/reply.js';
export type {
  ModelContext,
  ModelRequest,
  RequestBlock,
  RequestBody,
  RequestKind,
  RequestMessage,
  RequestOutcome,
  RequestToolResult,
} from '../testing/scripted-model/model-request.js';
export type { Conversation, RequestMatcher } from '../testing/scripted-model/model-script.js';
export type { OptionalStoreMethod } from '../testing/conformance/session-store-check.js';
export { describeSessionStore, sessionStoreCases } from '../testing/conformance/session-store-conformance.js';
export type {
  DescribeSessionStoreOptions,
  SessionStoreCase,
  StoreFactory,
  TestRunner,
} from '../testing/conformance/session-store-conformance.js';
export { callRecordsCases, describeCallRecords } from '../testing/conformance/call-records-conformance.js';
export type { CallRecordsCase, CallRecordsFactory } from '../testing/conformance/call-records-conformance.js';
export type { CallRecordsUnderTest } from '../testing/conformance/call-records-check.js';
export { describeDispatcher, dispatcherCases } from '../testing/conformance/dispatcher-conformance.js';
export type {
  DescribeDispatcherOptions,
  DispatcherCase,
  DispatcherFactory,
} from '../testing/conformance/dispatcher-conformance.js';
export { checkHistory } from '../cluster/journal/check-history.js';
export type {
  CheckedPromise,
  HistoryExpectation,
  Violation,
} from '../cluster/journal/checks/history-rule.js';
export { describeJournal, journalCases } from '../testing/conformance/journal/journal-conformance.js';
export type { JournalCase, JournalFactory } from '../testing/conformance/journal/journal-conformance.js';
export type { JournalUnderTest } from '../testing/conformance/journal/journal-check.js';
export { startScriptedModel, type ScriptedModel } from '../testing/scripted-model/scripted-model.js';
export { callTool, createToolHarness } from '../testing/agent/tool-harness.js';
export type {
  BenchTool,
  HarnessCallOptions,
  HarnessOutcome,
  HarnessTarget,
  ListedTool,
  ToolHarness,
  ToolHarnessOptions,
} from '../testing/agent/tool-harness.js';
export { trajectoryOf, TrajectoryRecorder } from '../testing/agent/trajectory.js';
export type {
  Trajectory,
  TrajectoryHook,
  TrajectoryPermission,
  TrajectoryToolCall,
  TrajectoryTurn,
} from '../testing/agent/trajectory.js';
export { assertTrajectory, trajectoryMatchers } from '../testing/agent/trajectory-matchers.js';
export type {
  CallPattern,
  InputPattern,
  MatcherVerdict,
  ToolPattern,
  TrajectoryMatchers,
} from '../testing/agent/trajectory-matchers.js';
export { createFakeCli } from '../testing/fake-cli/fake-cli.js';
export type {
  FakeCli,
  FakeCliOptions,
  FakeCliRequest,
  FakeCliSession,
} from '../testing/fake-cli/fake-cli.js';
export type { ControlAnswers, FakeLogEntry } from '../testing/fake-cli/run-state.js';
export { expectEnd, expectLine, refuse, respond } from '../testing/fake-cli/script/build-by-hand.js';
export {
  closeInput,
  closeOutput,
  crash,
  garbage,
  holdAnswers,
  hugeLine,
  ignore,
  inChunks,
  raw,
  readOn,
  releaseAnswers,
  repeat,
  stall,
  stderr,
  stopReading,
} from '../testing/fake-cli/script/build-faults.js';
export type {
  FakeContext,
  FakeScript,
  FakeScriptItem,
  FakeSessionStart,
  FakeStep,
  LineMatcher,
  PromptMatcher,
  RequestTest,
  TaskStart,
  ToolAnswer,
  ToolCall,
  ToolCallOptions,
  TurnEnd,
  Until,
} from '../testing/fake-cli/script/fake-step.js';
export {
  ask,
  askPermission,
  compact,
  elicit,
  endTurn,
  expectControl,
  expectPrompt,
  finishTask,
  fireHook,
  say,
  send,
  startTask,
  think,
  useTool,
  useTools,
} from '../testing/fake-cli/script/build-steps.js';
export type { PeerManner, TransportPeer } from '../testing/conformance/transport-check.js';
export { describeTransport, transportCases } from '../testing/conformance/transport-conformance.js';
export type { ConformanceFactory, TransportCase } from '../testing/conformance/transport-conformance.js';
export type { ChaosFault, ChaosRates } from '../testing/chaos/chaos-lane.js';
export { chaosTransport } from '../testing/chaos/chaos-transport.js';
export type { ChaosEvent, ChaosLog, ChaosOptions } from '../testing/chaos/chaos-transport.js';
export { createMemoryTransport } from '../wire/transport/memory-transport.js';
export type {
  MemoryPeer,
  MemoryTransport,
  MemoryTransportOptions,
} from '../wire/transport/memory-transport.js';
export type {
  RestoredFiles,
  TerminateOptions,
  Transport,
  TransportEnd,
  TransportFactory,
  TransportReceiver,
  TransportRequest,
} from '../wire/transport/transport.js';
export { ScriptMismatchError } from '../errors.js';
export type { WireObject } from '../wire/protocol/codec.js';
export type { EndSignal } from '../wire/process/run/child.js';
export type { ToolWarning } from '../answer/mcp/tool/tool-events.js';
