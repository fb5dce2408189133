// Conversations on workers: the same program as on many machines, with everything in memory. A web process and a worker in one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allow, createSdkMcpServer, deny, tool } from 'inboard';
import { getClusterCall, createCluster } from 'inboard/cluster';
import { createFakeCli, text, toolUse } from 'inboard/testing';

const home = mkdtempSync(join(tmpdir(), 'support-desk-'));
const paid = new Map();
const shop = createSdkMcpServer({
  name: 'shop',
  alwaysLoad: true,
  tools: [
    tool({
      name: 'refund',
      description: 'Pays an order back',
      inputSchema: { order: 'string' },
      onRepeat: 'recorded',
      run: ({ order }) => {
        paid.set(getClusterCall().callKey, order);
        return `paid back ${order}`;
      },
    }),
  ],
});
const scripts = {
  Ann: [toolUse('mcp__shop__refund', { order: '17' }), text('Your money is on its way, Ann.')],
  Bob: [toolUse('mcp__shop__refund', { order: '99' }), ({ answer }) => text(answer.text)],
};
const cluster = createCluster({
  agents: {
    support: ({ data }) => ({
      systemPrompt: `You help ${data.name}.`,
      mcpServers: { shop },
      env: { ...process.env, CLAUDE_CONFIG_DIR: home },
      transport: createFakeCli(scripts[data.name], { allowEarlyEnd: true }).transport,
    }),
  },
  budgets: { tenant: { usd: 5, days: 1 } },
});
const worker = await cluster.work({ concurrency: 8 });

const chats = Object.keys(scripts).map((name) =>
  cluster.conversation(`chat-${name}`, { agent: 'support', data: { name }, tenant: 'acme' }),
);
const turns = await Promise.all(chats.map((chat) => chat.send('My money, please.', { id: 'first' })));
// Sent twice is sent once.
await chats[0].send('My money, please.', { id: 'first' });

const seen = [];
for await (const { id, conversation, toolName } of cluster.approvals.watch()) {
  assert.equal(toolName, 'mcp__shop__refund');
  const answer = conversation === 'chat-Ann' ? allow() : deny('Not this one.');
  assert.equal(await cluster.approvals.answer(id, answer, 'the clerk'), true);
  assert.equal(await cluster.approvals.answer(id, allow()), false);
  if (seen.push(conversation) === 2) break;
}
const outcomes = await Promise.all(turns.map((turn) => turn.outcome()));
assert.equal(outcomes[0].text, 'Your money is on its way, Ann.');
assert.match(outcomes[1].text, /Not this one/);
assert.deepEqual([...paid.values()], ['17']);
assert.equal((await chats[0].turns()).length, 1);

// As a page does that comes back with the header Last-Event-ID.
const all = [];
for await (const event of chats[0].events()) {
  all.push(event);
  if (event.type === 'turn' && event.state === 'ended') break;
}
const middle = String(all[2].id);
const rest = [];
for await (const event of chats[0].events({ after: middle })) {
  rest.push(event);
  if (event.id === all.at(-1).id) break;
}
assert.deepEqual([...all.slice(0, 3), ...rest], all);

assert.throws(() => cluster.conversation('x', { agent: 'suport' }), /Did you mean "support"\?/);
assert.throws(
  () => cluster.conversation('x', { agent: 'support', data: { at: new Date() } }),
  /"data\.at" is a Date/,
);
await assert.rejects(cluster.conversation('x').send('Hello'), { code: 'CONVERSATION_UNKNOWN' });

const { turns: count, workers } = await cluster.stats();
assert.deepEqual([count.ended, workers[0].name], [2, worker.name]);
const { conversations } = await cluster.forget({
  tenant: 'acme',
  local: { env: { CLAUDE_CONFIG_DIR: home } },
});
assert.deepEqual(conversations, ['chat-Ann', 'chat-Bob']);
// Ends worker, readers, journal and dispatcher: nothing keeps this process alive.
await cluster.close();
rmSync(home, { recursive: true, force: true });
