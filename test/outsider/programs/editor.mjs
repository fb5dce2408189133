// The agent in an editor, from the packed package: without the protocol's library the error says what to install, with it a
// prompt is answered and a tool called.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { AcpError, serveAcp } from 'inboard/acp';

const acp = await import('@agentclientprotocol/sdk').catch(() => undefined);
const command = join(import.meta.dirname, 'node_modules', 'inboard', 'dist', 'cli', 'main.js');

if (acp === undefined) {
  const served = serveAcp({ input: new PassThrough(), output: new PassThrough() });
  await assert.rejects(served, (error) => {
    assert.ok(error instanceof AcpError);
    assert.equal(error.code, 'ACP_LIBRARY_MISSING');
    assert.match(error.message, /npm install @agentclientprotocol\/sdk@\^2\.4\.0 zod/);
    return true;
  });
} else {
  const child = spawn(
    process.execPath,
    [command, 'acp', 'shop-tools.mjs', '--offline-script', 'shop-script.mjs'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  let text = '';
  const { agent } = acp
    .client({ name: 'outsider' })
    .onRequest(acp.methods.client.session.requestPermission, () => ({
      outcome: { outcome: 'selected', optionId: 'allow' },
    }))
    .onNotification(acp.methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk') text += update.content.text;
    })
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  await agent.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request(acp.methods.agent.session.new, {
    cwd: import.meta.dirname,
    mcpServers: [],
  });
  const prompt = [{ type: 'text', text: 'How many?' }];
  const answer = await agent.request(acp.methods.agent.session.prompt, { sessionId, prompt });
  assert.deepEqual(answer, { stopReason: 'end_turn' });
  assert.match(text, /seven apples/);
  child.stdin.end();
  assert.deepEqual(await exited, [0, null]);
}
