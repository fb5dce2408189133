// Who may use which chat, and who answers. Change this before anyone else can reach the server: read your login from the request, and
// look up whether this chat belongs to that person.

import type { UiChatAccess } from 'inboard/ui';

const CHAT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The login, if a proxy in front of the server checks it and names the person in a header (LOGIN_HEADER, such as "x-forwarded-user").
 * That proxy must remove the header from what visitors send. Undefined for a visitor without a login.
 */
export function readUser(request: Request, header = process.env['LOGIN_HEADER']): string | undefined {
  // A proxy may send the header empty for a visitor who is not logged in.
  return (header && request.headers.get(header)) || undefined;
}

/** Called for each request. The page makes the id of a chat, so it is checked like any other input. */
export function mayUse(
  request: Request,
  { chatId }: UiChatAccess,
  header = process.env['LOGIN_HEADER'],
): boolean | Response {
  if (!CHAT_ID.test(chatId)) return false;
  const user = readUser(request, header);
  if (header && user === undefined) return Response.json({ message: 'Please log in.' }, { status: 401 });
  // With a table of chats, a chat without an owner has nothing to read yet, and the page reads before the first message:
  //   const owner = owners.get(chatId);
  //   if (owner !== undefined) return owner === user;
  //   if (action === 'send') owners.set(chatId, user);
  //   return action === 'send' || action === 'history' || action === 'read';
  return true;
}
