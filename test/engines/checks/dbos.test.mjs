// On the real DBOS: which of several answers is taken, messages of a turn, and a turn that failed for good and is taken up again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import { allow, deny } from 'inboard';
import { dbosTurns, dbosTurnsClient } from 'inboard/dbos';
import { createPostgresLedger } from 'inboard/durable/postgres';
import { ANSWER, createBreakableAgent, PROMPT, until } from './breakable-agent.mjs';

const systemDatabaseUrl = process.env.DATABASE_URL;
const scene = {};

before(async () => {
  const agent = await createBreakableAgent();
  const { support, onMessage } = agent;
  const ledger = createPostgresLedger(systemDatabaseUrl);
  const turns = await dbosTurns({
    agents: { support },
    ledger,
    onMessage,
    suspendAfterMs: 200,
    pollMs: 100,
    retries: { maxAttempts: 2, intervalSeconds: 0.1 },
  });
  DBOS.setConfig({
    name: 'checks',
    systemDatabaseUrl,
    executorID: 'one',
    applicationVersion: '1',
    logLevel: 'error',
  });
  await DBOS.launch();
  const client = await DBOSClient.create({ systemDatabaseUrl, applicationName: 'checks' });
  Object.assign(scene, { agent, ledger, turns, client, outside: dbosTurnsClient({ client }) });
});

after(async () => {
  await scene.client.destroy();
  await DBOS.shutdown({ workflowCompletionTimeoutMS: 0 });
  await scene.ledger.close();
  await scene.agent.close();
});

const readQuestion = (id) =>
  until(
    async () => (await scene.outside.questions('chat', id))[0],
    () => `the question of turn ${id}`,
  );

void test('one of many answers is taken, and each says whether it was that one', async () => {
  const { turns, outside } = scene;
  await outside.send({ conversation: 'chat', agent: 'support', id: '1', content: PROMPT });
  const { id } = await readQuestion('1');
  assert.equal(await outside.answer('chat', '1', { id: 'unknown', result: allow() }), false);
  assert.equal(await outside.answer('chat', 'no such turn', { id, result: allow() }), false);
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      (at % 2 ? turns : outside).answer('chat', '1', { id, result: allow(), by: `person ${at}` }),
    ),
  );
  assert.deepEqual(all.toSorted(), [false, false, false, false, false, false, false, true]);
  const { ok, text } = await outside.outcome('chat', '1');
  assert.deepEqual([ok, text, scene.agent.facts.effects], [true, ANSWER, 1]);
  assert.equal(await outside.answer('chat', '1', { id, result: deny('too late') }), false);
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

void test('a turn that failed for good is taken up again where it was, with the answers it had', async () => {
  const { outside, agent } = scene;
  const { facts } = agent;
  await outside.send({ conversation: 'other', agent: 'support', id: '1', content: PROMPT });
  const { id } = await until(async () => (await outside.questions('other', '1'))[0], 'the question');
  assert.equal(await outside.retry('other', '1'), false);
  facts.breaks = new Error('the agent is broken');
  facts.attempts = 0;
  facts.effects = 0;
  assert.equal(await outside.answer('other', '1', { id, result: allow() }), true);
  await assert.rejects(outside.outcome('other', '1'), /broken/);
  assert.equal(facts.attempts, 2);
  // Sending it again changes nothing.
  await outside.send({ conversation: 'other', agent: 'support', id: '1', content: PROMPT });
  await assert.rejects(outside.outcome('other', '1'), /broken/);
  assert.deepEqual(await outside.questions('other', '1'), []);
  facts.breaks = undefined;
  const retries = await Promise.all([outside.retry('other', '1'), outside.retry('other', '1')]);
  assert.deepEqual(retries.toSorted(), [false, true]);
  const { ok, text } = await outside.outcome('other', '1');
  // Nobody was asked again: the answer that came before the failure counts.
  assert.deepEqual([ok, text, facts.effects], [true, ANSWER, 1]);
  assert.equal(await outside.retry('other', '1'), false);
});

void test('what is asked of a turn that was not sent is refused, and stops no turn that is sent later', async () => {
  const { turns, outside, agent } = scene;
  agent.facts.effects = 0;
  for (const each of [turns, outside])
    for (const ask of [each.outcome, each.cancel, each.wake])
      await assert.rejects(ask('late', '1'), /has no turn "1" of the conversation "late"/);
  await outside.send({ conversation: 'late', agent: 'support', id: '1', content: PROMPT });
  const { id } = await until(async () => (await outside.questions('late', '1'))[0], 'the question');
  await outside.answer('late', '1', { id, result: allow() });
  const { ok, text } = await outside.outcome('late', '1');
  assert.deepEqual([ok, text, agent.facts.effects], [true, ANSWER, 1]);
});
