// How the session of a chat is opened for the program, and where its conversation is looked for.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  InMemorySessionStore,
  InvalidOptionsError,
  LaunchError,
  type Session,
} from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createUiChat, type UiChat, type UiChatOptions } from '@inboard/inboard/ui.js';
import { createCutStore, SESSION } from '../../core/test/flows/completed/cut-session.js';
import { Page } from './chat-scene.js';

type Opening = Parameters<UiChatOptions['session']>[0];
type Input = Parameters<Opening['open']>[0];

/** A chat whose sessions are opened by `open`, and what it was opened with. */
function openChat(
  more: Partial<UiChatOptions> = {},
  input: Input = {},
): { chat: UiChat; openings: Opening[]; sessions: Session[] } {
  const fake = createFakeCli(() => [say('Hello.')], { allowEarlyEnd: true });
  const openings: Opening[] = [];
  const sessions: Session[] = [];
  const chat = createUiChat({
    session: async (opening) => {
      openings.push(opening);
      const options = { transport: fake.transport, closeGraceMs: 0, ...input.options };
      const session = await opening.open({ ...input, options });
      sessions.push(session);
      return session;
    },
    ...more,
  });
  onTestFinished(async () => {
    await chat.close();
    await fake.close({ verify: false });
  });
  return { chat, openings, sessions };
}

describe('the session of a chat', () => {
  it('has the id of the chat, or a UUID that follows from it', async () => {
    const { chat, sessions, openings } = openChat();
    const id = crypto.randomUUID();
    for (const each of [id, 'c1', 'c2']) await new Page(chat, each).send('Hi.');
    const ids = sessions.map(({ sessionId }) => sessionId);
    expect(ids[0]).toBe(id);
    expect(ids[1]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(3);
    expect(openings.map(({ sessionId }) => sessionId)).toEqual(ids);

    const again = openChat();
    await new Page(again.chat, 'c1').send('Hi.');
    expect(again.sessions[0]?.sessionId).toBe(ids[1]);
  });

  it('is the one that the program names, in the place that it names, and goes on there', async () => {
    const { store } = await createCutStore();
    const { chat, sessions } = openChat({ place: () => ({ sessionId: SESSION, sessionStore: store }) });
    await chat.open('c1');
    expect(await sessions[0]?.continued).toBeDefined();
    expect((await chat.messages('c1')).map(({ role }) => role)).toEqual(['user']);
  });

  it('ends its CLI when it is idle, after the time of the chat', async () => {
    const { chat, sessions, openings } = openChat({ suspendAfterMs: 20 });
    await new Page(chat).send('Hi.');
    await vi.waitFor(() => expect(sessions[0]?.state).toBe('suspended'));
    expect(openings[0]?.suspendAfterMs).toBe(20);
  });

  it.each([
    [undefined, 60_000],
    [false, undefined],
  ])('is suspended with %j after %j ms', async (suspendAfterMs, expected) => {
    const { chat, openings } = openChat({ suspendAfterMs: suspendAfterMs as false | undefined });
    await new Page(chat).send('Hi.');
    expect(openings[0]?.suspendAfterMs).toBe(expected);
  });

  it('is opened without that where it could not be resumed', async () => {
    const { chat } = openChat({}, { options: { persistSession: false } });
    const page = new Page(chat);
    await page.send('Hi.');
    expect(page.text).toBe('Hello.');
  });

  it.each([
    ['a session of its own', { sessionId: SESSION }, /chosen by the chat/],
    ['a session to resume', { resume: SESSION }, /chosen by the chat/],
    ['a store that the place does not name', { sessionStore: new InMemorySessionStore() }, /"place"/],
  ])('is refused with %s', async (_, options, message) => {
    const { chat } = openChat({}, { options });
    await expect(chat.open('c1')).rejects.toThrow(InvalidOptionsError);
    await expect(chat.open('c1')).rejects.toThrow(message);
  });

  it.each([
    ['a place that is no function', { place: 'here' }, ['place']],
    ['no time to wait', { suspendAfterMs: 0 }, ['suspendAfterMs']],
  ])('is not opened by a server with %s', (_, wrong, options) => {
    let error: unknown;
    try {
      createUiChat({ session: (opening: Opening) => opening.open(), ...wrong } as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect((error as InvalidOptionsError).options).toEqual(options);
    if (options[0] === 'suspendAfterMs') expect((error as Error).message).toContain('or false');
  });

  it('has the id that follows from the chat where the program keeps nothing of it', async () => {
    const usual = openChat();
    await usual.chat.open('c1');
    const { chat, openings } = openChat({ place: () => undefined });
    await chat.open('c1');
    expect(openings[0]?.sessionId).toBe(usual.openings[0]?.sessionId);
  });

  it('that another process has is not opened, and the page is told so', async () => {
    const session = (): never => {
      throw new LaunchError('SESSION_RUNNING', 'It runs elsewhere');
    };
    const { chat } = openChat({ session });
    const refused = await new Page(chat).post('Hi.');
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'SESSION_RUNNING' }]);
  });

  it.each([[{ sessionId: 'c1' }], ['c1'], [{}]])('is not looked for at %j', async (place) => {
    const { chat } = openChat({ place: () => place as never });
    await expect(chat.messages('c1')).rejects.toThrow('The function "place" must return');
  });
});
