// A server that is gone while a tool runs, and the next one on the same files: on the real CLI with a scripted model.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { startOffline } from 'inboard/testing';
import { readPast } from '../page/client.ts';
import { playModel } from '../src/model.ts';
import { Orders } from '../src/orders.ts';
import { openPage, startServer } from './support.ts';

/** A database that answers no more. */
class LostOrders extends Orders {
  #note = (): void => {};
  readonly asked = new Promise<void>((resolve) => (this.#note = resolve));

  override find(): Promise<never> {
    this.#note();
    return new Promise(() => {});
  }
}

/** A chat whose server is gone while a tool runs, and the next server. */
async function restart(test: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'my-agent-'));
  test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const start = async (orders?: Orders) => {
    const script = await startOffline({ onExhausted: playModel }, { folder });
    const server = await startServer(test, () => script.options, { env: script.options.env, orders });
    test.after(() => script.close({ verify: false }));
    return server;
  };
  const orders = new LostOrders([]);
  const server = await start(orders);
  const before = openPage(server.api);
  const asking = before.ask('Order 1001 is broken.');
  await orders.asked;
  await server.crash();
  await asking;
  return { before, next: await start() };
}

it('goes on with the answer when the page is loaded again', async (test) => {
  const { before, next } = await restart(test);
  const { id } = before.chat;
  const page = openPage(next.api, { id, messages: await readPast(next.api, id) });
  await page.chat.resumeStream();
  // The model is told that nobody knows what came of the call.
  assert.match(page.text(), /^I look at the order\.The answer: /);
  assert.equal(page.calls().length, 1);
  assert.equal((await readPast(next.api, id)).length, 2);
});

it('keeps a message that comes before that, shows the answer, and takes the message afterwards', async (test) => {
  const { before, next } = await restart(test);
  const page = openPage(next.api, { id: before.chat.id, messages: before.chat.messages });
  const followed = page.followed();
  assert.match(String(await page.ask('And order 1002?')), /was not sent/);
  await followed;
  assert.match(page.text(), /^I look at the order\.The answer: /);
  assert.deepEqual(
    page.chat.messages.map(({ role }) => role),
    ['user', 'assistant'],
  );
  assert.equal(await page.ask('And order 1002?'), undefined);
  assert.match(page.text(), /pay it back/);
});
