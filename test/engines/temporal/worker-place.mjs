// A place where workflows run: the stand-in for a server, a worker of the real SDK with activities that a test writes, and a client.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { conversationClient } from 'inboard/temporal';
import { fileURLToPath } from 'node:url';
import { startStandIn } from './stand-in-server.mjs';

export const logger = new DefaultLogger('ERROR');
Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });

let bundle;
/** The code of the workflows as Temporal runs it. It is made once. */
export function bundleWorkflows() {
  bundle ??= bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows.mjs', import.meta.url)),
    logger,
  });
  return bundle;
}

const TASK_QUEUE = 'agents';
const { History } = proto.temporal.api.history.v1;

/** Runs the code of the workflows against a history. Rejects if it would do something else than the history says. */
export async function replay(history) {
  const workflowBundle = await bundleWorkflows();
  const { workflowId } = history.events[0].workflowExecutionStartedEventAttributes;
  await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
}

/** A history as text without what differs from machine to machine, and back. */
function toText(events) {
  const hidden = { identity: 'worker', stackTrace: '' };
  const facts = History.toObject(History.fromObject({ events }), {
    bytes: String,
    longs: Number,
    enums: String,
  });
  return `${JSON.stringify(facts, (key, value) => hidden[key] ?? value, 2)}\n`;
}
export const readHistory = (text) => History.fromObject(JSON.parse(text));

/**
 * Runs `play` with a worker whose attempts `attempt` makes. All histories are replayed afterwards: the workflows are deterministic. If
 * `INBOARD_RECORD_HISTORIES` names a folder, those of a `scene` are written there. `breakCode` changes the code of the workflows until
 * `play` calls `mend()`, which puts another worker in place. Without `isCached`, every task replays its workflow from the beginning; with it,
 * workflows stay in memory, as they do by default.
 */
export async function withWorker(
  {
    attempt,
    suggestNewRunAfter,
    conversations: options,
    scene,
    isCached = false,
    breakCode = (code) => code,
  },
  play,
) {
  const server = await startStandIn({ suggestNewRunAfter });
  const { code } = await bundleWorkflows();
  const native = await NativeConnection.connect({ address: server.address });
  const startWorker = async (ownCode) => {
    const worker = await Worker.create({
      connection: native,
      taskQueue: TASK_QUEUE,
      workflowBundle: { code: ownCode },
      maxCachedWorkflows: isCached ? 50 : 0,
      maxHeartbeatThrottleInterval: '100 ms',
      shutdownGraceTime: '100 ms',
      activities: { inboardAttempt: attempt },
    });
    return { worker, running: worker.run() };
  };
  let current = await startWorker(breakCode(code));
  const stopWorker = async () => {
    current.worker.shutdown();
    await current.running;
  };
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection });
  const attempts = {
    heartbeatTimeout: '5 seconds',
    retry: { initialInterval: '1 second', maximumAttempts: 3 },
  };
  const conversations = conversationClient({ client, taskQueue: TASK_QUEUE, attempts, ...options });
  const mend = async () => {
    await stopWorker();
    current = await startWorker(code);
  };
  try {
    await play({ client, conversations, server, mend, taskQueue: TASK_QUEUE });
    for (const events of server.histories()) await replay({ events });
    const folder = process.env.INBOARD_RECORD_HISTORIES;
    if (folder && scene)
      for (const [at, events] of server.histories().entries())
        writeFileSync(join(folder, `${scene}-${at + 1}.json`), toText(events));
  } finally {
    await stopWorker();
    await connection.close();
    await native.close();
    server.close();
  }
}
