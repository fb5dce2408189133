// Where the conversation of a chat is kept. With it, a page that is loaded again sees an open question before any session is
// opened.
import { isSessionId } from '@inboard/core/record/history/arguments.js';
import { deriveUuid } from '@inboard/core/util/derive-uuid.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';

/** The session of a chat, and where it is kept. The fields mean what the options of the same name mean for the session. */
export interface UiChatPlace {
  sessionId: string;
  sessionStore?: SessionStore | undefined;
  projectKey?: string | undefined;
  cwd?: string | undefined;
  env?: Record<string, string | undefined> | undefined;
}

/** The id of a chat's session, if the program chooses no other: the id of the chat, or a UUID that is derived from it. */
export function sessionIdOfChat(chatId: string): string {
  return isSessionId(chatId) ? chatId : deriveUuid(`chat ${chatId}`);
}

/** The place, as the functions for past sessions take it. */
export function pastOptionsOf({ sessionStore, projectKey, cwd, env }: UiChatPlace): {
  dir?: string | undefined;
  sessionStore?: SessionStore | undefined;
  projectKey?: string | undefined;
  env?: Record<string, string | undefined> | undefined;
} {
  // A transcript on disk may be in the folder of another project, if the session was begun there.
  return sessionStore ? { sessionStore, projectKey, dir: cwd } : { env };
}
