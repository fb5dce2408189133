// A pod that serves conversations to Restate. It needs Node 22.
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { createEndpointHandler } from '@restatedev/restate-sdk';
import { conversations } from 'inboard/restate';
import { createAgent, openLedger, plan, tell, tellMessage } from './pod-parts.mjs';

const service = await conversations({
  agents: { support: createAgent() },
  ledger: openLedger(),
  onMessage: tellMessage,
  suspendAfterMs: plan.suspendAfterMs,
});
// serve() of the SDK would listen on all addresses of this machine.
const server = createServer(createEndpointHandler({ services: [service] })).listen(0, '127.0.0.1');
await once(server, 'listening');
tell({ ready: process.pid, port: server.address().port });
