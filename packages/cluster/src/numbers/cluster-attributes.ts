// The names of the attributes of a cluster's spans and metrics. They follow the messaging and GenAI conventions of
// OpenTelemetry. A name that the conventions lack begins with `inboard.`. All names are in one file because the conventions
// change.

/**
 * The one destination of all turns of a cluster. With a destination for each conversation, there would be as many span names as
 * conversations.
 */
export const DESTINATION = 'conversations';

export const MESSAGING = {
  system: 'messaging.system',
  operation: 'messaging.operation.name',
  operationType: 'messaging.operation.type',
  destination: 'messaging.destination.name',
  messageId: 'messaging.message.id',
  conversation: 'messaging.message.conversation_id',
} as const;

export const CLUSTER_ATTRIBUTE = {
  errorType: 'error.type',
  tenant: 'inboard.tenant',
  agent: 'gen_ai.agent.name',
  session: 'gen_ai.conversation.id',
  attempt: 'inboard.turn.attempt',
  place: 'inboard.turn.place',
  how: 'inboard.turn.how',
  kind: 'inboard.turn.kind',
  left: 'inboard.turn.left',
  queueMs: 'inboard.turn.queue_ms',
  costUsd: 'inboard.turn.cost_usd',
  worker: 'inboard.worker',
  epoch: 'inboard.lease.epoch',
  why: 'inboard.why',
  answer: 'inboard.answer',
  toolName: 'gen_ai.tool.name',
  where: 'inboard.where',
  state: 'inboard.state',
  scope: 'inboard.scope',
  check: 'inboard.check',
} as const;
