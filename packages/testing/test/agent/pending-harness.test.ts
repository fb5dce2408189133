// Pending calls on the bench: a test sees them and completes them.
import { expect, it } from 'vitest';
import { pending } from '@inboard/core/answer/mcp/result/pending.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { callTool, createToolHarness } from '../../src/agent/tool-harness.js';

const order = tool('order', 'Orders', { article: 'string' }, ({ article }) => pending({ note: article }));
const weigh = tool({
  name: 'weigh',
  description: 'Weighs',
  outputSchema: { grams: 'number' },
  run: () => pending(),
});

it('gives each pending call once, and the call its value', async () => {
  await using shop = createToolHarness([order, weigh]);
  const calling = shop.call('order', { article: 'apples' });
  const call = await shop.whenPending('order');
  expect([call.tool, call.note]).toEqual(['order', 'apples']);
  await call.complete({ parcel: 7 });
  const outcome = await calling;
  expect(outcome).toMatchObject({ ok: true, text: '{"parcel":7}' });
  expect(outcome.events.map(({ type }) => type)).toEqual(['start', 'pending', 'end']);
  await expect(call.complete('twice')).rejects.toMatchObject({ code: 'CALL_ENDED' });
});

it('checks the value by the output schema of the tool, and can fail', async () => {
  await using shop = createToolHarness([order, weigh]);
  const weighing = shop.call('weigh');
  const call = await shop.whenPending();
  await expect(call.complete({ grams: 'many' })).rejects.toMatchObject({ code: 'CALL_VALUE' });
  await call.complete({ grams: 5 });
  expect((await weighing).structured).toEqual({ grams: 5 });
  const again = shop.call('weigh');
  await (await shop.whenPending('weigh')).fail(new Error('The scale is broken'));
  expect(await again).toMatchObject({ ok: false, text: 'The scale is broken' });
});

it('refuses what comes after the call was cancelled', async () => {
  await using shop = createToolHarness([order]);
  const stop = new AbortController();
  const calling = shop.call('order', { article: 'pears' }, { signal: stop.signal });
  const call = await shop.whenPending();
  stop.abort();
  expect((await calling).ok).toBe(false);
  await expect(call.complete('late')).rejects.toMatchObject({ code: 'CALL_ENDED' });
});

it('completes the only call of callTool, or says that nothing does', async () => {
  const outcome = await callTool(
    order,
    { article: 'nuts' },
    { onPending: (call) => call.complete(call.note) },
  );
  expect(outcome).toMatchObject({ ok: true, text: 'nuts' });
  const left = await callTool(order, { article: 'nuts' });
  expect(left.ok).toBe(false);
  expect(left.text).toContain('onPending');
});

it('ends the wait for a call that never comes when the harness is closed', async () => {
  const shop = createToolHarness([order]);
  const waiting = shop.whenPending();
  await shop.close();
  await expect(waiting).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(shop.whenPending()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
});
