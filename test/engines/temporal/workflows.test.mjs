// The workflows on the real SDK: its bundler, its sandbox, its worker and its client. The server is a stand-in, and attempts are
// functions of the tests.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { bundleWorkflows, readHistory, replay, withWorker } from './worker-place.mjs';

const ended = (text, more = {}) => ({
  state: 'ended',
  outcome: { ok: true, kind: 'ok', text, turnCostUsd: 1, ...more },
});
const waiting = (ids, pending = []) => ({
  state: 'waiting',
  questions: ids.map((id) => ({ id, kind: 'permission', attempt: 1, askedAt: 0, input: {} })),
  pending,
  turnCostUsd: 1,
});
const yes = (id) => ({ id, result: { behavior: 'allow' }, by: 'ann' });
const turn = (id, content = 'Hello') => ({ conversation: 'chat', agent: 'support', id, content });

async function until(read, holds) {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function deferred() {
  let begin;
  const begun = new Promise((resolve) => (begin = resolve));
  return { begin, begun };
}

/** Works until it is cancelled, as a CLI does. */
async function untilCancelled() {
  const timer = setInterval(() => heartbeat(), 50);
  await new Promise((resolve) => cancellationSignal().addEventListener('abort', resolve));
  clearInterval(timer);
}

void test('the bundle has no module of Node, and nothing of inboard but the workflows', async () => {
  const { code } = await bundleWorkflows();
  const modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name]) => name);
  assert.ok(modules.length > 20);
  const ours = modules.filter((name) => name.includes('/inboard/'));
  const names = ours.map((name) =>
    name.slice(name.indexOf('/inboard/')).replace(/(shared\/.+)-[\w-]{8}\.js$/, '$1.js'),
  );
  assert.deepEqual(
    names.toSorted((one, other) => (one < other ? -1 : 1)),
    ['/inboard/dist/entry/temporal-workflow.js', '/inboard/dist/shared/turn-answers.js'],
  );
  assert.deepEqual(
    modules.filter((name) => /^(?:external )?"?node:|[?&]node:/.test(name)),
    [],
  );
  assert.doesNotMatch(code, /require\("(?:node:|fs|child_process|crypto)/);
});

void test('turns of a conversation run one after the other, and one that is sent twice runs once', async () => {
  const seen = [];
  const attempt = async ({ turn: { id } }) => {
    seen.push(id);
    return ended(`answer ${id}`);
  };
  await withWorker({ scene: 'turns', attempt }, async ({ conversations }) => {
    for (const id of ['1', '2', '1', '3']) await conversations.send(turn(id));
    assert.equal((await conversations.outcome('chat', '3')).text, 'answer 3');
    assert.deepEqual(await conversations.outcome('chat', '1'), ended('answer 1').outcome);
    await conversations.send(turn('2'));
    assert.deepEqual(seen, ['1', '2', '3']);
    const { settings, ...state } = await conversations.state('chat');
    const isQuiet = { isWaiting: false, isClosing: false, queue: [] };
    assert.deepEqual(state, { conversation: 'chat', ...isQuiet, ended: ['1', '2', '3'] });
    assert.equal(settings.attempts.heartbeatTimeout, '5 seconds');
    await assert.rejects(conversations.outcome('chat', '9'), { code: 'TEMPORAL_TURN_UNKNOWN' });
  });
});

void test('a turn may be sent by an update, which is checked and says whether the turn is new', async () => {
  await withWorker(
    { scene: 'updates', attempt: async () => ended('done') },
    async ({ client, conversations }) => {
      await conversations.send(turn('1'));
      const handle = client.workflow.getHandle(conversations.workflowId('chat'));
      const sendSecond = () => handle.executeUpdate('inboardSend', { args: [{ id: '2', content: 'Hello' }] });
      assert.equal(await sendSecond(), true);
      assert.equal(await sendSecond(), false);
      assert.equal((await conversations.outcome('chat', '2')).text, 'done');
      const wrong = handle.executeUpdate('inboardSend', { args: [{ id: '3', content: '' }] });
      await assert.rejects(wrong, (error) => /content of the turn "3" must be/.test(error.cause.message));
      // A signal cannot be refused: it is dropped.
      await handle.signal('inboardSend', { content: 'no id' });
      assert.deepEqual((await conversations.state('chat')).ended, ['1', '2']);
    },
  );
});

void test('answers reach the next attempt: by update, which knows the questions, or by signal', async () => {
  const given = [];
  const attempt = async ({ answers }) => {
    given.push(answers.map(({ id }) => id));
    return answers.length < 2 ? waiting(answers.length === 0 ? ['q1', 'q2'] : ['q2']) : ended('done');
  };
  await withWorker({ scene: 'answers', attempt }, async ({ client, conversations }) => {
    await conversations.send(turn('1'));
    await until(
      () => conversations.questions('chat'),
      (list) => list.length === 2,
    );
    assert.equal((await conversations.state('chat')).isWaiting, true);
    await assert.rejects(conversations.answer('chat', yes('q3')), {
      code: 'TEMPORAL_ANSWER_REFUSED',
      message: 'No question "q3" is open. Open are "q1", "q2"',
    });
    await assert.rejects(conversations.answer('chat', { id: 'q1', result: 'yes' }), {
      message: /must be \{ id, result \}/,
    });
    // A signal cannot be refused: a wrong answer is dropped.
    const workflow = client.workflow.getHandle(conversations.workflowId('chat'));
    await workflow.signal('inboardAnswer', { id: 'q1', result: null });
    await workflow.signal('inboardAnswer', { id: 'q1', result: { behavior: 'deny' } });
    assert.equal(await conversations.answer('chat', yes('q1')), true);
    // The same again, as after a lost reply: also as another update, as in a new run.
    assert.equal(await conversations.answer('chat', yes('q1')), true);
    assert.equal(await workflow.executeUpdate('inboardAnswer', { args: [yes('q1')] }), true);
    const other = { ...yes('q1'), by: 'bob' };
    assert.equal(await conversations.answer('chat', other), false);
    await until(
      () => given.length,
      (count) => count === 2,
    );
    await workflow.signal('inboardAnswer', yes('q2'));
    // Three attempts, each for 1 dollar.
    assert.deepEqual(await conversations.outcome('chat', '1'), ended('done', { turnCostUsd: 3 }).outcome);
    assert.deepEqual(given, [[], ['q1'], ['q1', 'q2']]);
    assert.deepEqual(await conversations.questions('chat'), []);
  });
});

void test('a wake, or time, makes the next attempt at a turn with pending calls', async () => {
  let attempts = 0;
  const attempt = async () => ((attempts += 1) < 3 ? waiting([], [{ callKey: 'call-1' }]) : ended('done'));
  const options = { attempts: { lookAfterMs: 600 } };
  await withWorker({ scene: 'wakes', attempt, conversations: options }, async ({ conversations }) => {
    await conversations.send(turn('1'));
    assert.deepEqual(
      await until(
        () => conversations.pending('chat'),
        (list) => list.length === 1,
      ),
      [{ callKey: 'call-1' }],
    );
    await conversations.wake('chat');
    assert.equal((await conversations.outcome('chat', '1')).text, 'done');
  });
});

void test('busy waits by a timer, and a failed attempt is retried by Temporal', async () => {
  const ends = [
    () => ({ state: 'busy', until: Date.now() + 700 }),
    () => {
      throw ApplicationFailure.create({ message: 'lost', type: 'InboardAttemptLost', nextRetryDelay: 100 });
    },
    () => ended('done'),
  ];
  const numbers = [];
  const attempt = async () => {
    numbers.push(activityInfo().attempt);
    return ends.shift()();
  };
  await withWorker({ scene: 'busy', attempt }, async ({ conversations }) => {
    await conversations.send(turn('1'));
    assert.equal((await conversations.outcome('chat', '1')).text, 'done');
    assert.deepEqual(numbers, [1, 1, 2]);
  });
});

void test('a turn that fails for good is told, and the conversation goes on', async () => {
  const attempt = async ({ turn: { id } }) => {
    // What has caused an error is not what a policy names.
    const cause = new TypeError('not this');
    const type = 'InboardAgentUnusable';
    if (id === '1')
      throw ApplicationFailure.create({ message: 'no "suport"', type, nonRetryable: true, cause });
    return ended('done');
  };
  await withWorker({ scene: 'failures', attempt }, async ({ conversations }) => {
    await conversations.send(turn('1'));
    await assert.rejects(conversations.outcome('chat', '1'), {
      code: 'TEMPORAL_TURN_FAILED',
      message: 'The turn "1" has failed: no "suport"',
      failureType: 'InboardAgentUnusable',
    });
    await conversations.send(turn('2'));
    assert.equal((await conversations.outcome('chat', '2')).text, 'done');
  });
});

void test('a stop reaches the attempt, a turn that waits, and a turn that has not begun', async () => {
  const stopped = {
    state: 'ended',
    outcome: { ok: false, kind: 'interrupted', text: 'stopped', turnCostUsd: 1 },
  };
  const inputs = [];
  const attempt = async (input) => {
    inputs.push([input.turn.id, input.stop === true]);
    if (input.stop) return stopped;
    if (input.turn.id === 'works') await untilCancelled();
    return input.turn.id === 'works' ? stopped : waiting(['q1']);
  };
  await withWorker({ scene: 'stops', attempt }, async ({ conversations }) => {
    for (const id of ['works', 'queued', 'waits']) await conversations.send(turn(id));
    await until(
      () => inputs.length,
      (count) => count === 1,
    );
    await conversations.stop('chat', 'queued');
    await conversations.stop('chat', 'works');
    assert.equal((await conversations.outcome('chat', 'works')).kind, 'interrupted');
    await until(
      () => conversations.questions('chat'),
      (list) => list.length === 1,
    );
    await conversations.stop('chat');
    assert.equal((await conversations.outcome('chat', 'waits')).kind, 'interrupted');
    assert.match((await conversations.outcome('chat', 'queued')).text, /before it began/);
    assert.deepEqual(inputs, [
      ['works', false],
      ['waits', false],
      ['waits', true],
    ]);
  });
});

void test("a workflow of one's own that is cancelled stops its turn first", async () => {
  const inputs = [];
  const attempt = async ({ turn: { conversation }, stop }) => {
    inputs.push([conversation, stop === true]);
    return stop
      ? ended('stopped', { ok: false, kind: 'interrupted' })
      : conversation === 'quick'
        ? ended('done')
        : waiting(['q1']);
  };
  await withWorker({ scene: 'own-workflow', attempt }, async ({ client, taskQueue }) => {
    const start = (conversation) =>
      client.workflow.start('orderWorkflow', {
        taskQueue,
        workflowId: conversation,
        args: [{ conversation }],
      });
    assert.equal(await (await start('quick')).result(), 'order: done');
    const handle = await start('slow');
    await until(
      () => handle.query('inboardQuestions'),
      (list) => list.length === 1,
    );
    await handle.cancel();
    await assert.rejects(handle.result(), (error) => error.cause.name === 'CancelledFailure');
    assert.deepEqual(inputs, [
      ['quick', false],
      ['slow', false],
      ['slow', true],
    ]);
  });
});

void test("a workflow of one's own gets the outcome of a turn that ends although the workflow is cancelled", async () => {
  const work = deferred();
  const attempt = async () => {
    work.begin();
    await untilCancelled();
    return ended('paid');
  };
  await withWorker({ scene: 'late-cancel', attempt }, async ({ client, taskQueue }) => {
    const options = { taskQueue, workflowId: 'paid', args: [{ conversation: 'paid' }] };
    const handle = await client.workflow.start('orderWorkflow', options);
    await work.begun;
    await handle.cancel();
    // The workflow decides what to undo: it must know what was done.
    assert.equal(await handle.result(), 'order: paid');
  });
});

void test("a turn in a scope with a time limit is stopped, and the workflow of one's own goes on", async () => {
  const inputs = [];
  const attempt = async ({ turn: { id }, stop }) => {
    inputs.push([id, stop === true]);
    if (stop) return ended('stopped', { ok: false, kind: 'interrupted' });
    return id === 'next' ? ended('told') : waiting(['q1']);
  };
  await withWorker({ scene: 'time-limit', attempt }, async ({ client, taskQueue }) => {
    const handle = await client.workflow.start('hastyWorkflow', { taskQueue, workflowId: 'hasty' });
    assert.equal(await handle.result(), 'told');
    assert.deepEqual(inputs, [
      ['only', false],
      ['only', true],
      ['next', false],
    ]);
  });
});

void test('after some turns a new run goes on, with the turns that wait and the outcomes that are asked for', async () => {
  const seen = [];
  const attempt = async ({ turn: { id } }) => {
    seen.push(id);
    return ended(`answer ${id}`);
  };
  await withWorker(
    { scene: 'new-runs', attempt, conversations: { turnsPerRun: 2 } },
    async ({ conversations, server }) => {
      const ids = ['1', '2', '3', '4', '5'];
      for (const id of ids) await conversations.send(turn(id));
      const texts = await Promise.all(ids.map(async (id) => (await conversations.outcome('chat', id)).text));
      assert.deepEqual(
        texts,
        ids.map((id) => `answer ${id}`),
      );
      assert.deepEqual(seen, ids);
      assert.equal(server.histories('conversation-chat').length, 3);
    },
  );
});

void test('a long history: a new run goes on with a turn that waits, its questions and its answers', async () => {
  const given = [];
  const attempt = async ({ answers }) => {
    given.push(answers.map(({ id }) => id));
    return answers.length === 2
      ? ended('done')
      : waiting(['q1', 'q2'].slice(answers.length), [{ callKey: 'call-1' }]);
  };
  const options = { attempts: { lookAfterMs: 50 } };
  await withWorker(
    { scene: 'long-history', attempt, conversations: options, suggestNewRunAfter: 30 },
    async ({ conversations, server }) => {
      await conversations.send(turn('1'));
      await until(
        () => conversations.questions('chat'),
        (list) => list.length === 2,
      );
      await conversations.answer('chat', yes('q1'));
      const runs = () => server.histories('conversation-chat').length;
      const before = runs();
      await until(
        () => new Promise((resolve) => setTimeout(() => resolve(runs()), 50)),
        (count) => count > before,
      );
      const questions = await until(
        () => conversations.questions('chat'),
        (list) => list.length === 1,
      );
      assert.deepEqual(
        questions.map(({ id }) => id),
        ['q2'],
      );
      await conversations.answer('chat', yes('q2'));
      const outcome = await conversations.outcome('chat', '1');
      assert.deepEqual([outcome.text, outcome.turnCostUsd], ['done', given.length]);
      assert.deepEqual(given.at(-1), ['q1', 'q2']);
    },
  );
});

void test('a conversation without turns closes, and the next turn opens it again', async () => {
  await withWorker(
    { scene: 'closes', attempt: async ({ turn: { id } }) => ended(id), conversations: { closeAfterMs: 300 } },
    async ({ client, conversations }) => {
      await conversations.send(turn('1'));
      await client.workflow.getHandle(conversations.workflowId('chat')).result();
      await conversations.send(turn('2'));
      assert.equal((await conversations.outcome('chat', '2')).text, '2');
    },
  );
});

void test('a conversation that is cancelled stops its turn, and tells who waits', async () => {
  const inputs = [];
  const attempt = async ({ turn: { id }, stop }) => {
    inputs.push([id, stop === true]);
    return stop ? ended('stopped', { ok: false, kind: 'interrupted' }) : waiting(['q1']);
  };
  await withWorker({ scene: 'cancelled', attempt }, async ({ client, conversations }) => {
    await conversations.send(turn('1'));
    await conversations.send(turn('2'));
    await until(
      () => conversations.questions('chat'),
      (list) => list.length === 1,
    );
    const handle = client.workflow.getHandle(conversations.workflowId('chat'));
    const waits = Promise.allSettled(['1', '2'].map((id) => conversations.outcome('chat', id)));
    await handle.cancel();
    await assert.rejects(handle.result(), (error) => error.cause.name === 'CancelledFailure');
    const [first, second] = await waits;
    assert.equal(first.value.kind, 'interrupted');
    assert.match(second.reason.message, /was cancelled before the turn began/);
    assert.deepEqual(inputs, [
      ['1', false],
      ['1', true],
    ]);
  });
});

// Made with INBOARD_RECORD_HISTORIES. A change of the workflows that needs other commands goes behind patched(), and these stay.
void test('histories of earlier versions are replayed by this one', async () => {
  const folder = new URL('./histories/', import.meta.url);
  const files = readdirSync(folder);
  assert.ok(files.length > 10);
  for (const file of files) {
    const history = readHistory(readFileSync(new URL(file, folder), 'utf8'));
    await assert.doesNotReject(replay(history), file);
  }
  const other = readHistory(readFileSync(new URL('turns-1.json', folder), 'utf8'));
  const scheduled = other.events.find((event) => event.activityTaskScheduledEventAttributes);
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'another';
  await assert.rejects(replay(other), { name: 'DeterminismViolationError' });
});
