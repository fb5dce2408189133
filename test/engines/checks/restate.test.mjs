// On the real server of Restate: which of several answers is taken, messages of a turn, and turns that failed or were paused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { after, before, test } from 'node:test';
import { createEndpointHandler } from '@restatedev/restate-sdk';
import { connect, rpc } from '@restatedev/restate-sdk-clients';
import { allow, deny, InvalidOptionsError } from 'inboard';
import { createPostgresLedger } from 'inboard/durable/postgres';
import { conversations } from 'inboard/restate';
import { ANSWER, createBreakableAgent, PROMPT, until } from './breakable-agent.mjs';

const { DATABASE_URL, RESTATE_ADMIN, RESTATE_INGRESS } = process.env;
const scene = {};

before(async () => {
  const agent = await createBreakableAgent();
  const { support, onMessage } = agent;
  const ledger = createPostgresLedger(DATABASE_URL);
  const service = await conversations({ agents: { support }, ledger, onMessage, suspendAfterMs: 200 });
  const retryPolicy = { initialInterval: 50, maxAttempts: 2, onMaxAttempts: 'pause' };
  const endpoint = createEndpointHandler({ services: [service], defaultServiceOptions: { retryPolicy } });
  const server = createServer(endpoint).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const registered = await fetch(`${RESTATE_ADMIN}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${server.address().port}` }),
  });
  assert.equal(registered.ok, true);
  const ingress = connect({ url: RESTATE_INGRESS });
  const chat = (key) => ingress.objectClient({ name: 'conversations' }, key);
  Object.assign(scene, { agent, ledger, server, chat });
});

after(async () => {
  await scene.ledger.close();
  await scene.agent.close();
  // The server of Restate keeps its connections.
  setImmediate(() => process.exit());
});

const turn = { agent: 'support', id: '1', content: PROMPT };
const send = (chat, idempotencyKey = turn.id) => {
  const outcome = chat.turn(turn, rpc.opts({ idempotencyKey }));
  outcome.catch(() => {});
  return outcome;
};
const readQuestion = (chat) => until(async () => (await chat.questions())[0], 'the question');

void test('one of many answers is taken, and each says whether it was that one', async () => {
  const chat = scene.chat('chat');
  const outcome = send(chat);
  const { id } = await readQuestion(chat);
  assert.equal(await chat.answer({ id: 'unknown', result: allow() }), false);
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) => chat.answer({ id, result: allow(), by: `person ${at}` })),
  );
  assert.deepEqual(all.toSorted(), [false, false, false, false, false, false, false, true]);
  const { ok, text } = await outcome;
  assert.deepEqual([ok, text, scene.agent.facts.effects], [true, ANSWER, 1]);
  assert.equal(await chat.answer({ id, result: deny('too late') }), false);
});

void test('messages of all attempts reach onMessage once each, with their turn', () => {
  const { messages, attempts } = scene.agent.facts;
  assert.equal(attempts, 2);
  const uuids = messages.map(({ uuid }) => uuid);
  assert.equal(new Set(uuids).size, uuids.length, JSON.stringify(messages));
  assert.deepEqual(
    [...new Set(messages.map(({ conversation, turn }) => `${conversation}/${turn}`))],
    ['chat/1'],
  );
  assert.equal(messages.filter(({ type }) => type === 'result').length, 1);
});

void test('a turn that failed goes on under its id with another idempotency key', async () => {
  const { facts } = scene.agent;
  const chat = scene.chat('failed');
  const outcome = send(chat);
  const { id } = await readQuestion(chat);
  facts.breaks = new InvalidOptionsError(['model'], 'the agent is broken');
  facts.effects = 0;
  assert.equal(await chat.answer({ id, result: allow() }), true);
  await assert.rejects(outcome, /broken/);
  facts.breaks = undefined;
  // The same key is the same request, with the same end.
  await assert.rejects(send(chat), /broken/);
  const again = send(chat, 'retry-1');
  // It is a new invocation, which knows no answers: the same question is asked again.
  const question = await readQuestion(chat);
  assert.equal(question.id, id);
  assert.equal(await chat.answer({ id, result: allow() }), true);
  const { ok, text } = await again;
  assert.deepEqual([ok, text, facts.effects], [true, ANSWER, 1]);
});

void test('a turn whose attempts are used up is paused, and goes on when its attempt is resumed', async () => {
  const { facts } = scene.agent;
  const chat = scene.chat('paused');
  const outcome = send(chat);
  const { id } = await readQuestion(chat);
  facts.breaks = new Error('the agent is broken');
  facts.effects = 0;
  assert.equal(await chat.answer({ id, result: allow() }), true);
  const paused = await until(async () => (await listPaused())[0], 'the attempt to be paused');
  assert.equal(paused.target, 'conversations/paused/attempt');
  facts.breaks = undefined;
  const resumed = await fetch(`${RESTATE_ADMIN}/invocations/${paused.id}/resume`, { method: 'PATCH' });
  assert.equal(resumed.ok, true, await resumed.text());
  const { ok, text } = await outcome;
  assert.deepEqual([ok, text, facts.effects], [true, ANSWER, 1]);
});

/** The command `restate invocations list --status paused` asks for the same. */
async function listPaused() {
  const response = await fetch(`${RESTATE_ADMIN}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: "select id, target from sys_invocation where status = 'paused'" }),
  });
  const { rows } = await response.json();
  return rows;
}
