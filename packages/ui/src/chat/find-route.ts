// Finds the route of a request. The transport of `useChat` uses the routes that send and read. Further routes stop an answer,
// list and answer questions, and give past messages. Without a base path, the routes may be below any path.
import { readChatId } from './read-post.js';
import { ChatRefusal } from './chat-refusal.js';

/**
 * The action of a request: to send a message, read the running answer, stop it, list the questions, answer one, or read what
 * was said before.
 */
export type UiChatAction = 'send' | 'read' | 'stop' | 'list' | 'answer' | 'history';

/** A route. For `send`, the id of the chat is not in the path but in the body of the request. */
export type ChatRoute = { action: 'send' } | { action: Exclude<UiChatAction, 'send'>; chatId: string };

const BY_ENDING: Readonly<Record<string, Readonly<Record<string, Exclude<UiChatAction, 'send'>>>>> = {
  stream: { GET: 'read' },
  stop: { POST: 'stop' },
  approvals: { GET: 'list', POST: 'answer' },
  messages: { GET: 'history' },
};

/** The route of a request. Refuses unknown paths and wrong methods. */
export function findRoute({ url, method }: Request, basePath: string | undefined): ChatRoute {
  const parts = splitPath(new URL(url).pathname);
  const base = basePath === undefined ? undefined : splitPath(basePath);
  if (base && base.some((part, index) => parts[index] !== part)) throw notFound();
  const rest = base ? parts.slice(base.length) : parts;
  const ending = rest.at(-1) ?? '';
  const methods = rest.length > 1 && Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  if (methods) {
    if (base && rest.length !== 2) throw notFound();
    const action = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (action === undefined) throw wrongMethod(Object.keys(methods));
    return { action, chatId: readChatId(rest.at(-2), 'the chat in the path') };
  }
  if (base && rest.length > 0) throw notFound();
  if (method !== 'POST') throw wrongMethod(['POST']);
  return { action: 'send' };
}

function splitPath(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        throw notFound();
      }
    });
}

function notFound(): ChatRefusal {
  return new ChatRefusal(404, 'NOT_FOUND', 'There is nothing here.');
}

function wrongMethod(methods: readonly string[]): ChatRefusal {
  const allow = methods.join(', ');
  return new ChatRefusal(405, 'WRONG_METHOD', `This address takes ${allow}.`, { allow });
}
