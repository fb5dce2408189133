// The tools on their own: called as a session calls them, without a CLI.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createToolHarness } from 'inboard/testing';
import { createOrders, createShop } from '../src/tools.ts';

it('pays back no more than was paid', async () => {
  const orders = createOrders();
  const shop = createToolHarness(createShop(orders));
  assert.equal((await shop.call('refund', { order: '1002', cents: 1000 })).ok, true);
  const second = await shop.call('refund', { order: '1002', cents: 1000 });
  assert.equal(second.ok, false);
  assert.match(second.text, /At most 250 cents of order 1002/);
  assert.equal((await orders.find('1002')).paidBack, 1000);
});
