// `inboard/cluster`: conversations over many processes, on a journal that holds the truth.
import { registerInspector } from '../live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { createCluster } from '../cluster/create-cluster.js';
export type {
  AgentData,
  Cluster,
  ClusterApprovalFilter,
  ClusterApprovals,
  ClusterConversation,
  ClusterEventsOptions,
  ClusterInput,
  ClusterSendOptions,
  ClusterStats,
  ClusterTrouble,
  ConversationStart,
  ForgetChoice,
  ForgottenData,
  SentTurn,
} from '../cluster/cluster.js';
export type { Budget, Budgets } from '../cluster/limits/budgets.js';
export { clusterCall, type ClusterCall } from '../cluster/work/cluster-call.js';
export { ClusterError, LeaseLostError } from '../errors.js';
export type { ClusterFault, LeaseLoss } from '../errors.js';
export type {
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
  TenantScope,
  TurnFinish,
} from '../cluster/journal/journal.js';
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
  WorkerRecord,
} from '../cluster/journal/records.js';
export { memoryJournal, type MemoryJournalOptions } from '../cluster/journal/memory/memory-journal.js';
export type {
  Dispatcher,
  DispatcherWork,
  WakeHandler,
  WakeOptions,
  WorkSettings,
} from '../cluster/dispatch/dispatcher.js';
export { memoryDispatcher } from '../cluster/dispatch/memory-dispatcher.js';
export type { Agent, AgentConversation, Agents } from '../cluster/work/agents.js';
export type {
  ClusterWorker,
  StepOptions,
  StepOutcome,
  WorkerStats,
  WorkOptions,
} from '../cluster/work/work-options.js';
export type { WorkerEvent } from '../cluster/work/worker-event.js';
export type { ClusterTelemetry } from '../cluster/work/host-parts.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
