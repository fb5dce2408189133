// The entry point `inboard/cluster`: conversations that many processes share. The journal is the only record of their state.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { createCluster } from '@inboard/cluster/create-cluster.js';
export type {
  AgentData,
  Cluster,
  ClusterApprovalFilter,
  ClusterApprovals,
  ClusterAuditFilter,
  ClusterCalls,
  ClusterCompleteOptions,
  ClusterConversation,
  ClusterEventsOptions,
  ClusterInput,
  ClusterSendOptions,
  ClusterStats,
  ClusterTrouble,
  ConversationStart,
  ForgetChoice,
  ForgottenData,
  PruneOptions,
  SentTurn,
} from '@inboard/cluster/cluster.js';
export type { ClusterPendingCall, StepOutcome } from '@inboard/cluster/step-outcome.js';
export type { Budget, Budgets } from '@inboard/cluster/limits/budgets.js';
export { formatWorkerEvent } from '@inboard/cluster/work/host/format-worker-event.js';
export { getClusterCall, type ClusterCall } from '@inboard/cluster/work/session/cluster-call.js';
export { createHealthHandler } from '@inboard/core/health/health-handler.js';
export type { HealthHandler, HealthHandlerOptions } from '@inboard/core/health/health-handler.js';
export { serveHealth } from '@inboard/core/health/serve-health.js';
export type { HealthServer, ServeHealthOptions } from '@inboard/core/health/serve-health.js';
export type {
  HealthCheck,
  HealthOptions,
  HealthReport,
  HealthSubject,
} from '@inboard/core/health/health-report.js';
export { ClusterError, HealthError, LeaseLostError } from '@inboard/core/errors.js';
export type { ClusterFault, HealthFault, LeaseLoss } from '@inboard/core/errors.js';
export type {
  BudgetLimit,
  ConversationFilter,
  DueConversation,
  FinishedTurn,
  Journal,
  JournalChange,
  LeaseAnswer,
  LeftTurn,
  NewTurn,
  QuestionFilter,
  RenewedLease,
  ReservationAnswer,
  ReservationRequest,
  TenantScope,
  TurnFinish,
} from '@inboard/cluster/journal/journal.js';
export type {
  RetentionKind,
  RetentionOptions,
  RetentionPolicy,
  RetentionReport,
  RetentionRun,
} from '@inboard/cluster/journal/retention.js';
export type { Caller, CallerScope } from '@inboard/cluster/journal/filters.js';
export type {
  AuditedDeed,
  AuditEntry,
  AuditFilter,
  AuditPage,
} from '@inboard/cluster/journal/audit-entry.js';
export type {
  JournalAnswer,
  JournalQuestion,
  NewJournalQuestion,
  PendingFacts,
} from '@inboard/cluster/journal/journal-question.js';
export type {
  CallRecord,
  ClusterApproval,
  ClusterEvent,
  ClusterEventBody,
  ClusterTurnState,
  ConversationFacts,
  ConversationFailure,
  ConversationHistory,
  ConversationRecord,
  ConversationState,
  Fence,
  JournalStats,
  Json,
  KnownCall,
  LeaseHistory,
  NewClusterEvent,
  Pause,
  TurnOutcome,
  TurnRecord,
  TurnWait,
  WorkerRecord,
} from '@inboard/cluster/journal/records.js';
export { memoryJournal, type MemoryJournalOptions } from '@inboard/cluster/journal/memory/memory-journal.js';
export type {
  Dispatcher,
  DispatcherWork,
  WakeHandler,
  WakeOptions,
  WorkSettings,
} from '@inboard/cluster/dispatch/dispatcher.js';
export { memoryDispatcher } from '@inboard/cluster/dispatch/memory-dispatcher.js';
export type { Agent, AgentConversation, Agents } from '@inboard/cluster/work/host/agents.js';
export type {
  ClusterWorker,
  StepObstacle,
  SteppedTurn,
  StepOptions,
  WorkerStats,
  WorkOptions,
} from '@inboard/cluster/work/host/work-options.js';
export type { WorkerEvent } from '@inboard/cluster/work/host/worker-event.js';
export type { ClusterTelemetry } from '@inboard/cluster/work/host/host-parts.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
