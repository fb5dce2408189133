// The tools on their own: called as a session calls them, without a CLI.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createToolHarness } from 'inboard/testing';
import { Stock } from '../src/stock.js';
import { createShop } from '../src/tools.js';

it('counts what is left', async () => {
  const shop = createToolHarness(createShop(new Stock({ apples: 7 })));
  assert.equal((await shop.call('count', { article: 'apples' })).text, '7');
});

it('reserves, and changes the state of the program', async () => {
  const stock = new Stock({ apples: 7 });
  const shop = createToolHarness(createShop(stock));
  const outcome = await shop.call('reserve', { article: 'apples', count: 2, customer: 'Ada' });
  assert.deepEqual(JSON.parse(outcome.text), { left: 5 });
  assert.equal(stock.count('apples'), 5);
});

it('tells the model what is wrong', async () => {
  const shop = createToolHarness(createShop(new Stock({ apples: 7 })));
  const unknown = await shop.call('count', { article: 'plums' });
  assert.equal(unknown.ok, false);
  assert.match(unknown.text, /no article "plums"\. The articles are: apples\./);
  const tooMany = await shop.call('reserve', { article: 'apples', count: 8, customer: 'Ada' });
  assert.match(tooMany.text, /Only 7 apples are left/);
  const invalid = await shop.call('reserve', { article: 'apples', count: 0, customer: 'Ada' });
  assert.match(invalid.text, /count/); // never reaches the function
});
