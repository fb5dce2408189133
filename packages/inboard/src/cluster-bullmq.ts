// The entry point `inboard/cluster/bullmq`: a dispatcher that wakes workers through BullMQ, on Redis or PostgreSQL.
export { ClusterError } from '@inboard/core/errors.js';
export { bullmqDispatcher } from '@inboard/cluster/bullmq/bullmq-dispatcher.js';
export type { BullmqDispatcherOptions, BullmqServer } from '@inboard/cluster/bullmq/bullmq-options.js';
