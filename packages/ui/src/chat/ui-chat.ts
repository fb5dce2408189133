// A chat server for any framework. It turns a request into a response: checks the visitor, finds the chat, and leaves the rest
// to the chat.
import { InvalidOptionsError, PermissionUnavailableError } from '@inboard/core/errors.js';
import { createApprovals, type Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { LogFolder } from '@inboard/core/wire/process/log-folder.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { optionNamesOf } from '@inboard/core/util/check-option-names.js';
import { checkShape, inWords, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { refuseUnknownOptions } from '@inboard/core/util/options-object.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import { respondWithEvents } from '../stream/event-text.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import { respondWithOutcome } from './chat-answers.js';
import { OpenChat, type OpenChatSetup, type UiChatState } from './open-chat.js';
import { OpenChats } from './open-chats.js';
import { findRoute, type UiChatAction, type ChatRoute } from './find-route.js';
import { readJsonBody } from './read-body.js';
import { readDecision, readPost, type ChatPost } from './read-post.js';
import { badRequest, ChatRefusal, respondWithJson, respondWithRefusal } from './chat-refusal.js';
import {
  checkHosts,
  checkOrigins,
  refuseForeign,
  refuseHost,
  type UiAllowedHosts,
  type UiAllowedOrigins,
} from './request-access.js';
import type { WebStream } from '../stream/web-stream.js';

/** The facts that the function `session` gets to open a session. */
export interface UiChatOpening {
  /** The id of the chat. The visitor's page chooses it, so check it before you trust it. */
  id: string;
  /** Pass this to the session as `canUseTool`. It asks the page. */
  canUseTool: CanUseTool;
  /** The request that needs the session. Undefined for `open()`. */
  request: Request | undefined;
}

/** The chat and the action that `authorize` decides about. */
export interface UiChatAccess {
  chatId: string;
  action: UiChatAction;
}

/** Options of a chat server. */
export interface UiChatOptions extends UiStreamOptions {
  /**
   * Opens the session of a chat, or resumes it. It is called with the first request that needs a session, and again when that
   * session has ended. Throw a Response to refuse. Use `includePartialMessages: true` for text in pieces.
   */
  session: (opening: UiChatOpening) => Session | Promise<Session>;
  /**
   * Decides whether to answer a request. False sends a 403, and a Response is sent as it is. Default: every request is
   * answered.
   */
  authorize?:
    | ((request: Request, access: UiChatAccess) => boolean | Response | Promise<boolean | Response>)
    | undefined;
  /** The queue of questions. If your tools ask questions, give the queue that they use. Default: a new queue, in memory. */
  approvals?: Approvals | undefined;
  /** The path of the chat. Other paths get a 404. Default: any path. */
  basePath?: string | undefined;
  /** Origins of other sites whose pages may write. Default: none but the server's own. */
  allowedOrigins?: UiAllowedOrigins | undefined;
  /**
   * Host names, besides those of loopback, by which the server may be called, or `'*'` for all. Default: all names. But for
   * connections from this machine that come through `toNodeListener`, the default is only the names of loopback. A proxy on
   * this machine makes such connections too.
   */
  allowedHosts?: UiAllowedHosts | undefined;
  /** Checks an input that a person changed, before the tool gets it. Return a string to say what is wrong with it. */
  checkInput?:
    | ((input: Record<string, unknown>, toolName: string) => string | undefined | Promise<string | undefined>)
    | undefined;
  /**
   * Milliseconds of quiet after which a response that waits for approvals ends. Because of this wait, several questions in a
   * row come in one response. The wait is eight times as long while other calls are at work, because they may need approval as
   * well. Default 150.
   */
  settleMs?: number | undefined;
  /** The maximum size of a request, in bytes. Default 16 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * How many sessions are open at a time. If one more is needed, the session that has been idle longest is closed. If all of
   * them are busy, the request gets a 503. Default 100.
   */
  maxChats?: number | undefined;
}

/** A chat server. Close it when you are done. */
export interface UiChat extends AsyncDisposable {
  /** Answers a request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Opens a chat without a request. Use it after a restart, so that a session with `interrupted: 'continue'` continues its
   * turn. Rejects with the error of the option `session`, or with an InvalidOptionsError if the chat is refused.
   */
  open(id: string): Promise<void>;
  /** The current state of a chat. `waiting` means that it waits for people. */
  state(id: string): UiChatState;
  /** Closes all sessions. With `abandon`, their turns are left as after a crash, for the next process to continue. */
  close(options?: { abandon?: boolean | undefined }): Promise<void>;
}

const MOST_BODY_BYTES = 16 * 1024 * 1024;
const MOST_CHATS = 100;
const SETTLE_MS = 150;

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

  constructor(options: UiChatOptions) {
    this.#options = options;
    this.#approvals = options.approvals ?? createApprovals();
    this.#chats = new OpenChats({
      most: options.maxChats ?? MOST_CHATS,
      create: () => new OpenChat(this.#setup),
      open: (id, canUseTool, request) => options.session({ id, canUseTool, request }),
    });
  }

  async fetch(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ChatRefusal) return respondWithRefusal(error);
      if (error instanceof Response) return error;
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

  async close({ abandon = false }: { abandon?: boolean | undefined } = {}): Promise<void> {
    await this.#chats.close(abandon);
    if (!this.#options.approvals) this.#approvals.close();
    this.#folder.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #setup(): OpenChatSetup {
    return {
      approvals: this.#approvals,
      settleMs: this.#options.settleMs ?? SETTLE_MS,
      folder: this.#folder,
      options: this.#options,
      onLost: (cause) =>
        warnOnce(`An answer cannot be kept for later readers: ${messageOf(cause)}`, 'CHAT_LOG_LOST'),
      checkInput: async ({ approvalId, input }, toolName) => {
        const problem: unknown = await this.#options.checkInput?.(input, toolName);
        if (problem === undefined) return;
        throw badRequest(`input of ${approvalId}`, typeof problem === 'string' ? problem : 'was refused');
      },
    };
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
    if (post) return respondWithEvents(await this.#post(request, post));
    return await this.#serve(request, chatId, route, body);
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

  async #post(request: Request, post: ChatPost): Promise<WebStream<string>> {
    const chat = await this.#chats.open(post.chatId, request);
    return post.kind === 'message' ? chat.send(post) : await chat.continue(post);
  }

  async #serve(
    request: Request,
    chatId: string,
    { action }: ChatRoute,
    body: Record<string, unknown>,
  ): Promise<Response> {
    const chat = this.#chats.find(chatId);
    switch (action) {
      case 'read': {
        const follow = new URL(request.url).searchParams.get('follow') === 'true';
        const events = chat?.replay(follow);
        return events ? respondWithEvents(events) : new Response(null, { status: 204 });
      }
      case 'stop':
        return respondWithJson(200, { stopped: (await chat?.stop()) ?? false });
      case 'list':
        return respondWithJson(200, { approvals: chat?.questions.list() ?? [] });
      default: {
        const decision = readDecision(body);
        const open = await this.#chats.open(chatId, request);
        return respondWithOutcome(await open.take(decision));
      }
    }
  }
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

const OPTION_NAMES = optionNamesOf<UiChatOptions>({
  session: true,
  authorize: true,
  approvals: true,
  basePath: true,
  allowedOrigins: true,
  allowedHosts: true,
  checkInput: true,
  settleMs: true,
  maxBodyBytes: true,
  maxChats: true,
  reasoning: true,
  subagents: true,
  metadata: true,
  onError: true,
});

function checkChatOptions(options: unknown): asserts options is UiChatOptions {
  const { session, basePath, allowedOrigins, allowedHosts, settleMs, maxChats, maxBodyBytes } = (options ??
    {}) as UiChatOptions;
  if (typeof session !== 'function')
    throw new InvalidOptionsError(
      ['session'],
      '"session" must be a function that opens the session of a chat: createUiChat({ session: ({ canUseTool }) => openSession({ options: { canUseTool } }) })',
    );
  // A misspelt `authorize` would admit every visitor.
  refuseUnknownOptions('createUiChat()', options as object, OPTION_NAMES);
  if (basePath !== undefined && !/^\/[^?#]*$/.test(basePath))
    throw new InvalidOptionsError(['basePath'], '"basePath" must be a path such as "/api/chat"');
  checkOrigins(allowedOrigins);
  checkHosts(allowedHosts);
  for (const [name, value] of Object.entries({ settleMs, maxChats, maxBodyBytes })) {
    checkShape(name, value, inWords('a whole number above 0', wholeNumber(1)));
  }
}
