// People in the loop: one conversation waits for an approval that another process could give, and the next one has its place.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  allow,
  createApprovals,
  createFileApprovalStore,
  createSdkMcpServer,
  createSessionGroup,
  tool,
} from 'inboard';
import { createFakeCli, text, toolUse } from 'inboard/testing';

const folder = mkdtempSync(join(tmpdir(), 'approvals-'));
const approvals = createApprovals({ store: createFileApprovalStore(folder) });
const clerk = createApprovals({ store: createFileApprovalStore(folder) });

const refund = tool({
  name: 'refund',
  description: 'Pays an order back',
  inputSchema: { order: 'string' },
  waits: 'for-person',
  run: async ({ order }, extra) => {
    const { behavior } = await approvals.ask({ title: `Pay ${order} back?`, input: { order } }, extra);
    return `${order}: ${behavior}`;
  },
});
const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });
const waiting = [toolUse('mcp__shop__refund', { order: '7' }), ({ answer }) => text(answer.text)];
const fakes = { ann: createFakeCli(waiting), bob: createFakeCli([text('Good morning!')]) };

const group = createSessionGroup({ maxRunning: 1 });
const open = (key) =>
  group.open({
    key,
    options: { mcpServers: { shop }, allowedTools: [refund], transport: fakes[key].transport },
  });
const [ann, bob] = [open('ann'), open('bob')];

const answer = ann.send('Pay order 7 back.').text();
for await (const { id, title } of clerk.watch()) {
  assert.equal(title, 'Pay 7 back?');
  assert.equal(await bob.send('Good morning!').text(), 'Good morning!');
  assert.equal(await clerk.answer(id, allow(), { by: 'ann' }), true);
  assert.equal(await clerk.answer(id, allow()), false);
  break;
}
assert.equal(await answer, '7: allow');
await group.closeAll();
approvals.close();
clerk.close();
for (const fake of Object.values(fakes)) fake.verify();
rmSync(folder, { recursive: true });
