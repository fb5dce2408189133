// The whole chat without an account and without a browser: the client of the page, the server, the agent. On a fake CLI, which
// takes milliseconds, and once on the real one with a scripted model.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createFakeCli, text, toolUse, type FakeScript } from 'inboard/testing';
import { readPast } from '../page/client.ts';
import { startScript } from '../src/model.ts';
import { openPage, startServer } from './support.ts';

const REFUND: FakeScript = [
  toolUse('mcp__shop__refund', { order: '1001', cents: 8400 }),
  ({ answer }) => text(`The answer: ${answer.text}`),
];

const startOnFake = (test: TestContext, script: FakeScript) =>
  startServer(test, () => ({ transport: createFakeCli(script, { allowEarlyEnd: true }).transport }));

it('looks an order up without asking', async (test) => {
  const server = await startOnFake(test, [
    toolUse('mcp__shop__find_order', { order: '1001' }),
    ({ answer }) => text(answer.text),
  ]);
  const page = openPage(server.api);
  await page.ask('Who ordered 1001?');
  assert.equal(page.chat.status, 'ready');
  assert.match(page.text(), /"customer":"Ines Moser"/);
});

it('pays back what a person agrees to, not what the model wrote', async (test) => {
  const server = await startOnFake(test, REFUND);
  const page = openPage(server.api);
  await page.ask('Pay it back.');
  assert.deepEqual(page.calls()[0]?.input, { order: '1001', cents: 8400 });
  assert.equal((await server.orders.find('1001')).paidBack, 0);
  await page.answer(page.question(), true, { input: { order: '1001', cents: 3000 } });
  assert.equal(page.text(), 'The answer: Paid back 3000 cents of order 1001.');
  assert.equal((await server.orders.find('1001')).paidBack, 3000);
});

it('does not let a person make it a refund of another order, and asks again', async (test) => {
  const server = await startOnFake(test, REFUND);
  const page = openPage(server.api);
  await page.ask('Pay it back.');
  const refused = page.refused();
  await page.decide(page.question(), true, { input: { order: '1002', cents: 500 } });
  assert.match(await refused, /must be about order 1001/);
  await page.answer(page.question(), true, { input: { order: '1001', cents: 500 } });
  assert.equal(page.text(), 'The answer: Paid back 500 cents of order 1001.');
  assert.equal((await server.orders.find('1002')).paidBack, 0);
});

it('lets a person lower a refund, but not raise it', async (test) => {
  const server = await startOnFake(test, [
    toolUse('mcp__shop__refund', { order: '1001', cents: 500 }),
    ({ answer }) => text(`The answer: ${answer.text}`),
  ]);
  const page = openPage(server.api);
  await page.ask('Pay 5 back.');
  const refused = page.refused();
  await page.decide(page.question(), true, { input: { order: '1001', cents: 8400 } });
  assert.match(await refused, /must be at most 500 cents/);
  await page.answer(page.question(), true, { input: { order: '1001', cents: 400 } });
  assert.equal((await server.orders.find('1001')).paidBack, 400);
});

it('pays nothing back when a person does not agree', async (test) => {
  const server = await startOnFake(test, REFUND);
  const page = openPage(server.api);
  await page.ask('Pay it back.');
  await page.answer(page.question(), false, { reason: 'She has it back already.' });
  assert.match(page.text(), /She has it back already\./);
  assert.equal(page.calls()[0]?.state, 'output-denied');
  assert.equal((await server.orders.find('1001')).paidBack, 0);
});

it('stops an answer that waits for a person', async (test) => {
  const server = await startOnFake(test, REFUND);
  const page = openPage(server.api);
  await page.ask('Pay it back.');
  await page.stop();
  const response = await fetch(`${server.api}/${page.chat.id}/approvals`);
  assert.deepEqual(((await response.json()) as { approvals: unknown[] }).approvals, []);
  assert.equal((await server.orders.find('1001')).paidBack, 0);
});

it('does the same on the real CLI', async (test) => {
  const script = await startScript();
  const server = await startServer(test, () => script.options, script.options);
  test.after(() => script.close());
  const page = openPage(server.api);
  await page.ask('Order 1002 arrived broken.');
  await page.answer(page.question(), true, { input: { order: '1002', cents: 500 } });
  assert.match(page.text(), /The answer: Paid back 500 cents of order 1002\.$/);
  // What a page shows that is loaded again.
  const past = await readPast(server.api, page.chat.id);
  assert.deepEqual(
    past.map(({ role }) => role),
    ['user', 'assistant'],
  );
});
