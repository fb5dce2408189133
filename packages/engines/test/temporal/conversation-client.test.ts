// What is sent to the workflows of conversations, on a client that a test controls, and which options are refused.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TemporalClient } from '../../src/temporal/client-library.js';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import {
  conversationClient,
  type ConversationClientOptions,
} from '../../src/temporal/conversation-client.js';
import { turnActivities, type TurnActivitiesOptions } from '../../src/temporal/turn-activities.js';
import type { EngineTurn } from '../../src/turn/engine-turn.js';

const TURN = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };

/** A client whose queries return, or throw, what is listed for their names. */
function createClient(
  update: () => Promise<unknown> = () => Promise.resolve(true),
  queries: Record<string, unknown[]> = {},
) {
  const sent: unknown[] = [];
  const client: TemporalClient = {
    workflow: {
      signalWithStart: async (...given) => void sent.push(given),
      getHandle: (id) => ({
        signal: async (...given) => void sent.push([id, ...given]),
        query: async (name, ...args) => {
          sent.push([id, name, ...args]);
          const result = queries[name]?.shift();
          if (result instanceof Error) throw result;
          return result;
        },
        executeUpdate: async (name, { args, updateId }) => {
          sent.push([id, name, ...args, ...(updateId === undefined ? [] : [updateId])]);
          return await update();
        },
        describe: () => Promise.resolve({}),
      }),
    },
  };
  return { client, sent };
}

/** An error as `@temporalio/client` throws it. */
const grpc = (code: number) => new Error('Failed', { cause: Object.assign(new Error('refused'), { code }) });

afterEach(() => {
  vi.useRealTimers();
});

describe('a client of conversations', () => {
  it('starts the workflow of a conversation with its first turn', async () => {
    const { client, sent } = createClient();
    await conversationClient({ client, taskQueue: 'agents', idPrefix: 'shop-' }).send(TURN);
    expect(sent).toMatchObject([
      [
        'conversationWorkflow',
        {
          workflowId: 'shop-chat',
          taskQueue: 'agents',
          args: [{ conversation: 'chat', agent: 'support' }],
          signal: 'inboardSend',
          signalArgs: [{ id: '1', content: 'Hello', agent: 'support' }],
        },
      ],
    ]);
    await expect(
      conversationClient({ client, taskQueue: 'agents' }).send({ ...TURN, id: '' }),
    ).rejects.toThrow('"id" of the turn must be');
  });

  it('starts it with what a function makes of the first turn, and sends nothing if that fails', async () => {
    const { client, sent } = createClient();
    const start = vi.fn(async ({ conversation }: EngineTurn) => ({ memo: { conversation } }));
    await conversationClient({ client, taskQueue: 'agents', start }).send(TURN);
    expect(sent).toMatchObject([['conversationWorkflow', { memo: { conversation: 'chat' } }]]);
    start.mockRejectedValueOnce(new Error('no customer'));
    await expect(conversationClient({ client, taskQueue: 'agents', start }).send(TURN)).rejects.toThrow(
      'no customer',
    );
    expect(sent).toHaveLength(1);
  });

  it('waits for a turn by a query and one shared update, and follows the turns that end before it', async () => {
    const ends = [
      { id: '0', report: { state: 'ended' }, moment: 'run/4' },
      { id: '1', report: { state: 'ended', outcome: { text: 'done' } }, moment: 'run/5' },
    ];
    const { client, sent } = createClient(() => Promise.resolve(ends.shift()), {
      inboardOutcome: [{ state: 'open', moment: 'run/3' }],
    });
    const outcome = await conversationClient({ client, taskQueue: 'agents' }).outcome('chat', '1');
    expect(outcome).toEqual({ text: 'done' });
    expect(sent).toEqual([
      ['conversation-chat', 'inboardOutcome', '1'],
      ['conversation-chat', 'inboardNextEnd', 'run/3', 'inboard-end/run/3'],
      ['conversation-chat', 'inboardNextEnd', 'run/4', 'inboard-end/run/4'],
    ]);
  });

  it('asks again while no worker answers, while no update is taken, and when a new run goes on', async () => {
    vi.useFakeTimers();
    const failures = [grpc(8), Object.assign(new Error('gone'), { name: 'WorkflowNotFoundError' })];
    const open = (moment: string) => ({ state: 'open', moment });
    const { client } = createClient(() => Promise.reject(failures.shift() ?? new Error('too many')), {
      inboardOutcome: [
        grpc(9),
        open('a/0'),
        open('a/0'),
        { state: 'failed', error: 'no', type: 'CliFailed' },
      ],
    });
    const asking = conversationClient({ client, taskQueue: 'agents' }).outcome('chat', '1');
    const told = expect(asking).rejects.toMatchObject({
      code: 'TEMPORAL_TURN_FAILED',
      failureType: 'CliFailed',
    });
    await vi.runAllTimersAsync();
    await told;
    expect(failures).toEqual([]);
  });

  it('ends a wait when the workflow has ended with the turn, and at a deadline of the program', async () => {
    vi.useFakeTimers();
    const gone = Object.assign(new Error('gone'), { name: 'WorkflowNotFoundError' });
    const { client } = createClient(() => Promise.reject(gone), {
      inboardOutcome: [{ state: 'open', moment: 'a/0' }, { state: 'open', moment: 'a/0' }, grpc(4)],
    });
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    const asking = expect(conversations.outcome('chat', '1')).rejects.toBe(gone);
    await vi.runAllTimersAsync();
    await asking;
    await expect(conversations.outcome('chat', '1')).rejects.toMatchObject({ cause: { code: 4 } });
  });

  it.each([
    [{ state: 'unknown' }, 'TEMPORAL_TURN_UNKNOWN'],
    [{ state: 'forgotten' }, 'TEMPORAL_TURN_FORGOTTEN'],
  ])('has no outcome for a turn that is %j', async (report, code) => {
    const { client } = createClient(undefined, { inboardOutcome: [report] });
    await expect(
      conversationClient({ client, taskQueue: 'agents' }).outcome('chat', '1'),
    ).rejects.toMatchObject({
      code,
    });
  });

  it('gives the same answer as the same update, and by a signal where no update is taken', async () => {
    const answer = { id: 'q', result: { behavior: 'deny' as const, message: 'No.' } };
    const { client, sent } = createClient(() => Promise.reject(grpc(8)), {
      inboardAnswered: ['open', 'taken', 'other', 'unknown'],
    });
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    expect(await conversations.answer('chat', answer)).toBe(true);
    expect(sent.map((each) => (each as unknown[])[1])).toEqual([
      'inboardAnswer',
      'inboardAnswered',
      'inboardAnswer',
      'inboardAnswered',
    ]);
    expect(await conversations.answer('chat', answer)).toBe(false);
    await expect(conversations.answer('chat', answer)).rejects.toMatchObject({
      code: 'TEMPORAL_ANSWER_REFUSED',
    });
    const updates = sent.filter((each) => (each as unknown[]).length === 4);
    expect(new Set(updates.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('changes settings, and closes a conversation if it runs', async () => {
    const { client, sent } = createClient();
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    await conversations.change('chat', { closeAfterMs: 5 });
    expect(await conversations.close('chat')).toBe(true);
    expect(sent).toEqual([
      ['conversation-chat', 'inboardSettings', { closeAfterMs: 5 }],
      ['conversation-chat', 'inboardClose'],
    ]);
    await expect(conversations.change('chat', { turnsPerRun: 0 })).rejects.toThrow('"turnsPerRun" must be');
  });

  it('sends no turn that is too large for Temporal, in bytes', async () => {
    const { client, sent } = createClient();
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    const content = 'ä'.repeat(250_000);
    await expect(conversations.send({ ...TURN, content })).rejects.toThrow(
      /the turn "1" has 5000\d\d bytes .* Put large files where a tool can read them/,
    );
    expect(sent).toEqual([]);
    await conversations.send({ ...TURN, content: 'a'.repeat(400_000) });
    expect(sent).toHaveLength(1);
  });

  it('sends no answer that is too large', async () => {
    const { client, sent } = createClient();
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    const answer = { id: 'q', result: { behavior: 'deny' as const, message: 'a'.repeat(400_000) } };
    await expect(conversations.answer('chat', answer)).rejects.toThrow('the answer to "q" has 4000');
    await expect(conversations.postAnswer('chat', answer)).rejects.toThrow('the answer to "q" has 4000');
    expect(sent).toEqual([]);
  });

  it.each([
    [{ taskQueue: 'agents' }, /needs "client"/],
    [{ client: createClient().client }, /"taskQueue" must be/],
    [{ client: createClient().client, taskQueue: 'agents', turnsPerRun: 0 }, /"turnsPerRun" must be/],
    [{ client: createClient().client, taskQueue: 'agents', closeAfterMs: -1 }, /"closeAfterMs" must be/],
    [{ client: createClient().client, taskQueue: 'agents', start: { workflowId: 'x' } }, /not "workflowId"/],
    [{ client: createClient().client, taskQeue: 'agents' }, /Did you mean "taskQueue"/],
  ])('refuses the options %j', (options, message) => {
    expect(() => conversationClient(options as unknown as ConversationClientOptions)).toThrow(message);
  });
});

describe('activities', () => {
  it.each([
    [{ agents: { a: {} }, ledger: createMemoryLedger(), heartbeat: 5 }, /Did you mean "heartbeatMs"/],
    [{ agents: { a: {} }, ledger: createMemoryLedger(), heartbeatMs: -1 }, /"heartbeatMs" must be/],
    [{ agents: {}, ledger: createMemoryLedger() }, /needs "agents"/],
  ])('refuse the options %j', (options, message) => {
    expect(() => turnActivities(options as unknown as TurnActivitiesOptions)).toThrow(message);
  });
});
