// The whole agent, without an account: on a fake CLI, which takes milliseconds, and on the real one with a scripted model.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RunError } from 'inboard';
import { apiError, createFakeCli, text, toolUse } from 'inboard/testing';
import { runAgent } from '../src/agent.ts';
import { playModel, startScript } from '../src/model.ts';
import { Stock } from '../src/stock.ts';

describe('the agent on a fake CLI', () => {
  it('is refused what it may not do, and continues', async () => {
    const stock = new Stock({ apples: 7 });
    const fake = createFakeCli([
      toolUse('mcp__shop__reserve', { article: 'apples', count: 6, customer: 'Ada' }),
      ({ answer }) => text(`I was told: ${answer.text}`),
    ]);
    const outcome = await runAgent('Six apples!', stock, { transport: fake.transport });
    assert.match(outcome.text, /More than 5 need a person's approval/);
    assert.deepEqual(stock.reservations, []);
    await fake.verify(); // the whole script was played, and the protocol was kept
  });

  it('ends with an error that says why', async () => {
    const fake = createFakeCli([apiError(529, { message: 'overloaded' })]);
    const running = runAgent('Hello?', new Stock({}), { transport: fake.transport });
    await assert.rejects(running, (error) => error instanceof RunError && error.code === 'API_ERROR');
  });
});

describe('the agent on the real CLI', () => {
  it('does what was asked', async () => {
    const stock = new Stock({ apples: 7 });
    const offline = await startScript();
    try {
      const outcome = await runAgent('Two apples for Ada.', stock, offline.options);
      assert.equal(outcome.text, 'There were 7 apples. After the reservation: {"left":5}');
      assert.deepEqual(stock.reservations, [{ article: 'apples', count: 2, customer: 'Ada' }]);
    } finally {
      await offline.close();
    }
  });

  it('behaves on the fake as on the real one', async () => {
    const fake = createFakeCli([playModel, playModel, playModel]);
    const outcome = await runAgent('Two apples for Ada.', new Stock({ apples: 7 }), {
      transport: fake.transport,
    });
    assert.equal(outcome.text, 'There were 7 apples. After the reservation: {"left":5}');
  });
});
