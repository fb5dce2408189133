// The options of a chat server, and their checks.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { optionNamesOf } from '@inboard/core/util/check-option-names.js';
import { checkShape, inWords, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { refuseUnknownOptions } from '@inboard/core/util/options-object.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { OpenSessionInput, Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import type { FindChatPlace } from './chat-records.js';
import type { UiChatAction } from './find-route.js';
import { checkHosts, checkOrigins, type UiAllowedHosts, type UiAllowedOrigins } from './request-access.js';

/** The facts that the function `session` gets to open a session. */
export interface UiChatOpening {
  /** The id of the chat. The visitor's page chooses it, so check it before you trust it. */
  id: string;
  /** Pass this to the session as `canUseTool`. It asks the page. */
  canUseTool: CanUseTool;
  /** The id of the chat's session: from the option `place`, or made from the id of the chat. */
  sessionId: string;
  /** Pass this to `openSession`, if you call it yourself. */
  suspendAfterMs: number | undefined;
  /**
   * Opens the session of this chat with your options. The conversation is begun under `sessionId` or resumed, a turn that was
   * cut off goes on, and `canUseTool` and `suspendAfterMs` are set.
   */
  open: (input?: OpenSessionInput) => Promise<Session>;
  /** The request that needs the session. Undefined for `open()`. */
  request: Request | undefined;
}

/** The chat and the action that `authorize` decides about. */
export interface UiChatAccess {
  chatId: string;
  action: UiChatAction;
}

/** What a person changed, for `checkInput`. */
export interface UiInputChange {
  /** The input that the question is about. */
  original: unknown;
  chatId: string;
  /** The request that brought the answer. */
  request: Request | undefined;
  /** Who answered: what the option `user` says about the request. */
  by: string | undefined;
}

/** Options of a chat server. */
export interface UiChatOptions extends UiStreamOptions {
  /**
   * Opens the session of a chat, or resumes it. It is called with the first request that needs a session, and again when that
   * session has ended. Throw a Response to refuse. Use `includePartialMessages: true` for text in pieces.
   */
  session: (opening: UiChatOpening) => Session | Promise<Session>;
  /**
   * Says where the conversation of a chat is kept. With it, a page that is loaded again after a restart sees an open question,
   * and nothing is started before the question is answered. Return undefined if nothing is kept. Default: a session on this
   * disk, whose id is the id of the chat, or a UUID that is derived from it (`sessionId` of the opening).
   */
  place?: FindChatPlace | undefined;
  /**
   * Milliseconds after which the CLI of an idle chat ends until it is needed again. The same holds for a chat that only waits
   * for people. False keeps the CLIs. Applies to sessions that the function `open` opens. Default 60,000.
   */
  suspendAfterMs?: number | false | undefined;
  /**
   * Decides whether to answer a request. False sends a 403, and a Response is sent as it is. Default: every request is
   * answered.
   */
  authorize?:
    | ((request: Request, access: UiChatAccess) => boolean | Response | Promise<boolean | Response>)
    | undefined;
  /**
   * Says who sent a request, such as a name or an id of your login. It is asked about answers to questions, after `authorize`. The
   * queue and the call records keep the name as `by`. Throw a Response to refuse. Default: answers have no name.
   */
  user?:
    | ((request: Request, access: UiChatAccess) => string | undefined | Promise<string | undefined>)
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
    | ((
        input: Record<string, unknown>,
        toolName: string,
        change: UiInputChange,
      ) => string | undefined | Promise<string | undefined>)
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

const OPTION_NAMES = optionNamesOf<UiChatOptions>({
  session: true,
  place: true,
  suspendAfterMs: true,
  authorize: true,
  user: true,
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

/** Throws an InvalidOptionsError for wrong options. */
export function checkChatOptions(options: unknown): asserts options is UiChatOptions {
  const {
    session,
    place,
    user,
    basePath,
    allowedOrigins,
    allowedHosts,
    settleMs,
    maxChats,
    maxBodyBytes,
    suspendAfterMs,
  } = (options ?? {}) as UiChatOptions;
  if (typeof session !== 'function')
    throw new InvalidOptionsError(
      ['session'],
      '"session" must be a function that opens the session of a chat: createUiChat({ session: ({ open }) => open() })',
    );
  // A misspelt `authorize` would admit every visitor.
  refuseUnknownOptions('createUiChat()', options as object, OPTION_NAMES);
  if (basePath !== undefined && !/^\/[^?#]*$/.test(basePath))
    throw new InvalidOptionsError(['basePath'], '"basePath" must be a path such as "/api/chat"');
  if (place !== undefined && typeof place !== 'function')
    throw new InvalidOptionsError(
      ['place'],
      '"place" must be a function that says where the conversation of a chat is kept: (id) => ({ sessionId })',
    );
  if (user !== undefined && typeof user !== 'function')
    throw new InvalidOptionsError(['user'], '"user" must be a function that names who sent a request');
  checkOrigins(allowedOrigins);
  checkHosts(allowedHosts);
  const times = {
    settleMs,
    maxChats,
    maxBodyBytes,
    suspendAfterMs: suspendAfterMs === false ? undefined : suspendAfterMs,
  };
  for (const [name, value] of Object.entries(times)) {
    const more = name === 'suspendAfterMs' ? ', or false' : '';
    checkShape(name, value, inWords(`a whole number above 0${more}`, wholeNumber(1)));
  }
}
