// The agent on a fake CLI, without an account: what it does by itself, and what a person decides.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allow, deny } from 'inboard';
import { playModel } from '../src/script.ts';
import { tryCluster } from './try-cluster.ts';

it('sends an order again, and pays back when a person agrees', async () => {
  const { cluster, shop, close } = await tryCluster();
  await cluster.work();
  const turn = await cluster
    .conversation('chat-1', { agent: 'support', data: { name: 'Bo' } })
    .send('It is broken.');
  for await (const question of cluster.approvals.watch()) {
    assert.equal(question.toolName, 'mcp__shop__refund');
    assert.deepEqual(
      [...shop.actions.values()].map(({ kind }) => kind),
      ['replacement'],
    );
    await cluster.approvals.answer(question.id, allow(), { by: 'Ann' });
    break;
  }
  const { ok, text } = await turn.outcome();
  assert.deepEqual({ ok, text }, { ok: true, text: 'Done: shipment 1, refund 2.' });
  await close();
});

it('pays nothing back when a person does not agree', async () => {
  const { cluster, shop, close } = await tryCluster();
  await cluster.work();
  const turn = await cluster
    .conversation('chat-1', { agent: 'support', data: { name: 'Bo' } })
    .send('It is broken.');
  for await (const { id } of cluster.approvals.watch()) {
    await cluster.approvals.answer(id, deny('Not without the receipt.'), { by: 'Ann' });
    break;
  }
  assert.match((await turn.outcome()).text, /Not without the receipt/);
  assert.deepEqual(
    [...shop.actions.values()].map(({ kind }) => kind),
    ['replacement'],
  );
  await close();
});

it('has a script that begins again with each message', () => {
  const answers = ['shipment 1', 'refund 2'].map((text, at) => ({
    name: '',
    toolUseId: `${at}`,
    text,
    isError: false,
  }));
  const results = answers.map(({ toolUseId }) => ({ type: 'tool_result', tool_use_id: toolUseId }));
  const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
  const first = [
    { role: 'user', content: 'It is broken.' },
    { role: 'user', content: results },
  ];
  const play = (messages: object[], all = answers): string =>
    JSON.stringify(playModel({ prompt: '', answer: all[0]!, answers: all, messages: messages as never }));
  assert.match(play(first), /Done: shipment 1, refund 2/);
  const second = [...first, said('Done: shipment 1, refund 2.'), { role: 'user', content: 'Again.' }];
  assert.match(play(second), /mcp__shop__replace/);
  const third = [...second, { role: 'user', content: results }];
  const later = ['shipment 3', 'refund 4'].map((text) => ({ ...answers[0]!, text }));
  assert.match(play(third, [...answers, ...later]), /Done: shipment 3, refund 4/);
});

it('does the same call once', async () => {
  const { cluster, shop, close } = await tryCluster();
  const fence = { key: 'chat-1', epoch: 1, owner: 'a worker' };
  const call = { key: 'chat-1', turn: '1', tenant: undefined, callKey: 'call-1', attempt: 1, fence };
  const first = await shop.act(call, { kind: 'refund', order: '1001', cents: 500 });
  assert.equal(await shop.act({ ...call, attempt: 2 }, { kind: 'refund', order: '1001', cents: 500 }), first);
  assert.equal(shop.actions.size, 1);
  await close();
  assert.ok(cluster);
});
