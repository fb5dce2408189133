// The activity in the mock environment of the SDK, with the real CLI and a scripted model: heartbeats, every cause of a cancellation, and
// failures that Temporal must see in its own terms.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSdkMcpServer, tool } from 'inboard';
import { createMemoryLedger } from 'inboard/durable';
import { TURN_FAILURES, turnActivities } from 'inboard/temporal';
import { startOffline, text, toolUse } from 'inboard/testing';

const DONE = 'The order is done.';
const answer = ({ messages }) => {
  if (JSON.stringify(messages).includes('"tool_result"')) return text(DONE);
  return JSON.stringify(messages).includes('At length')
    ? text('a'.repeat(600_000))
    : toolUse('mcp__shop__refund', { order: '7' });
};

const offline = {};
before(async () => {
  Object.assign(offline, await startOffline({ onExhausted: answer }));
});
after(() => offline.close({ verify: false }));

/** An agent whose tool works until it is aborted. `finishes`: it returns at once. */
function createScene({ finishes = false, asks = false } = {}) {
  const facts = { runs: 0, aborts: 0, isWorking: Promise.withResolvers?.() ?? deferred() };
  const run = async (_input, { signal }) => {
    facts.runs += 1;
    facts.isWorking.resolve();
    if (finishes) return 'refunded';
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    facts.aborts += 1;
    return 'aborted';
  };
  const refund = tool({
    name: 'refund',
    description: 'Refunds an order.',
    inputSchema: { order: 'string' },
    run,
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true });
  const support = () => ({
    ...offline.options,
    mcpServers: { shop },
    ...(asks ? { permissionMode: 'default' } : { allowedTools: [refund] }),
  });
  const ledger = createMemoryLedger();
  const activities = turnActivities({ agents: { support }, ledger, suspendAfterMs: 100, heartbeatMs: 50 });
  return { ...facts, facts, ledger, attempt: activities.inboardAttempt };
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

const turn = { conversation: 'chat', agent: 'support', id: '1', content: 'Refund order 7' };
const input = (more = {}) => ({ turn, answers: [], ...more });

void test('an attempt waits for people, and the next one ends the turn; both say that they live', async () => {
  const { attempt, facts } = createScene({ finishes: true, asks: true });
  const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 3000 });
  const beats = [];
  environment.on('heartbeat', (details) => beats.push(details));
  const first = await environment.run(attempt, input());
  assert.equal(first.state, 'waiting');
  assert.ok(beats.length > 1 && typeof beats[0].messages === 'number');
  const answers = first.questions.map(({ id }) => ({ id, result: { behavior: 'allow' }, by: 'ann' }));
  const second = await new MockActivityEnvironment().run(attempt, input({ answers }));
  assert.deepEqual([second.state, second.outcome.text, facts.runs], ['ended', DONE, 1]);
});

void test('a cancellation that was requested reaches the tool, and stops the turn', async () => {
  const { attempt, facts } = createScene();
  const environment = new MockActivityEnvironment();
  const end = environment.run(attempt, input());
  await facts.isWorking.promise;
  environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
  const { state, outcome } = await end;
  assert.deepEqual([state, outcome.kind, facts.aborts], ['ended', 'interrupted', 1]);
  // No later attempt goes on with it.
  const again = await new MockActivityEnvironment().run(attempt, input());
  assert.deepEqual([again.outcome.kind, facts.runs], ['interrupted', 1]);
});

for (const { name, reason, details, category } of [
  { name: 'a worker that shuts down', reason: 'WORKER_SHUTDOWN', details: undefined, category: 'BENIGN' },
  {
    name: 'a worker that shuts down, as the core says it',
    reason: 'WORKER_SHUTDOWN',
    details: { workerShutdown: true },
    category: 'BENIGN',
  },
  { name: 'a timeout', reason: 'TIMED_OUT', details: { timedOut: true } },
  { name: 'a pause', reason: 'PAUSED', details: { paused: true }, category: 'BENIGN' },
  { name: 'a reset', reason: 'RESET', details: { reset: true }, category: 'BENIGN' },
  { name: 'a workflow that is gone', reason: 'NOT_FOUND', details: { notFound: true } },
])
  void test(`${name} reaches the tool, and the next attempt goes on`, async () => {
    const { attempt, facts } = createScene();
    const environment = new MockActivityEnvironment();
    const end = environment.run(attempt, input());
    await facts.isWorking.promise;
    environment.cancel(reason, new ActivityCancellationDetails(details));
    await assert.rejects(
      end,
      (error) =>
        error.type === 'InboardAttemptEnded' && error.nonRetryable !== true && error.nextRetryDelay > 0,
    );
    // The SDK's metrics count no failure where a deployment or an operator wanted it.
    assert.equal((await end.catch((error) => error)).category ?? undefined, category);
    assert.equal(facts.aborts, 1);
    const next = await new MockActivityEnvironment().run(attempt, input());
    // The tool is not run again: it has no onRepeat.
    assert.deepEqual([next.state, next.outcome.text, facts.runs], ['ended', DONE, 1]);
  });

void test('a turn that waits is stopped by an attempt of its own', async () => {
  const { attempt, facts } = createScene({ asks: true });
  assert.equal((await new MockActivityEnvironment().run(attempt, input())).state, 'waiting');
  const end = await new MockActivityEnvironment().run(attempt, input({ stop: true }));
  assert.deepEqual([end.state, end.outcome.kind, facts.runs], ['ended', 'interrupted', 0]);
});

void test('an attempt that a newer one has replaced fails, so that Temporal tries again', async () => {
  const { attempt, facts, ledger } = createScene();
  const end = new MockActivityEnvironment().run(attempt, input());
  await facts.isWorking.promise;
  const taken = assert.rejects(
    end,
    (error) =>
      error.type === 'InboardAttemptLost' && error.nonRetryable !== true && error.category === 'BENIGN',
  );
  const next = await new MockActivityEnvironment().run(attempt, input());
  assert.deepEqual([next.state, facts.runs], ['ended', 1]);
  await taken;
  assert.equal(typeof ledger.take, 'function');
});

void test('a wrong turn fails for good; an unknown agent, wrong options of it and other errors do not', async () => {
  const { attempt } = createScene();
  const run = (more) => new MockActivityEnvironment().run(attempt, input(more));
  for (const more of [{ turn: { ...turn, content: '' } }, { answers: [{ id: 'q' }] }])
    await assert.rejects(
      run(more),
      (error) => error.type === TURN_FAILURES.invalidTurn && error.nonRetryable === true,
    );
  // The next deployment may have that agent.
  await assert.rejects(
    run({ turn: { ...turn, agent: 'suport' } }),
    (error) =>
      error.type === 'InboardAgentUnusable' &&
      error.nonRetryable !== true &&
      /Did you mean "support"/.test(error.message),
  );
  const unusable = turnActivities({
    agents: { support: { maxTurns: 'many' } },
    ledger: createMemoryLedger(),
  });
  await assert.rejects(
    new MockActivityEnvironment().run(unusable.inboardAttempt, input()),
    (error) => error.type === TURN_FAILURES.agentUnusable && error.nonRetryable !== true,
  );
  const failing = turnActivities({
    agents: { support: () => Promise.reject(new Error('no database')) },
    ledger: createMemoryLedger(),
  });
  await assert.rejects(
    new MockActivityEnvironment().run(failing.inboardAttempt, input()),
    (error) => error.message === 'no database' && error.nonRetryable !== true,
  );
});

void test('an outcome that is too large for a history fails for good', async () => {
  const { attempt } = createScene();
  const long = { ...turn, content: 'At length, please' };
  await assert.rejects(
    new MockActivityEnvironment().run(attempt, input({ turn: long })),
    (error) =>
      error.type === 'InboardAttemptTooLarge' &&
      error.nonRetryable === true &&
      /returned "ended with 600\d+ bytes" of JSON/.test(error.message),
  );
});
