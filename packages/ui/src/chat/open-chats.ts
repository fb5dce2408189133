// Keeps the chats of a server by id. Each chat is opened once, however many requests ask for it at a time. If there are too
// many chats, the one that has been idle longest is closed.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { CutOffAnswer } from '../history/recorded-answer.js';
import type { OpenChat } from './open-chat.js';
import { readChatId } from './read-post.js';
import { badRequest, ChatRefusal, serverCloses } from './chat-refusal.js';

/** How chats are made and opened. */
export interface OpenChatsInput {
  most: number;
  create: (id: string) => OpenChat;
  open: (id: string, canUseTool: CanUseTool, request: Request | undefined) => Session | Promise<Session>;
  /** Reads what was saved of an answer that was cut off, before a session goes on with it. */
  readCutOff: (id: string, request: Request | undefined) => Promise<CutOffAnswer | undefined>;
  /** Rejects when another process turns out to have the chat's session. Never resolves otherwise. */
  watchOthers: (id: string, request: Request | undefined, signal: AbortSignal) => Promise<never>;
}

/** All chats of a server. */
export class OpenChats {
  readonly #input: OpenChatsInput;
  /** The chats in the order of their last use, the latest at the end. */
  readonly #chats = new Map<string, { chat: OpenChat; opened: Promise<OpenChat> }>();
  #isClosed = false;

  constructor(input: OpenChatsInput) {
    this.#input = input;
  }

  find(id: string): OpenChat | undefined {
    return this.#chats.get(id)?.chat;
  }

  /** Finds or opens a chat with a session. Rejects with the error of the option `session`, or with a ChatRefusal. */
  async open(id: string, request: Request | undefined): Promise<OpenChat> {
    readChatId(id, 'id');
    if (this.#isClosed) throw serverCloses();
    const found = this.#chats.get(id);
    if (found) {
      // The chat moves to the end, because it was used last.
      this.#chats.delete(id);
      this.#chats.set(id, found);
      const chat = await found.opened;
      if (chat.isOpen) return chat;
      if (this.#chats.get(id) === found) await this.#remove(id, found.chat);
      return await this.open(id, request);
    }
    this.#closeIdle();
    const chat = this.#input.create(id);
    const opened = this.#start(id, chat, request);
    this.#chats.set(id, { chat, opened });
    return await opened;
  }

  /** Closes an idle chat, unless it is to be kept. A chat that is being opened is judged when it is open. */
  async drop(id: string, isKept: (chat: OpenChat) => boolean): Promise<void> {
    const found = this.#chats.get(id);
    const chat = await found?.opened.catch(() => undefined);
    if (!chat || this.#chats.get(id) !== found) return;
    if (chat.state === 'idle' && !isKept(chat)) await this.#remove(id, chat);
  }

  /** Closes all chats. Without `abandon`, those that wait for people or programs are left to the next process, others are stopped. */
  async close(abandon: boolean | undefined): Promise<void> {
    this.#isClosed = true;
    const chats = [...this.#chats];
    this.#chats.clear();
    // A chat that is being opened gets its session at the end of the opening. So this waits for the opening first.
    await Promise.all(chats.map(([, { opened }]) => opened.catch(() => {})));
    await Promise.all(
      chats.map(async ([id, { chat }]) => {
        // Asked again at the end, because a question may come up while the records are read.
        const isLeft = abandon ?? (chat.isAsking || (await this.#isPending(id, chat)) || chat.isAsking);
        await chat.close(isLeft);
      }),
    );
  }

  /** Whether another program completes a call of the running answer later. Only the records know. */
  async #isPending(id: string, chat: OpenChat): Promise<boolean> {
    if (chat.state === 'idle') return false;
    const cutOff = await this.#input.readCutOff(id, undefined);
    return cutOff?.isPending === true && chat.hasAnswer(cutOff.messageId);
  }

  async #start(id: string, chat: OpenChat, request: Request | undefined): Promise<OpenChat> {
    const started = new AbortController();
    try {
      const before = await this.#input.readCutOff(id, request);
      const session: unknown = await this.#input.open(id, chat.questions.canUseTool, request);
      if (!isSession(session))
        throw new InvalidOptionsError(
          ['session'],
          'The function "session" must return a session of openSession()',
        );
      const lost = before
        ? this.#input.watchOthers(id, request, started.signal)
        : new Promise<never>(() => {});
      await chat.start(session, before, lost);
      return chat;
    } catch (error) {
      if (this.#chats.get(id)?.chat === chat) this.#chats.delete(id);
      // A turn that was cut off, and that goes on elsewhere, must not be stopped.
      await chat.close(true).catch(() => {});
      throw isAboutId(error, id) ? notASessionId(id) : error;
    } finally {
      started.abort();
    }
  }

  /** Closes the chat that has been idle longest, if there are too many. Refuses if all of them are busy. */
  #closeIdle(): void {
    if (this.#chats.size < this.#input.most) return;
    const chats = [...this.#chats];
    const idle = chats.find(([, { chat }]) => chat.isOpen && chat.state === 'idle');
    // Without an idle chat, one that only waits for people is left. Its questions are recorded, and the next answer opens it.
    const waiting = idle ?? chats.find(([, { chat }]) => chat.isOpen && chat.isLeavable);
    if (!waiting)
      throw new ChatRefusal(
        503,
        'TOO_MANY_CHATS',
        'Too many conversations are under way. Please try again later.',
        {
          'retry-after': '30',
        },
      );
    void this.#remove(waiting[0], waiting[1].chat, !idle).catch(() => {});
  }

  async #remove(id: string, chat: OpenChat, abandon = false): Promise<void> {
    this.#chats.delete(id);
    await chat.close(abandon);
  }
}

function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'send' in value && 'continued' in value;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a session could not be opened because the id of the chat was used as a session id and is not a UUID. */
function isAboutId(error: unknown, id: string): boolean {
  if (!(error instanceof InvalidOptionsError) || UUID.test(id)) return false;
  return error.options.some((name) => name === 'sessionId' || name === 'resume');
}

// The visitor's page chose the id, so the response tells the page. By default, `useChat` makes ids that are not UUIDs.
function notASessionId(id: string): ChatRefusal {
  return badRequest(
    'id',
    `${JSON.stringify(id)} is not a UUID, and this server uses the id of a chat as that of its session. Give the chat one: useChat({ id: crypto.randomUUID() })`,
  );
}
