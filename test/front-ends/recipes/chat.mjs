// chat.mjs
// The chat that every server here serves: who answers, with which tools, and what needs a person's word.
import { createSdkMcpServer, getSessionInfo, getSessionMessages, openSession, tool } from 'inboard';
import { createUiChat, toUiMessages } from 'inboard/ui';

const findOrder = tool({
  name: 'find_order',
  description: 'What was ordered, by whom, for how much',
  inputSchema: { order: 'string' },
  run: ({ order }) => ({ order, customer: 'Ines Moser', total: 84, state: 'returned' }),
});

const refund = tool({
  name: 'refund',
  description: 'Pays money back for an order',
  inputSchema: { order: 'string', amount: 'number' },
  run: ({ order, amount }) => `Paid back ${amount} euros for order ${order}.`,
});

const readLetters = tool({
  name: 'read_letters',
  description: 'Reads what a customer wrote to us',
  inputSchema: { customer: 'string' },
  // Calls that only read are asked about all at once, others one after another.
  annotations: { readOnlyHint: true },
  run: ({ customer }) => `${customer} wrote: "Half of it is missing."`,
});

const shop = createSdkMcpServer({ name: 'shop', tools: [findOrder, refund, readLetters] });

export const chat = createUiChat({
  // Asked once for each chat, and again after a restart of this server. The page chooses a UUID as the chat's id, and the
  // conversation gets the same.
  session: async ({ id, canUseTool }) => {
    const isKnown = (await getSessionInfo(id)) !== undefined;
    return openSession({
      options: {
        ...(isKnown ? { resume: id } : { sessionId: id }),
        mcpServers: { shop },
        // Looking is free; for everything else the page is asked.
        allowedTools: [findOrder],
        canUseTool,
        includePartialMessages: true,
      },
      // What was cut off by a restart goes on.
      ...(isKnown && { interrupted: 'continue' }),
    });
  },
});

/** What was said in a chat, for a page that is loaded again; an answer that is running comes by the stream. */
export async function readHistory(id) {
  if ((await getSessionInfo(id)) === undefined) return [];
  return toUiMessages(await getSessionMessages(id), { running: chat.state(id) !== 'idle' });
}
