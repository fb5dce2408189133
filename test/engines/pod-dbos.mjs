// A worker of DBOS: `dbosTurns` of inboard/dbos.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { dbosTurns } from 'inboard/dbos';
import { createAgent, openLedger, plan, tell, tellMessage } from './pod-parts.mjs';

await dbosTurns({
  agents: { shop: createAgent() },
  ledger: openLedger(),
  onMessage: tellMessage,
  suspendAfterMs: plan.suspendAfterMs,
  pollMs: 100,
});
DBOS.setConfig({
  name: 'engines',
  systemDatabaseUrl: plan.database,
  // The name that a supervisor gives a process again when it restarts it.
  executorID: plan.name,
  applicationVersion: '1',
  logLevel: 'warn',
});
await DBOS.launch();
tell({ ready: process.pid });
