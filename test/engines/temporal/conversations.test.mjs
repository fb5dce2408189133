// What conversations on the real SDK do beyond their turns: many who wait, answers in a crowd, closing, other settings, faults of the code,
// and what an operator sees. The server is a stand-in, and attempts are functions of the tests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityInfo } from '@temporalio/activity';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { ApplicationFailure, defineSearchAttributeKey } from '@temporalio/common';
import { conversationClient } from 'inboard/temporal';
import { withWorker } from './worker-place.mjs';

const ended = (text) => ({ state: 'ended', outcome: { ok: true, kind: 'ok', text, turnCostUsd: 1 } });
const asks = (id) => ({
  state: 'waiting',
  questions: [{ id, kind: 'permission', attempt: 1, askedAt: 0, input: {} }],
  pending: [],
  turnCostUsd: 1,
});
const yes = (id) => ({ id, result: { behavior: 'allow' }, by: 'ann' });
const turn = (id) => ({ conversation: 'chat', agent: 'support', id, content: 'Hello' });
/** Each turn asks one question, which has its id. */
const attemptThatAsks = async ({ turn: { id }, answers }) => (answers.length === 0 ? asks(id) : ended(id));

async function until(read, holds) {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const isAsked = (conversations, id) =>
  until(
    () => conversations.questions('chat'),
    (list) => list.some((question) => question.id === id),
  );
const countUpdates = (server) =>
  server
    .histories('conversation-chat')
    .flat()
    .filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;

void test('those who wait for twelve turns, in two programs, leave room for answers', async () => {
  await withWorker(
    { scene: 'crowd', isCached: true, attempt: attemptThatAsks },
    async ({ client, conversations, server, taskQueue }) => {
      const others = conversationClient({ client, taskQueue });
      const ids = Array.from({ length: 12 }, (_, at) => `t${at + 1}`);
      for (const id of ids) await conversations.send(turn(id));
      const waits = ids.flatMap((id) => [conversations.outcome('chat', id), others.outcome('chat', id)]);
      for (const id of ids) {
        await isAsked(conversations, id);
        // A refusal for want of room would be tried again by the SDK for 40 seconds, and then be an error.
        assert.equal(await conversations.answer('chat', yes(id)), true);
      }
      const texts = (await Promise.all(waits)).map(({ text }) => text);
      assert.deepEqual(
        texts,
        ids.flatMap((id) => [id, id]),
      );
      // One for each answer, and one for each turn that was waited for.
      assert.ok(countUpdates(server) <= 2 * ids.length, `${countUpdates(server)} updates`);
    },
  );
});

void test('an answer is taken, and truly reported, while updates of others use all room', async () => {
  const options = { workflow: 'crowdedWorkflow' };
  await withWorker({ attempt: attemptThatAsks, conversations: options }, async (place) => {
    const { client, conversations, server, taskQueue } = place;
    await conversations.send(turn('t1'));
    await isAsked(conversations, 't1');
    const workflow = client.workflow.getHandle(conversations.workflowId('chat'));
    const hold = () => workflow.startUpdate('hold', { waitForStage: 'ACCEPTED' });
    await Promise.all(Array.from({ length: 10 }, hold));
    // The SDK tries for 40 seconds before it says that there is no room. This client does not.
    const interceptors = [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 1 }))];
    const connection = await Connection.connect({ address: server.address, interceptors });
    const hasty = conversationClient({ client: new Client({ connection }), taskQueue, ...options });
    const outcome = hasty.outcome('chat', 't1');
    await assert.rejects(hasty.answer('chat', yes('t9')), { code: 'TEMPORAL_ANSWER_REFUSED' });
    assert.equal(await hasty.answer('chat', yes('t1')), true);
    assert.equal((await outcome).text, 't1');
    await connection.close();
  });
});

void test('a conversation that is closed works on its turns, completes, and the next turn opens it again', async () => {
  await withWorker(
    { scene: 'closed', isCached: true, attempt: attemptThatAsks },
    async ({ client, conversations, server }) => {
      assert.equal(await conversations.close('chat'), false);
      await conversations.send(turn('t1'));
      await conversations.send(turn('t2'));
      await isAsked(conversations, 't1');
      assert.equal(await conversations.close('chat'), true);
      const outcomes = ['t1', 't2', 't3'].map((id, at) =>
        at < 2 ? conversations.outcome('chat', id) : undefined,
      );
      // It comes while the conversation closes, and is worked on as well.
      await conversations.send(turn('t3'));
      outcomes[2] = conversations.outcome('chat', 't3');
      assert.deepEqual((await conversations.state('chat')).isClosing, true);
      const completed = client.workflow.getHandle(conversations.workflowId('chat')).result();
      for (const id of ['t1', 't2', 't3']) {
        await isAsked(conversations, id);
        assert.equal(await conversations.answer('chat', yes(id)), true);
      }
      await completed;
      const texts = (await Promise.all(outcomes)).map(({ text }) => text);
      assert.deepEqual(texts, ['t1', 't2', 't3']);
      // Also asked when it has completed.
      assert.equal((await conversations.outcome('chat', 't2')).text, 't2');
      assert.equal(await conversations.close('chat'), false);
      await conversations.send(turn('t4'));
      await isAsked(conversations, 't4');
      assert.equal(server.histories('conversation-chat').length, 2);
    },
  );
});

void test('no turn is lost that is sent while its conversation closes', async () => {
  const seen = [];
  const attempt = async ({ turn: { id } }) => {
    seen.push(id);
    return ended(id);
  };
  await withWorker({ attempt }, async ({ conversations }) => {
    const ids = Array.from({ length: 15 }, (_, at) => `t${at + 1}`);
    for (const id of ids) {
      await conversations.send(turn(id));
      // Some come before the close, some in its task, and some after it.
      await Promise.all([conversations.close('chat'), conversations.send(turn(`${id}b`))]);
    }
    await until(
      () => new Set(seen).size,
      (count) => count === 2 * ids.length,
    );
  });
});

void test('settings change while a conversation runs, are checked, and reach the next run', async () => {
  const timeouts = [];
  const attempt = async (input) => {
    timeouts.push(activityInfo().heartbeatTimeoutMs);
    return attemptThatAsks(input);
  };
  await withWorker(
    { scene: 'settings', isCached: true, attempt },
    async ({ client, conversations, server }) => {
      await conversations.send(turn('t1'));
      await isAsked(conversations, 't1');
      const workflow = client.workflow.getHandle(conversations.workflowId('chat'));
      await assert.rejects(
        conversations.change('chat', { turnsPerRun: 0 }),
        /"turnsPerRun" must be a whole number/,
      );
      const wrong = workflow.executeUpdate('inboardSettings', {
        args: [{ attempts: { retry: { maximumAttempts: 0 } } }],
      });
      await assert.rejects(wrong, (error) => error.cause.type === 'InboardSettingsRefused');
      await workflow.signal('inboardSettings', { attempts: { startToCloseTimeout: 'long' } });
      await conversations.change('chat', { attempts: { heartbeatTimeout: '7 seconds' }, turnsPerRun: 1 });
      await conversations.answer('chat', yes('t1'));
      assert.equal((await conversations.outcome('chat', 't1')).text, 't1');
      await conversations.send(turn('t2'));
      await isAsked(conversations, 't2');
      assert.deepEqual(timeouts, [5000, 7000, 7000]);
      assert.equal(server.histories('conversation-chat').length, 2);
      const { settings } = await conversations.state('chat');
      assert.deepEqual(settings, { attempts: { heartbeatTimeout: '7 seconds' }, turnsPerRun: 1 });
      // Null takes the default again, and the time after which it closes is looked at anew.
      await conversations.change('chat', { turnsPerRun: null, closeAfterMs: 100 });
      await conversations.answer('chat', yes('t2'));
      await workflow.result();
      assert.equal((await conversations.outcome('chat', 't2')).text, 't2');
    },
  );
});

void test('a fault in the code of the workflow stops its task, and a mended deployment goes on', async () => {
  const breakCode = (code) => {
    const broken = code.replace(/turnCostUsd: ?(\w+)\.costUsd/, 'turnCostUsd: $1.missing.costUsd');
    assert.notEqual(broken, code);
    return broken;
  };
  await withWorker({ attempt: attemptThatAsks, breakCode }, async ({ conversations, server, mend }) => {
    await conversations.send(turn('t1'));
    await isAsked(conversations, 't1');
    await conversations.answer('chat', yes('t1'));
    const events = () => server.histories('conversation-chat').flat();
    const failures = await until(
      () => events().flatMap((event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? []),
      (list) => list.length > 0,
    );
    assert.match(failures[0], /Cannot read properties of undefined/);
    const outcome = conversations.outcome('chat', 't1');
    await mend();
    assert.equal((await outcome).text, 't1');
  });
});

void test('turns that run at the same time in a workflow share its messages', async () => {
  await withWorker(
    { scene: 'pair', isCached: true, attempt: attemptThatAsks },
    async ({ client, taskQueue }) => {
      const handle = await client.workflow.start('pairWorkflow', { taskQueue, workflowId: 'pair' });
      await until(
        () => handle.query('inboardQuestions'),
        (list) => list.length === 2,
      );
      // Others of the same worker have modules of their own.
      const other = await client.workflow.start('pairWorkflow', { taskQueue, workflowId: 'other' });
      await until(
        () => other.query('inboardQuestions'),
        (list) => list.length === 2,
      );
      for (const id of ['right', 'left'])
        assert.equal(await handle.executeUpdate('inboardAnswer', { args: [yes(id)] }), true);
      assert.deepEqual(await handle.result(), ['left', 'right']);
      assert.equal((await other.query('inboardQuestions')).length, 2);
    },
  );
});

void test('a conversation has a memo, search attributes and a priority from its start, also in new runs', async () => {
  const customer = defineSearchAttributeKey('Customer', 'KEYWORD');
  const start = ({ data }) => ({
    memo: { customer: data.customer },
    typedSearchAttributes: [{ key: customer, value: data.customer }],
    priority: { priorityKey: 2, fairnessKey: data.customer },
  });
  const priorities = [];
  const attempt = async (input) => {
    priorities.push(activityInfo().priority);
    return ended(input.turn.id);
  };
  const options = { start, turnsPerRun: 1, attempts: { priority: { priorityKey: 1 } } };
  await withWorker({ attempt, conversations: options }, async ({ client, conversations, server }) => {
    for (const id of ['t1', 't2']) await conversations.send({ ...turn(id), data: { customer: 'acme' } });
    assert.equal((await conversations.outcome('chat', 't2')).text, 't2');
    await until(
      () => server.histories('conversation-chat').length,
      (count) => count === 3,
    );
    const { memo, typedSearchAttributes } = await client.workflow
      .getHandle(conversations.workflowId('chat'))
      .describe();
    assert.deepEqual([memo.customer, typedSearchAttributes.get(customer)], ['acme', 'acme']);
    for (const [begun] of server.histories('conversation-chat'))
      assert.equal(begun.workflowExecutionStartedEventAttributes.priority.fairnessKey, 'acme');
    assert.deepEqual(
      priorities.map(({ priorityKey }) => priorityKey),
      [1, 1],
    );
  });
});

void test('the state says how often a poisoned turn was tried and why it failed, and a stop ends it', async () => {
  const attempt = async ({ stop }) => {
    if (stop)
      return { state: 'ended', outcome: { ok: false, kind: 'interrupted', text: 'stopped', turnCostUsd: 0 } };
    throw ApplicationFailure.create({ message: 'no such model', type: 'CliFailed' });
  };
  const options = { attempts: { retry: { initialInterval: 50, maximumInterval: 50 } } };
  await withWorker({ attempt, conversations: options }, async ({ conversations }) => {
    await conversations.send(turn('t1'));
    const state = await until(
      () => conversations.state('chat'),
      ({ attempt }) => attempt?.number > 2,
    );
    assert.deepEqual(state.attempt.lastError, { message: 'no such model', type: 'CliFailed' });
    await conversations.stop('chat');
    assert.equal((await conversations.outcome('chat', 't1')).kind, 'interrupted');
    assert.equal((await conversations.state('chat')).attempt, undefined);
  });
});
