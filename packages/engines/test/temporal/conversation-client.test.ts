// What is sent to the workflows of conversations, on a client that a test controls, and which options are refused.
import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import {
  conversationClient,
  type ConversationClientOptions,
  type TemporalClient,
} from '../../src/temporal/conversation-client.js';
import { turnActivities, type TurnActivitiesOptions } from '../../src/temporal/turn-activities.js';
import { MOVED_ON } from '../../src/temporal/workflow/message-names.js';

const TURN = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };

function createClient(update: () => Promise<unknown> = () => Promise.resolve(true)) {
  const sent: unknown[] = [];
  const client: TemporalClient = {
    workflow: {
      signalWithStart: async (...given) => void sent.push(given),
      getHandle: (id) => ({
        signal: async (...given) => void sent.push([id, ...given]),
        query: async (name) => {
          sent.push([id, name]);
          return [];
        },
        executeUpdate: async (name, { args }) => {
          sent.push([id, name, ...args]);
          return await update();
        },
      }),
    },
  };
  return { client, sent };
}

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

  it('asks again when the workflow has gone on in a new run, and not after another failure', async () => {
    const failures: Error[] = [
      new Error('failed', { cause: Object.assign(new Error('moved'), { type: MOVED_ON }) }),
    ];
    const { client, sent } = createClient(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return true;
    });
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    const answer = { id: 'q', result: { behavior: 'deny' as const, message: 'No.' } };
    expect(await conversations.answer('chat', answer)).toBe(true);
    expect(sent).toHaveLength(2);
    failures.push(new Error('no such question'));
    await expect(conversations.answer('chat', answer)).rejects.toThrow('no such question');
  });

  it.each([
    [{ taskQueue: 'agents' }, /needs "client"/],
    [{ client: createClient().client }, /"taskQueue" must be/],
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
