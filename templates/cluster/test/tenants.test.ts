// Whose a conversation is, whoever begins it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BOB, tryCluster } from './try-cluster.ts';

it('gives a tenant what your own staff begin under its key', async () => {
  const { cluster, post, close } = await tryCluster();
  const message = { id: 'message-1', text: 'Order 1001 is broken.', name: 'Bo' };
  assert.equal((await post('/conversations/acme%2Fchat-1/messages', message)).status, 202);
  const next = { ...message, id: 'message-2' };
  const asBob = { authorization: `Bearer ${BOB}` };
  assert.equal((await post('/conversations/chat-1/messages', next, asBob)).status, 202);
  assert.equal((await cluster.conversation('acme/chat-1').info())?.tenant, 'acme');
  await close();
});
