// Everything in one process, for trying: `npm start`. Without an account, a script answers.
import { randomUUID } from 'node:crypto';
import { openApp } from './cluster.ts';
import { startHealth } from './health.ts';
import { createApi } from './http.ts';
import { createLog, logFatal } from './log.ts';
import { startModel } from './model.ts';
import { ACCOUNTS, readNumber, readText } from './settings.ts';

try {
  if (!ACCOUNTS.some((name) => readText(name)) && readText('REMOTE_HOST') === undefined)
    process.env['MODEL'] ??= 'script';
  const model = await startModel();
  const app = openApp(model.cli);
  const health = await startHealth(app.cluster);
  const token = randomUUID();
  const api = createApi({ cluster: app.cluster, people: new Map([[token, { name: 'you' }]]) });
  try {
    const worker = await app.cluster.work({ suspendAfterMs: 2000, onEvent: createLog() });
    const port = readNumber('PORT', 8080);
    await api.listen(port, '127.0.0.1');
    const curl = `curl -s -H 'authorization: Bearer ${token}'`;
    const url = `http://127.0.0.1:${port}`;
    if (readText('MODEL') === 'script')
      console.log('A script answers, whatever you ask. Set ANTHROPIC_API_KEY for a model.');
    console.log(`\nSend a message:
  ${curl} ${url}/conversations/chat-1/messages --json '{"id":"1","text":"Order 1001 is broken","name":"Bo"}'
Follow the conversation:\n  ${curl} -N ${url}/conversations/chat-1/events
A few seconds later, list what people are asked:\n  ${curl} ${url}/approvals
Answer (put in the id):\n  ${curl} ${url}/approvals/<id> --json '{"allow":true}'
Health: ${health.url}/readyz`);
    await worker.untilSignal();
  } finally {
    await api.close();
    await app.close();
    await model.close();
    await health.close();
  }
} catch (error) {
  logFatal(error);
}
