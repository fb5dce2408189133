// A worker of Temporal: the workflow of a conversation and its attempts, on one task queue.
import { NativeConnection, Runtime, Worker, DefaultLogger } from '@temporalio/worker';
import { turnActivities } from 'inboard/temporal';
import { createAgent, openLedger, plan, tell, tellMessage } from './pod-parts.mjs';

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const { address, taskQueue, codePath, isStandIn } = plan.temporal;
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle: { codePath },
  // The stand-in for a server knows no sticky queues.
  ...(isStandIn && { maxCachedWorkflows: 0 }),
  maxHeartbeatThrottleInterval: '500 ms',
  activities: turnActivities({
    agents: { support: createAgent() },
    ledger: openLedger(),
    onMessage: tellMessage,
    suspendAfterMs: plan.suspendAfterMs,
    heartbeatMs: 300,
  }),
});
const running = worker.run();
tell({ ready: process.pid });
await running;
