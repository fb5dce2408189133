// The classes of Inboard's errors. Each error has a stable `code`, the facts as fields, the cause, and a message that says
// what was wrong, where, and what to do. The files of errors import only each other. `errors/error-guide` says when each
// error is thrown, and what to do then.
export { InboardError } from './errors/base.js';
export type { ErrorFacts, ErrorPhase, OtherFailure } from './errors/base.js';
export { InvalidOptionsError, UnsupportedOptionError, SchemaError } from './errors/option-errors.js';
export { ExecutableNotFoundError, LaunchError, HandshakeError, ClaimError } from './errors/launch-errors.js';
export type { LaunchFailure, ClaimRefusal } from './errors/launch-errors.js';
export { PartLoadError } from './errors/load-errors.js';
export type { LoadFault } from './errors/load-errors.js';
export {
  AbortError,
  ProcessExitError,
  IncompleteRunError,
  WireError,
  SessionClosedError,
  StalledError,
  TurnLostError,
  MessageIgnoredError,
} from './errors/session-errors.js';
export type { WireFault } from './errors/session-errors.js';
export { ControlRequestError, ControlTimeoutError } from './errors/control-errors.js';
export { ResultError, RunError, OutputValidationError } from './errors/result-errors.js';
export type { RunFailure, OutputIssue } from './errors/result-errors.js';
export {
  ToolServerNotFoundError,
  ToolTimeoutError,
  ToolResultError,
  ToolsNotReadyError,
  HookError,
  PermissionUnavailableError,
} from './errors/answer-errors.js';
export type { HookFault } from './errors/answer-errors.js';
export {
  SessionNotFoundError,
  SessionStoreError,
  CallError,
  StoredFormatError,
  TraceError,
  ReplayError,
  ScriptMismatchError,
} from './errors/record-errors.js';
export type { CallFault, TraceFault } from './errors/record-errors.js';
export { InspectorError, AcpError, HealthError } from './errors/serving-errors.js';
export type { AcpFault, HealthFault, InspectorFault } from './errors/serving-errors.js';
export { LeaseLostError, ClusterError, RemoteError, TemporalError } from './errors/cluster-errors.js';
export type { ClusterFault, LeaseLoss, RemoteFault, TemporalFault } from './errors/cluster-errors.js';
