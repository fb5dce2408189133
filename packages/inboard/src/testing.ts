// The entry point `inboard/testing`: a fake CLI, a scripted model and an isolated environment for the real CLI, a harness that
// calls tools without a model, conformance cases for your own stores, journals and transports, and a transport that fails on
// purpose.
export type { ScriptAnswer, ScriptContext } from '@inboard/testing/script/script-context.js';
export { gate, type Gate } from '@inboard/testing/script/gate.js';
export { createIsolatedEnvironment } from '@inboard/testing/isolated-environment.js';
export type {
  IsolatedEnvironment,
  IsolatedEnvironmentOptions,
} from '@inboard/testing/isolated-environment.js';
export { startOffline } from '@inboard/testing/offline.js';
export type { Offline, OfflineOptions } from '@inboard/testing/offline.js';
export type { OtherAnswer, ScriptedModelOptions } from '@inboard/testing/scripted-model/model-answers.js';
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
} from '@inboard/testing/script/reply.js';
export type {
  ModelContext,
  ModelRequest,
  RequestBlock,
  RequestBody,
  RequestKind,
  RequestMessage,
  RequestOutcome,
  RequestToolResult,
} from '@inboard/testing/scripted-model/model-request.js';
export type { Conversation, RequestMatcher } from '@inboard/testing/scripted-model/model-script.js';
export type { OptionalStoreMethod } from '@inboard/testing/conformance/session-store-check.js';
export {
  describeSessionStore,
  sessionStoreCases,
} from '@inboard/testing/conformance/session-store-conformance.js';
export type {
  DescribeSessionStoreOptions,
  SessionStoreCase,
  StoreFactory,
  TestRunner,
} from '@inboard/testing/conformance/session-store-conformance.js';
export {
  callRecordsCases,
  describeCallRecords,
} from '@inboard/testing/conformance/call-records-conformance.js';
export type {
  CallRecordsCase,
  CallRecordsFactory,
} from '@inboard/testing/conformance/call-records-conformance.js';
export type { CallRecordsUnderTest } from '@inboard/testing/conformance/call-records-check.js';
export { describeLedger, ledgerCases } from '@inboard/testing/conformance/ledger/ledger-conformance.js';
export type {
  DescribeLedgerOptions,
  LedgerCase,
  LedgerFactory,
} from '@inboard/testing/conformance/ledger/ledger-conformance.js';
export type { LedgerUnderTest } from '@inboard/testing/conformance/ledger/ledger-check.js';
export { describeDispatcher, dispatcherCases } from '@inboard/testing/conformance/dispatcher-conformance.js';
export type {
  DescribeDispatcherOptions,
  DispatcherCase,
  DispatcherFactory,
} from '@inboard/testing/conformance/dispatcher-conformance.js';
export { checkHistory } from '@inboard/cluster/journal/check-history.js';
export type {
  CheckedPromise,
  HistoryExpectation,
  Violation,
} from '@inboard/cluster/journal/checks/history-rule.js';
export { describeJournal, journalCases } from '@inboard/testing/conformance/journal/journal-conformance.js';
export type {
  JournalCase,
  JournalFactory,
} from '@inboard/testing/conformance/journal/journal-conformance.js';
export type { JournalUnderTest } from '@inboard/testing/conformance/journal/journal-check.js';
export { startScriptedModel, type ScriptedModel } from '@inboard/testing/scripted-model/scripted-model.js';
export { callTool, createToolHarness } from '@inboard/testing/agent/tool-harness.js';
export type {
  BenchTool,
  HarnessCallOptions,
  HarnessTarget,
  ListedTool,
  ToolHarness,
  ToolHarnessOptions,
} from '@inboard/testing/agent/tool-harness.js';
export type { HarnessOutcome } from '@inboard/testing/agent/harness-outcome.js';
export type { HarnessPending } from '@inboard/testing/agent/harness-pending.js';
export { trajectoryOf, TrajectoryRecorder } from '@inboard/testing/agent/trajectory.js';
export type {
  Trajectory,
  TrajectoryHook,
  TrajectoryPermission,
  TrajectoryToolCall,
  TrajectoryTurn,
} from '@inboard/testing/agent/trajectory.js';
export { assertTrajectory, trajectoryMatchers } from '@inboard/testing/agent/trajectory-matchers.js';
export type {
  CallPattern,
  InputPattern,
  MatcherVerdict,
  ToolPattern,
  TrajectoryMatchers,
} from '@inboard/testing/agent/trajectory-matchers.js';
export { createFakeCli } from '@inboard/testing/fake-cli/fake-cli.js';
export type {
  FakeCli,
  FakeCliOptions,
  FakeCliRequest,
  FakeCliSession,
} from '@inboard/testing/fake-cli/fake-cli.js';
export type { ControlAnswers, FakeLogEntry } from '@inboard/testing/fake-cli/run-state.js';
export { expectEnd, expectLine, refuse, respond } from '@inboard/testing/fake-cli/script/build-by-hand.js';
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
} from '@inboard/testing/fake-cli/script/build-faults.js';
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
} from '@inboard/testing/fake-cli/script/fake-step.js';
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
  send,
  startTask,
} from '@inboard/testing/fake-cli/script/build-steps.js';
export type { PeerManner, TransportPeer } from '@inboard/testing/conformance/transport-check.js';
export { describeTransport, transportCases } from '@inboard/testing/conformance/transport-conformance.js';
export type {
  ConformanceFactory,
  TransportCase,
} from '@inboard/testing/conformance/transport-conformance.js';
export type { ChaosFault, ChaosRates } from '@inboard/testing/chaos/chaos-lane.js';
export { chaosTransport } from '@inboard/testing/chaos/chaos-transport.js';
export type { ChaosEvent, ChaosLog, ChaosOptions } from '@inboard/testing/chaos/chaos-transport.js';
export { createMemoryTransport } from '@inboard/core/wire/transport/memory-transport.js';
export type {
  MemoryPeer,
  MemoryTransport,
  MemoryTransportOptions,
} from '@inboard/core/wire/transport/memory-transport.js';
export type {
  RestoredFiles,
  TerminateOptions,
  Transport,
  TransportEnd,
  TransportFactory,
  TransportReceiver,
  TransportRequest,
} from '@inboard/core/wire/transport/transport.js';
export { ScriptMismatchError } from '@inboard/core/errors.js';
export type { WireObject } from '@inboard/core/wire/protocol/codec.js';
export type { EndSignal } from '@inboard/core/wire/process/run/child.js';
export type { ToolWarning } from '@inboard/core/answer/mcp/tool/tool-events.js';
