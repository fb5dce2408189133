// A chat server for any framework. It turns a request into a response: checks the visitor, finds the chat, and leaves the rest
// to the chat.
import { InvalidOptionsError, LaunchError, PermissionUnavailableError } from '@inboard/core/errors.js';
import { createApprovals, type Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { LogFolder } from '@inboard/core/wire/process/log-folder.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import { sessionIdOfChat } from '../history/chat-place.js';
import type { UiMessage } from '../history/ui-message.js';
import { respondWithEvents } from '../stream/event-text.js';
import type { CutOffAnswer } from '../history/recorded-answer.js';
import { ChatActions, type ChatRequest } from './chat-actions.js';
import { respondWithOutcome, type InputCheck } from './chat-answers.js';
import { ChatRecords } from './chat-records.js';
import { openChatSession } from './chat-session.js';
import { OpenChat, type OpenChatSetup, type UiChatState } from './open-chat.js';
import { OpenChats } from './open-chats.js';
import { findRoute, type ChatRoute } from './find-route.js';
import { readJsonBody } from './read-body.js';
import { readDecision, readPost, type ChatPost } from './read-post.js';
import {
  badRequest,
  ChatRefusal,
  respondWithJson,
  respondWithRefusal,
  runningElsewhere,
} from './chat-refusal.js';
import { isForeign, refuseForeign, refuseHost } from './request-access.js';
import { checkChatOptions, type UiChatAccess, type UiChatOptions } from './ui-chat-options.js';

/** A chat server. Close it when you are done. */
export interface UiChat extends AsyncDisposable {
  /** Answers a request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Opens a chat without a request. Use it after a restart, so that a session with `interrupted: 'continue'` continues its
   * turn. Rejects with the error of the option `session`, or with an InvalidOptionsError if the chat is refused.
   */
  open(id: string): Promise<void>;
  /** The current state of a chat in this process. `waiting` means that it waits for people. */
  state(id: string): UiChatState;
  /**
   * What was said in a chat, read from its transcript and records. Starts nothing. An answer that the page gets when it resumes
   * the stream is left out, unless `whole` is set. Rejects with the error of the option `place`, the disk or the store.
   */
  messages(id: string, options?: { whole?: boolean | undefined }): Promise<UiMessage[]>;
  /**
   * Closes all sessions. Turns that wait for people, or for pending calls, are left as after a crash, for the next process to
   * continue. With `abandon`, all turns are. With `abandon: false`, none are.
   */
  close(options?: { abandon?: boolean | undefined }): Promise<void>;
}

const MOST_BODY_BYTES = 16 * 1024 * 1024;
const MOST_CHATS = 100;
const SETTLE_MS = 150;
const SUSPEND_AFTER_MS = 60_000;

/** Creates a chat server. Throws for wrong options. */
export function createUiChat(options: UiChatOptions): UiChat {
  checkChatOptions(options);
  return new ChatServer(options);
}

class ChatServer implements UiChat {
  readonly #options: UiChatOptions;
  readonly #approvals: Approvals;
  readonly #folder = new LogFolder('chat');
  readonly #chats: OpenChats;
  readonly #records: ChatRecords;
  readonly #actions: ChatActions;

  constructor(options: UiChatOptions) {
    this.#options = options;
    this.#approvals = options.approvals ?? createApprovals();
    this.#records = new ChatRecords(this.#approvals, options.place);
    this.#chats = new OpenChats({
      most: options.maxChats ?? MOST_CHATS,
      create: (id) => new OpenChat(this.#describe(id)),
      open: (id, canUseTool, request) => this.#open(id, canUseTool, request),
      readCutOff: (id, request) => this.#readCutOff(id, request),
      watchOthers: (id, request, signal) => this.#records.watchOthers(id, request, signal),
    });
    this.#actions = new ChatActions({
      chats: this.#chats,
      records: this.#records,
      options,
      checkInput: this.#checkInput,
      mayGoOn: this.#mayGoOn,
    });
  }

  async fetch(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ChatRefusal) return respondWithRefusal(error);
      if (error instanceof Response) return error;
      if (isRunningElsewhere(error)) return respondWithRefusal(runningElsewhere());
      // The error is reported to the operator, not to the visitor.
      warnOnce(`A request to the chat failed: ${messageOf(error)}`, 'CHAT_FAILED', messageOf(error));
      return respondWithRefusal(describeFailure(error));
    }
  }

  async open(id: string): Promise<void> {
    try {
      await this.#chats.open(id, undefined);
    } catch (error) {
      throw error instanceof ChatRefusal ? new InvalidOptionsError(['id'], error.message) : error;
    }
  }

  state(id: string): UiChatState {
    return this.#chats.find(id)?.state ?? 'idle';
  }

  async messages(id: string, { whole = false }: { whole?: boolean | undefined } = {}): Promise<UiMessage[]> {
    return await this.#actions.messages({ chatId: id, request: undefined }, whole);
  }

  async close({ abandon }: { abandon?: boolean | undefined } = {}): Promise<void> {
    await this.#chats.close(abandon);
    if (!this.#options.approvals) this.#approvals.close();
    this.#folder.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #describe(id: string): OpenChatSetup {
    return {
      approvals: this.#approvals,
      settleMs: this.#options.settleMs ?? SETTLE_MS,
      folder: this.#folder,
      options: this.#options,
      onLost: (cause) =>
        warnOnce(`An answer cannot be kept for later readers: ${messageOf(cause)}`, 'CHAT_LOG_LOST'),
      checkInput: this.#checkInput,
      onBegin: () => this.#actions.noteBegun(id),
    };
  }

  readonly #checkInput: InputCheck = async ({ approvalId, input, from }, { toolName, input: original }) => {
    const { chatId = '', request, by } = from ?? {};
    const about = { original, chatId, request, by };
    const problem: unknown = await this.#options.checkInput?.(input, toolName, about);
    if (problem === undefined) return;
    throw badRequest(`input of ${approvalId}`, typeof problem === 'string' ? problem : 'was refused');
  };

  async #open(id: string, canUseTool: CanUseTool, request: Request | undefined): Promise<Session> {
    const { session, suspendAfterMs: given = SUSPEND_AFTER_MS } = this.#options;
    const place = (await this.#records.place(id, request)) ?? { sessionId: sessionIdOfChat(id) };
    const suspendAfterMs = given === false ? undefined : given;
    return await session({
      id,
      canUseTool,
      request,
      sessionId: place.sessionId,
      suspendAfterMs,
      open: (input) => openChatSession({ place, canUseTool, suspendAfterMs }, input),
    });
  }

  /** A chat that cannot be read is opened nevertheless. Its session meets the same failure, and says more about it. */
  async #readCutOff(id: string, request: Request | undefined): Promise<CutOffAnswer | undefined> {
    try {
      return (await this.#records.read(id, request)).recorded?.cutOff;
    } catch (error) {
      warnOnce(`A chat could not be read: ${messageOf(error)}`, 'CHAT_FAILED', messageOf(error));
      return undefined;
    }
  }

  async #answer(request: Request): Promise<Response> {
    refuseHost(request, this.#options.allowedHosts);
    const route = findRoute(request, this.#options.basePath);
    if (request.method === 'POST') refuseForeign(request, this.#options.allowedOrigins);
    const { maxBodyBytes = MOST_BODY_BYTES } = this.#options;
    const hasBody = route.action === 'send' || route.action === 'answer';
    const body = hasBody ? await readJsonBody(request, maxBodyBytes) : {};
    const post = route.action === 'send' ? readPost(body) : undefined;
    const chatId = post?.chatId ?? (route as { chatId: string }).chatId;
    const refused = await this.#refuse(request, { chatId, action: route.action });
    if (refused) return refused;
    const to = { chatId, request };
    const by = hasDecisions(route, post)
      ? await this.#options.user?.(request, { chatId, action: route.action })
      : undefined;
    const from = { chatId, request, by };
    if (post?.kind === 'message') return respondWithEvents(await this.#actions.send(to, post));
    if (post) {
      const decisions = post.decisions.map((decision) => ({ ...decision, from }));
      return respondWithEvents(await this.#actions.continue(to, { ...post, decisions }));
    }
    if (route.action === 'answer')
      return respondWithOutcome(await this.#actions.answer(to, { ...readDecision(body), from }));
    return await this.#serve(to, route);
  }

  async #refuse(request: Request, access: UiChatAccess): Promise<Response | undefined> {
    const { authorize } = this.#options;
    if (!authorize) return undefined;
    const verdict: unknown = await authorize(request, access);
    if (verdict instanceof Response) return verdict;
    // Only `true` admits a visitor. A function that forgot to return something must not admit every visitor.
    if (verdict === true) return undefined;
    throw new ChatRefusal(403, 'FORBIDDEN', 'You may not do this in this chat.');
  }

  /**
   * Whether a request that only reads may let an answer go on. That opens a session, as a message does, so it takes the rights of
   * one: of a visitor who may send, and of a page that may write.
   */
  readonly #mayGoOn = async ({ chatId, request }: ChatRequest): Promise<boolean> => {
    if (!request) return true;
    if (isForeign(request, this.#options.allowedOrigins)) return false;
    const { authorize } = this.#options;
    return !authorize || (await authorize(request, { chatId, action: 'send' })) === true;
  };

  async #serve(to: { chatId: string; request: Request }, { action }: ChatRoute): Promise<Response> {
    const actions = this.#actions;
    const isSet = (name: string): boolean => new URL(to.request.url).searchParams.get(name) === 'true';
    switch (action) {
      case 'read': {
        const events = await actions.read(to, isSet('follow'));
        return events ? respondWithEvents(events) : new Response(null, { status: 204 });
      }
      case 'stop':
        return respondWithJson(200, { stopped: await actions.stop(to) });
      case 'list':
        return respondWithJson(200, { approvals: await actions.list(to) });
      default:
        return respondWithJson(200, { messages: await actions.messages(to, isSet('whole')) });
    }
  }
}

/** Whether a request may have decisions of a person. */
function hasDecisions(route: ChatRoute, post: ChatPost | undefined): boolean {
  return route.action === 'answer' || (post?.kind === 'continue' && post.decisions.length > 0);
}

function describeFailure(error: unknown): ChatRefusal {
  if (error instanceof PermissionUnavailableError)
    return new ChatRefusal(
      503,
      'APPROVALS_AWAY',
      'Approvals cannot be kept at the moment. Please try again.',
      {
        'retry-after': '5',
      },
    );
  return new ChatRefusal(500, 'FAILED', 'Something went wrong. Please try again.');
}

/** Whether a session could not be opened, or has ended, because another process has it. */
function isRunningElsewhere(error: unknown): boolean {
  if (error instanceof LaunchError) return error.code === 'SESSION_RUNNING';
  return error instanceof Error && error.cause !== undefined && isRunningElsewhere(error.cause);
}
