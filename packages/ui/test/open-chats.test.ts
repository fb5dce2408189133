// The chats of a server: which are opened, kept and closed, with chats that do what the test says.
import { describe, expect, it, vi } from 'vitest';
import type { Session } from '@inboard/inboard/index.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { CutOffAnswer } from '../src/history/recorded-answer.js';
import type { OpenChat } from '../src/chat/open-chat.js';
import { OpenChats, type OpenChatsInput } from '../src/chat/open-chats.js';

const session = { send: () => {}, continued: undefined } as unknown as Session;

function create(more: Partial<OpenChatsInput> = {}) {
  const created: string[] = [];
  const closed: string[] = [];
  const chats = new OpenChats({
    most: 2,
    create: (id) => {
      created.push(id);
      const chat = {
        isOpen: true,
        state: 'idle',
        isAsking: false,
        questions: {},
        start: async () => {},
        close: async (isLeft: boolean) => {
          await new Promise(setImmediate);
          closed.push(isLeft ? `${id} left` : id);
        },
        hasAnswer: () => true,
      };
      return chat as unknown as OpenChat;
    },
    open: () => session,
    readCutOff: async () => undefined,
    watchOthers: () => new Promise<never>(() => {}),
    ...more,
  });
  return { chats, created, closed };
}

describe('the chats of a server', () => {
  it('give their place to others in the order of their last use', async () => {
    const { chats, created, closed } = create();
    for (const id of ['a', 'b', 'a', 'c', 'a']) await chats.open(id, undefined);
    await vi.waitFor(() => expect(closed).toEqual(['b']));
    expect(created).toEqual(['a', 'b', 'c']);
    expect(chats.find('b')).toBeUndefined();
  });

  it('are closed with the server, which waits for that and opens none after it', async () => {
    const { chats, created, closed } = create();
    await chats.open('a', undefined);
    await chats.close(undefined);
    expect(closed).toEqual(['a']);
    await expect(chats.open('b', undefined)).rejects.toMatchObject({ status: 503 });
    expect(created).toEqual(['a']);
  });

  it('are left where the server says so, or where another program completes a call', async () => {
    for (const abandon of [true, undefined]) {
      const cutOff = { isPending: true, messageId: 'm' } as CutOffAnswer;
      const { chats, closed } = create({ readCutOff: async () => cutOff });
      const chat = await chats.open('a', undefined);
      Object.assign(chat, { state: 'running' });
      await chats.close(abandon);
      expect(closed).toEqual(['a left']);
    }
  });
});

describe('a chat that is opened', () => {
  it('is watched for others that go on with it, until it is open', async () => {
    const signals: AbortSignal[] = [];
    const { chats } = create({
      readCutOff: async () => ({ messageId: 'm' }) as CutOffAnswer,
      watchOthers: (_id, _request, signal) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      },
    });
    const opening = chats.open('a', undefined);
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    await opening;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('is opened once for all that ask at a time, and anew after it could not be', async () => {
    const begun = createDeferred<Session>();
    const open = vi.fn(() => begun.promise);
    const { chats, created, closed } = create({ open });
    const asked = [chats.open('a', undefined), chats.open('a', undefined)];
    begun.reject(new Error('no room'));
    for (const each of asked) await expect(each).rejects.toThrow('no room');
    expect([created, closed]).toEqual([['a'], ['a left']]);
    open.mockResolvedValue(session);
    expect(await chats.open('a', undefined)).toBe(chats.find('a'));
    expect(created).toEqual(['a', 'a']);
  });
});
