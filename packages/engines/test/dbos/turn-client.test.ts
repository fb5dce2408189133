// What is sent to DBOS and read from it, and what is refused before that.
import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import type { DbosClient } from '../../src/dbos/dbos-library.js';
import { dbosTurns, type DbosTurnsOptions } from '../../src/dbos/dbos-turns.js';
import { dbosTurnsClient, type DbosTurns } from '../../src/dbos/turn-client.js';

const TURN = { conversation: 'chat/1', agent: 'support', id: '1', content: 'Hello' };

function openTurns(answers: Partial<DbosClient> = {}): { turns: DbosTurns; calls: unknown[] } {
  const calls: unknown[] = [];
  const note =
    (name: string, result?: unknown) =>
    async (...given: unknown[]): Promise<never> => {
      calls.push([name, ...given]);
      return result as never;
    };
  const client: DbosClient = {
    enqueue: note('enqueue'),
    send: note('send'),
    getEvent: note('getEvent', null),
    listWorkflows: note('list', []),
    resumeWorkflows: note('resume'),
    listWorkflowSteps: note('steps'),
    rewindWorkflow: note('rewind'),
    retrieveWorkflow: () => ({
      getStatus: async () => ({ workflowID: 'x', status: 'PENDING' }),
      getResult: note('getResult'),
    }),
    ...answers,
  };
  return { turns: dbosTurnsClient({ client }), calls };
}

describe('a client', () => {
  it('puts a turn into the partition of its conversation, under an id of its own', async () => {
    const { turns, calls } = openTurns();
    await turns.send({ ...TURN, data: { name: 'Bo' } });
    const workflowID = 'inboard/chat%2F1/1';
    expect(calls).toEqual([
      [
        'enqueue',
        { queueName: 'inboard', workflowName: 'inboard.turn', workflowID, queuePartitionKey: 'chat/1' },
        { ...TURN, data: { name: 'Bo' } },
      ],
    ]);
    expect(turns.workflowId('chat', '1/1')).not.toBe(turns.workflowId('chat/1', '1'));
  });

  it.each([
    ['no result', true, 'an answer is { id, result }'],
    ['a result of its own', { behavior: 'maybe' }, 'made with allow() or deny(message)'],
    ['an input that no tool takes', { behavior: 'allow', updatedInput: [1] }, '"updatedInput"'],
  ])('refuses an answer with %s', async (_name, result, message) => {
    const { turns, calls } = openTurns();
    await expect(turns.answer('chat', '1', { id: 'question', result: result as never })).rejects.toThrow(
      message,
    );
    expect(calls).toEqual([]);
  });

  it.each([
    ['half a surrogate pair', 'chat\uD800', '1', /"conversation".* must be a text of 1 to 500 characters/],
    ['more than 500 characters', 'chat', 'x'.repeat(501), /"id".* must be a text of 1 to 500 characters/],
    ['too much for an index', '\u00e9'.repeat(500), '1', /at most 2500 characters together, not 3010/],
  ])('refuses names with %s, before anything is sent', async (_name, conversation, id, message) => {
    const { turns, calls } = openTurns();
    await expect(turns.send({ ...TURN, conversation, id })).rejects.toThrow(message);
    await expect(turns.questions(conversation, id)).rejects.toThrow(message);
    expect(calls).toEqual([]);
  });

  it('stops a turn by a workflow of its own, which the turn looks for', async () => {
    const { turns, calls } = openTurns();
    await turns.cancel('chat', '1');
    const stop = 'inboard/chat/1/stop';
    expect(calls).toEqual([
      [
        'enqueue',
        { queueName: 'inboard', workflowName: 'inboard.stop', workflowID: stop, queuePartitionKey: stop },
        null,
      ],
      ['send', 'inboard/chat/1', { wake: true }, 'inboard'],
    ]);
  });

  it.each([
    ['PENDING', 1],
    ['ENQUEUED', 1],
    ['SUCCESS', 0],
    ['ERROR', 0],
    ['CANCELLED', 0],
    ['MAX_RECOVERY_ATTEMPTS_EXCEEDED', 0],
  ])('reads of a turn that is %s what it waits for only while it goes on', async (status, count) => {
    const { turns } = openTurns({
      getEvent: async () => ({ questions: [{ id: 'a' }], pending: [{ callKey: 'b' }] }),
      retrieveWorkflow: () => ({
        getStatus: async () => ({ workflowID: 'x', status }),
        getResult: async () => undefined,
      }),
    });
    expect(await turns.questions('chat', '1')).toHaveLength(count);
    expect(await turns.pending('chat', '1')).toHaveLength(count);
  });

  it('reads nothing where a turn does not wait', async () => {
    const { turns } = openTurns();
    expect([await turns.questions('chat', '1'), await turns.pending('chat', '1')]).toEqual([[], []]);
  });

  it('returns an outcome for a turn that was cancelled, and the error of one that failed', async () => {
    const failing = (status: string): Partial<DbosClient> => ({
      retrieveWorkflow: () => ({
        getStatus: async () => ({ workflowID: 'x', status }),
        getResult: () => Promise.reject(new Error('no result')),
      }),
    });
    expect(await openTurns(failing('CANCELLED')).turns.outcome('chat', '1')).toMatchObject({
      kind: 'interrupted',
    });
    await expect(openTurns(failing('ERROR')).turns.outcome('chat', '1')).rejects.toThrow('no result');
  });

  it('puts the turns of a lost executor back into their queue', async () => {
    const left = ['a', 'b'].map((workflowID) => ({ workflowID, status: 'PENDING' }));
    const { turns, calls } = openTurns({ listWorkflows: async () => left });
    expect(await turns.recover('pod-1')).toBe(2);
    expect(calls).toEqual([['resume', ['a', 'b'], { queueName: 'inboard' }]]);
    expect(await openTurns().turns.recover('pod-1')).toBe(0);
  });

  it('recovers no turns of a version that may have no process, so that later turns do not overtake them', async () => {
    const left = ['1', '2'].map((version) => ({
      workflowID: `turn-${version}`,
      status: 'PENDING',
      applicationVersion: version,
    }));
    const client = openTurns({ listWorkflows: async () => left });
    await expect(client.turns.recover('pod-1')).rejects.toThrow(
      /put 0 turns back into the queue, and left 2 .*"turn-1" \(1\), "turn-2" \(2\)/,
    );
    expect(client.calls).toEqual([]);
    // A process knows its own version, and recovers that.
    const own = openTurns({ listWorkflows: async () => left, applicationVersion: '2' });
    await expect(own.turns.recover('pod-1')).rejects.toMatchObject({
      name: 'InvalidOptionsError',
      message: expect.stringMatching(/left 1 .* than this process \(2\).*: "turn-1" \(1\)\./) as string,
    });
    expect(own.calls).toEqual([['resume', ['turn-2'], { queueName: 'inboard' }]]);
    // All of one version: a client cannot know whether it has a process.
    const one = openTurns({ listWorkflows: async () => left.slice(0, 1) });
    expect(await one.turns.recover('pod-1')).toBe(1);
  });

  it('wakes a turn', async () => {
    const { turns, calls } = openTurns();
    await turns.wake('chat', '1');
    expect(calls).toEqual([['send', 'inboard/chat/1', { wake: true }, 'inboard']]);
  });

  it.each([
    ['outcome', (turns: DbosTurns) => turns.outcome('chat', 'typo')],
    ['wake', (turns: DbosTurns) => turns.wake('chat', 'typo')],
    ['cancel', (turns: DbosTurns) => turns.cancel('chat', 'typo')],
  ])('refuses %s of a turn that was not sent, and leaves nothing behind', async (_name, ask) => {
    const { turns, calls } = openTurns({
      retrieveWorkflow: () => ({ getStatus: async () => null, getResult: () => new Promise(() => {}) }),
    });
    await expect(ask(turns)).rejects.toMatchObject({
      name: 'InvalidOptionsError',
      message: expect.stringContaining(
        'has no turn "typo" of the conversation "chat". Send it first',
      ) as string,
    });
    expect(calls).toEqual([]);
  });

  it('needs a client', () => {
    expect(() => dbosTurnsClient({ client: {} as never })).toThrow(/needs "client"/);
  });
});

describe('dbosTurns()', () => {
  const options = { agents: { support: {} }, ledger: createMemoryLedger() };

  it.each([
    ['an unknown option', { ...options, que: 'x' }, /has no option "que"/],
    ['no place', { ...options, concurrency: 0 }, /"concurrency"/],
    ['a queue without a name', { ...options, queue: '' }, /"queue"/],
    ['no agents', { ...options, agents: {} }, /needs "agents"/],
    [
      'no attempts',
      { ...options, retries: { maxAttempts: 0 } },
      /"retries.maxAttempts" must be a whole number/,
    ],
    ['a pause that is none', { ...options, retries: { intervalSeconds: '1' } }, /"retries.intervalSeconds"/],
    [
      'an unknown retry',
      { ...options, retries: { attempts: 3 } },
      /"retries" of dbosTurns\(\) has no option "attempts"/,
    ],
  ])('refuses %s', async (_name, given, message) => {
    await expect(dbosTurns(given as DbosTurnsOptions)).rejects.toThrow(message);
  });

  it('says how to install DBOS where it is missing, as in the tests of this project', async () => {
    await expect(dbosTurns(options)).rejects.toMatchObject({
      code: 'PART_MISSING',
      message: expect.stringContaining('npm install @dbos-inc/dbos-sdk@^5.3.0') as string,
    });
  });
});
