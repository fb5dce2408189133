// Who may use which chat. Change this before anyone else can reach the server: read your login from the request, and look up
// whether this chat belongs to that person.

const CHAT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Called for each request. The page makes the id of a chat, so it is checked like any other input. */
export function mayUse(_request: Request, { chatId }: { chatId: string }): boolean {
  return CHAT_ID.test(chatId);
}
