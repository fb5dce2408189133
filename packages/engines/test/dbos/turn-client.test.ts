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
    cancelWorkflow: note('cancel'),
    listWorkflows: note('list', []),
    resumeWorkflows: note('resume'),
    retrieveWorkflow: () => ({ getStatus: note('getStatus', null), getResult: note('getResult') }),
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

  it('sends an answer once for each question', async () => {
    const { turns, calls } = openTurns();
    const answer = { id: 'question', result: { behavior: 'allow' as const } };
    await turns.answer('chat', '1', answer);
    await turns.wake('chat', '1');
    expect(calls).toEqual([
      ['send', 'inboard/chat/1', { answer }, 'inboard', 'answer question'],
      ['send', 'inboard/chat/1', { wake: true }, 'inboard', undefined],
    ]);
    await expect(turns.answer('chat', '1', { id: 'question', result: true as never })).rejects.toThrow(
      'an answer is { id, result }',
    );
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
