// `inboard/cluster/bullmq`: wakes by BullMQ, on Redis or PostgreSQL.
export { ClusterError } from '../errors.js';
export { bullmqDispatcher } from '../cluster/bullmq/bullmq-dispatcher.js';
export type { BullmqDispatcherOptions, BullmqServer } from '../cluster/bullmq/bullmq-options.js';
