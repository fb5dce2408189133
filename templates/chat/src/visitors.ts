// Who may use which chat, and who answers. Change this before anyone else can reach the server: read your login from the request, and
// look up whether this chat belongs to that person.

const CHAT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The login, if a proxy in front of the server checks it and names the person in a header (LOGIN_HEADER, such as "x-forwarded-user").
 * That proxy must remove the header from what visitors send. Undefined for a visitor without a login.
 */
export function readUser(request: Request, header = process.env['LOGIN_HEADER']): string | undefined {
  return header ? (request.headers.get(header) ?? undefined) : undefined;
}

/** Called for each request. The page makes the id of a chat, so it is checked like any other input. */
export function mayUse(
  request: Request,
  { chatId }: { chatId: string },
  header = process.env['LOGIN_HEADER'],
): boolean | Response {
  if (!CHAT_ID.test(chatId)) return false;
  const user = readUser(request, header);
  if (header && user === undefined) return Response.json({ message: 'Please log in.' }, { status: 401 });
  // With a table of chats: return owners.get(chatId) === user.
  return true;
}
