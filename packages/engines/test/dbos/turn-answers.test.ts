// Which answers are taken, and how a turn that failed is taken up again, with a database of DBOS that keeps the first workflow of an id.
// test/engines does both on the real DBOS.
import { expect, it } from 'vitest';
import { allow } from '@inboard/core/answer/permissions/decisions.js';
import type { DbosClient, DbosEnqueueOptions, DbosWorkflowStatus } from '../../src/dbos/dbos-library.js';
import { dbosTurnsClient, type DbosTurns } from '../../src/dbos/turn-client.js';

const TURN = 'inboard/chat/1';
const ann = { id: 'a', result: allow(), by: 'ann' };

/** A turn that waits for the questions `a` and `b`. */
class FakeDatabase {
  readonly workflows = new Map<string, DbosWorkflowStatus>([[TURN, { workflowID: TURN, status: 'PENDING' }]]);
  /** By key. A key that was sent before changes nothing. */
  readonly sent = new Map<string | undefined, unknown>();
  readonly rewinds: unknown[] = [];
  readonly resumed: unknown[] = [];
  event: unknown = { questions: [{ id: 'a' }, { id: 'b' }], pending: [] };
  /** Called in the middle of a rewind. */
  onRewind = (): void => {};
  readonly turns: DbosTurns;

  constructor() {
    const client: DbosClient = {
      enqueue: async ({ workflowID }: DbosEnqueueOptions, ...input) => {
        if (!this.workflows.has(workflowID))
          this.workflows.set(workflowID, { workflowID, status: 'ENQUEUED', input });
      },
      send: async (_to, message, _topic, key) => {
        if (!this.sent.has(key)) this.sent.set(key, message);
      },
      getEvent: async () => this.event,
      retrieveWorkflow: (id) => ({
        getStatus: async () => this.workflows.get(id) ?? null,
        getResult: () => Promise.reject(new Error('not asked for')),
      }),
      listWorkflows: async () => [],
      resumeWorkflows: async (ids) => void this.resumed.push(...ids),
      listWorkflowSteps: async () => [
        { functionID: 0, error: null },
        { functionID: 4, error: new Error('the CLI is gone') },
      ],
      rewindWorkflow: async (id, options) => {
        this.onRewind();
        if (this.status !== 'ERROR') throw new Error('only a workflow in a terminal state can be rewound');
        this.rewinds.push([id, options]);
        this.status = 'ENQUEUED';
        this.sent.clear();
      },
    };
    this.turns = dbosTurnsClient({ client });
  }

  get status(): string {
    return this.workflows.get(TURN)?.status ?? 'none';
  }

  set status(status: string) {
    this.workflows.set(TURN, { workflowID: TURN, status });
  }
}

it('takes the first of several answers to a question, and says so', async () => {
  const database = new FakeDatabase();
  const { turns } = database;
  const both = ['ann', 'bob'].map((by) => turns.answer('chat', '1', { ...ann, by }));
  expect(await Promise.all(both)).toEqual([true, false]);
  expect([...database.sent.values()]).toEqual([{ answer: ann, asking: 0 }]);
  expect(await turns.answer('chat', '1', { ...ann, id: 'b' })).toBe(true);
});

it('takes no answer to a question that the turn does not ask, or after its end', async () => {
  const database = new FakeDatabase();
  const { turns } = database;
  expect(await turns.answer('chat', '1', { ...ann, id: 'c' })).toBe(false);
  expect(await turns.answer('chat', 'other', ann)).toBe(false);
  database.status = 'SUCCESS';
  expect(await turns.answer('chat', '1', ann)).toBe(false);
  expect(database.sent.size).toBe(0);
});

it('takes another answer to a question that is asked again', async () => {
  const database = new FakeDatabase();
  await database.turns.answer('chat', '1', ann);
  database.event = { questions: [{ id: 'a' }], pending: [], askings: { a: 1 } };
  expect(await database.turns.answer('chat', '1', { ...ann, by: 'bob' })).toBe(true);
  expect([...database.sent.values()]).toEqual([
    { answer: ann, asking: 0 },
    { answer: { ...ann, by: 'bob' }, asking: 1 },
  ]);
});

it('sends the first answer for a process that died before it had sent it', async () => {
  const database = new FakeDatabase();
  await database.turns.answer('chat', '1', ann);
  database.sent.clear();
  expect(await database.turns.answer('chat', '1', { ...ann, by: 'bob' })).toBe(false);
  expect([...database.sent.values()]).toEqual([{ answer: ann, asking: 0 }]);
});

it('takes a turn up at the step that failed, and sends what people had answered meanwhile', async () => {
  const database = new FakeDatabase();
  const { turns } = database;
  await turns.answer('chat', '1', ann);
  database.status = 'ERROR';
  expect(await turns.retry('chat', '1')).toBe(true);
  const options = { startStep: 4, queueName: 'inboard', queuePartitionKey: 'chat' };
  expect(database.rewinds).toEqual([[TURN, options]]);
  expect([...database.sent.values()]).toEqual([{ answer: ann, asking: 0 }]);
  // It goes on now.
  expect(await turns.retry('chat', '1')).toBe(false);
});

it.each(['PENDING', 'ENQUEUED', 'SUCCESS', 'CANCELLED'])(
  'does not retry a turn that is %s',
  async (status) => {
    const database = new FakeDatabase();
    database.status = status;
    expect(await database.turns.retry('chat', '1')).toBe(false);
    expect(await database.turns.retry('chat', 'unknown')).toBe(false);
    expect([database.rewinds, database.resumed]).toEqual([[], []]);
  },
);

it('puts a turn back that DBOS has given up', async () => {
  const database = new FakeDatabase();
  database.status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED';
  expect(await database.turns.retry('chat', '1')).toBe(true);
  expect([database.rewinds, database.resumed]).toEqual([[], [TURN]]);
});

it('retries once if two ask for it, and fails if DBOS cannot do it', async () => {
  const database = new FakeDatabase();
  database.status = 'ERROR';
  database.onRewind = () => (database.status = 'ENQUEUED');
  expect(await database.turns.retry('chat', '1')).toBe(false);
  database.status = 'ERROR';
  database.onRewind = () => {
    throw new Error('the database is away');
  };
  await expect(database.turns.retry('chat', '1')).rejects.toThrow('the database is away');
});
