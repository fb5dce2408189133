// chat.mjs
// The chat that every server here serves: who answers, with which tools, and what needs a person's word.
import { createSdkMcpServer, tool } from 'inboard';
import { createUiChat } from 'inboard/ui';

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
  // The names under which the page is served, besides those of this machine. With another one, a request is refused: a foreign
  // site could have it lead here.
  allowedHosts: ['app.example'],
  // Asked when a chat needs its agent: with its first message, and after a restart of this server with the first answer or
  // message of a person. `open` begins the conversation, or goes on where a restart has cut it off.
  session: ({ open }) =>
    open({
      options: {
        mcpServers: { shop },
        // Looking is free; for everything else the page is asked.
        allowedTools: [findOrder],
        includePartialMessages: true,
      },
    }),
});
