// The door `inboard/testing`: a fake CLI, a scripted model and a home for the real one, tools by themselves, and
// transports that are held to their rules or broken on purpose.
export { gate } from './gate.js';
export type { Gate } from './gate.js';
export { createIsolatedEnvironment } from './isolated-environment.js';
export type { IsolatedEnvironment, IsolatedEnvironmentOptions } from './isolated-environment.js';
export type { OtherAnswer, ScriptedModelOptions } from './model-answers.js';
export { apiError, block, cut, delayed, held, reply, text, thinking, toolUse } from './model-reply.js';
export type {
  ApiErrorFacts,
  Cut,
  Hold,
  MessageReply,
  RawReply,
  Reply,
  ReplyBlock,
  ReplyUsage,
  Step,
  StreamPoint,
} from './model-reply.js';
export type {
  ModelRequest,
  RequestBlock,
  RequestBody,
  RequestKind,
  RequestMessage,
  RequestOutcome,
  RequestToolResult,
} from './model-request.js';
export type { Conversation, RequestMatcher } from './model-script.js';
export type { OptionalStoreMethod } from './session-store-check.js';
export { describeSessionStore, sessionStoreCases } from './session-store-conformance.js';
export type {
  DescribeSessionStoreOptions,
  SessionStoreCase,
  StoreFactory,
  TestRunner,
} from './session-store-conformance.js';
export { startScriptedModel } from './scripted-model.js';
export type { ScriptedModel } from './scripted-model.js';
export { callTool, createToolHarness } from './tool-harness.js';
export type {
  BenchTool,
  HarnessCallOptions,
  HarnessOutcome,
  HarnessTarget,
  ListedTool,
  ToolHarness,
  ToolHarnessOptions,
} from './tool-harness.js';
export { trajectoryOf, TrajectoryRecorder } from './trajectory.js';
export type {
  Trajectory,
  TrajectoryHook,
  TrajectoryPermission,
  TrajectoryToolCall,
  TrajectoryTurn,
} from './trajectory.js';
export { assertTrajectory, trajectoryMatchers } from './trajectory-matchers.js';
export type {
  CallPattern,
  InputPattern,
  MatcherVerdict,
  ToolPattern,
  TrajectoryMatchers,
} from './trajectory-matchers.js';
export { createFakeCli } from './fake-cli.js';
export type { FakeCli, FakeCliOptions, FakeCliRequest, FakeCliSession } from './fake-cli.js';
export type { ControlAnswers } from './fake-controls.js';
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
} from './fake-faults.js';
export type { FakeLogEntry } from './fake-manners.js';
export type {
  FakeContext,
  FakeScript,
  FakeScriptItem,
  FakeSessionStart,
  FakeStep,
  PromptMatcher,
  RequestTest,
  TaskStart,
  ToolAnswer,
  ToolCall,
  ToolCallOptions,
  TurnEnd,
  Until,
} from './fake-step.js';
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
} from './fake-words.js';
export type { PeerManner, TransportPeer } from './transport-check.js';
export { describeTransport, transportCases } from './transport-conformance.js';
export type { ConformanceFactory, TransportCase } from './transport-conformance.js';
export type { ChaosFault, ChaosRates } from './chaos-lane.js';
export { chaosTransport } from './chaos-transport.js';
export type { ChaosEvent, ChaosLog, ChaosOptions } from './chaos-transport.js';
export { createMemoryTransport } from '../transport/memory-transport.js';
export type { MemoryPeer, MemoryTransport, MemoryTransportOptions } from '../transport/memory-transport.js';
export type {
  TerminateOptions,
  Transport,
  TransportEnd,
  TransportFactory,
  TransportReceiver,
  TransportRequest,
} from '../transport/transport.js';
