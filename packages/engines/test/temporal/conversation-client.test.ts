// What is sent to the workflows of conversations, on a client that a test controls, and which options are refused.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import {
  conversationClient,
  type ConversationClientOptions,
  type TemporalClient,
} from '../../src/temporal/conversation-client.js';
import { turnActivities, type TurnActivitiesOptions } from '../../src/temporal/turn-activities.js';
import { TURN_FAILURES } from '../../src/temporal/workflow/message-names.js';

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
        executeUpdate: async (name, { args, updateId }) => {
          sent.push([id, name, ...args, ...(updateId === undefined ? [] : [updateId])]);
          return await update();
        },
      }),
    },
  };
  return { client, sent };
}

afterEach(() => {
  vi.useRealTimers();
});

const movedOn = () =>
  new Error('failed', { cause: Object.assign(new Error('moved'), { type: TURN_FAILURES.movedOn }) });

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
    vi.useFakeTimers();
    const failures = [movedOn()];
    const { client, sent } = createClient(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return true;
    });
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    const answer = { id: 'q', result: { behavior: 'deny' as const, message: 'No.' } };
    const answering = conversations.answer('chat', answer);
    await vi.runAllTimersAsync();
    expect(await answering).toBe(true);
    expect(sent).toHaveLength(2);
    failures.push(new Error('no such question'));
    await expect(conversations.answer('chat', answer)).rejects.toThrow('no such question');
  });

  it('shares one update among all that wait for an outcome, and gives up when no new run comes', async () => {
    vi.useFakeTimers();
    const { client, sent } = createClient(() => Promise.reject(movedOn()));
    const asking = conversationClient({ client, taskQueue: 'agents' }).outcome('chat', '1');
    await Promise.all([expect(asking).rejects.toThrow('failed'), vi.runAllTimersAsync()]);
    expect(sent).toHaveLength(50);
    expect(sent[0]).toEqual(['conversation-chat', 'inboardOutcome', '1', 'inboard-outcome/1']);
    expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1);
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

  it('sends no answer that is too large, and asks for very long ids without a shared update', async () => {
    const { client, sent } = createClient();
    const conversations = conversationClient({ client, taskQueue: 'agents' });
    const answer = { id: 'q', result: { behavior: 'deny' as const, message: 'a'.repeat(400_000) } };
    await expect(conversations.answer('chat', answer)).rejects.toThrow('the answer to "q" has 4000');
    await expect(conversations.postAnswer('chat', answer)).rejects.toThrow('the answer to "q" has 4000');
    const id = '\u20ac'.repeat(400);
    await conversations.outcome('chat', id);
    expect(sent).toEqual([['conversation-chat', 'inboardOutcome', id]]);
  });

  it.each([
    [{ taskQueue: 'agents' }, /needs "client"/],
    [{ client: createClient().client }, /"taskQueue" must be/],
    [{ client: createClient().client, taskQueue: 'agents', turnsPerRun: 0 }, /"turnsPerRun" must be/],
    [{ client: createClient().client, taskQueue: 'agents', closeAfterMs: -1 }, /"closeAfterMs" must be/],
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
