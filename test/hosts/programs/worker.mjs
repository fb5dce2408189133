// A query in a worker thread; then one that hangs in a tool, whose thread is terminated: its CLI must go, too.
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort as main, Worker, workerData } from 'node:worker_threads';
import { createSdkMcpServer, query, tool } from 'inboard';
import { ask } from './ask.mjs';

if (isMainThread) {
  const { result } = await nextMessage(start('ask'));
  const worker = start('hang');
  const { pid } = await nextMessage(worker);
  await worker.terminate();
  await isGone(pid);
  console.log(JSON.stringify(result));
} else if (workerData === 'ask') {
  tell({ result: await ask() });
} else {
  const hang = tool('double', 'Doubles a number', { n: 'number' }, () => {
    tell({ pid: session.pid });
    return new Promise(() => {});
  });
  const math = createSdkMcpServer({ name: 'math', tools: [hang] });
  const options = { settingSources: [], mcpServers: { math }, allowedTools: [math] };
  const session = query({ prompt: 'Double 21.', options });
  for await (const message of session) void message;
}

// A port of threads; the rule means windows.
function tell(message) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  main.postMessage(message);
}

function start(work) {
  return new Worker(new URL(import.meta.url), { workerData: work });
}

function nextMessage(worker) {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code} and said nothing`)));
  });
}

// An ended child of a terminated thread was seen to stay in the process table as a zombie (Node 20.20): that counts as gone.
async function isGone(pid) {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isRunning(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
