// Opens the session of a chat for the program: begins the conversation, or goes on with it, in the place of the chat.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { loadPart } from '@inboard/core/util/load-part.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import {
  openSession,
  type OpenSessionInput,
  type Session,
} from '@inboard/core/verbs/conversation/open-session.js';
import { pastOptionsOf, type UiChatPlace } from '../history/chat-place.js';

/** What the chat adds to the program's options. */
export interface ChatSessionInput {
  place: UiChatPlace;
  canUseTool: CanUseTool;
  suspendAfterMs: number | undefined;
}

/**
 * Opens the session. If the conversation exists, it is resumed, and a turn that was cut off goes on. The options of the program
 * come before those of the chat. Rejects with an InvalidOptionsError for options that only `place` may set.
 */
export async function openChatSession(
  { place, canUseTool, suspendAfterMs }: ChatSessionInput,
  input: OpenSessionInput = {},
): Promise<Session> {
  const { sessionId, ...kept } = place;
  const { options = {} } = input;
  checkPlace(place, options);
  const { getSessionInfo } = await loadPart(
    () => import('@inboard/core/record/history/sessions/list-sessions.js'),
  );
  const isKnown = (await getSessionInfo(sessionId, pastOptionsOf(place))) !== undefined;
  return openSession({
    // A session that cannot be resumed cannot be suspended either.
    ...(isResumable(options) && { suspendAfterMs }),
    ...(isKnown && { interrupted: 'continue' }),
    ...input,
    options: {
      canUseTool,
      ...kept,
      ...options,
      ...(isKnown ? { resume: sessionId } : { sessionId }),
    },
  });
}

function isResumable({ persistSession, transport }: NonNullable<OpenSessionInput['options']>): boolean {
  return persistSession !== false && (transport === undefined || typeof transport === 'function');
}

function checkPlace(place: UiChatPlace, options: NonNullable<OpenSessionInput['options']>): void {
  const named = (['sessionId', 'resume', 'continue', 'forkSession'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (named !== undefined)
    throw new InvalidOptionsError(
      [`options.${named}`],
      `"${named}" is chosen by the chat: leave it out of open(), or call openSession() yourself`,
    );
  const { sessionStore } = options;
  if (sessionStore !== undefined && sessionStore !== place.sessionStore)
    throw new InvalidOptionsError(
      ['sessionStore', 'place'],
      'A page that is loaded again reads the store without a session, so name it in "place": createUiChat({ place: () => ({ sessionId, sessionStore }) })',
    );
}
