// The chat: an agent for each chat of a visitor, and what it must ask a person for.
import type { QueryOptions } from 'inboard';
import { createUiChat, type UiChat } from 'inboard/ui';
import type { Orders } from './orders.ts';
import { createShop } from './tools.ts';
import { mayUse, readUser } from './visitors.ts';

export const CHAT_PATH = '/api/chat';

export interface ChatSettings {
  orders: Orders;
  /** The options of each CLI that is started, such as the model that answers. */
  cli?: () => QueryOptions;
  /** The environment of all of them, if it is not that of this process. */
  env?: QueryOptions['env'];
}

/** The caller closes the chat. */
export function createChat({ orders, cli = () => ({}), env }: ChatSettings): UiChat {
  const shop = createShop(orders);
  return createUiChat({
    basePath: CHAT_PATH,
    // Where the conversations are, also after a restart: the files of the CLI, under the id of the chat.
    place: (id) => ({ sessionId: id, env }),
    authorize: (request, access) => mayUse(request, access),
    // Whose answer to a question it is: the page shows it, and so do the records.
    user: (request) => readUser(request),
    // A person may lower a refund, but neither raise it nor make it one of another order.
    checkInput: (input, toolName, { original }) => {
      if (toolName !== 'mcp__shop__refund') return undefined;
      const { order, cents } = original as { order: string; cents: number };
      if (input['order'] !== order) return `must be about order ${order}`;
      return Number(input['cents']) > cents ? `must be at most ${cents} cents` : undefined;
    },
    // Names by which the page is called besides those of this machine.
    allowedHosts: (process.env['ALLOWED_HOSTS'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    // Called with the first message of a chat, and after a restart of this server with the first page that has something to go on with.
    session: ({ open }) =>
      open({
        options: {
          systemPrompt:
            'You help at the order desk of a shop. Look orders up first. Answer in two sentences.',
          mcpServers: { shop },
          // Runs without asking. A tool that is not in this list waits for a person, who may change its input.
          allowedTools: ['mcp__shop__find_order'],
          hookFailure: 'refuse', // a hook that you add and that fails is a no
          tools: [], // none of the CLI's own: no shell, no files
          settingSources: [], // no settings, hooks or CLAUDE.md of this machine
          includePartialMessages: true, // text in pieces
          maxTurns: 20,
          ...cli(),
        },
      }),
  });
}
