// The agent's one tool: stages a ticket, waits for a person as long as that takes, and creates what the person agreed to.
import { createSdkMcpServer, tool, type Approvals } from 'inboard';
import type { Database } from './database.ts';
import { ticket } from './ticket.ts';

const INSERT = `INSERT INTO tickets (chat, call_key, title, description, kind, priority)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (call_key) DO NOTHING`;

export function createBoard({ read, write }: Database, approvals: Approvals) {
  const createTicket = tool({
    name: 'create_ticket',
    description:
      'Proposes a ticket for the project board. A person edits, approves or rejects it; the result says which, and what ' +
      'the person says. Call it once for each ticket, for several tickets in one message.',
    inputSchema: ticket,
    // Nothing changes before a person agrees, and the CLI runs only calls with this mark side by side: the person sees all
    // of the tickets at once instead of one after another.
    readOnly: true,
    run: async (proposed, extra) => {
      const answer = await approvals.ask({ title: `Create "${proposed.title}"?`, input: proposed }, extra);
      if (answer.behavior === 'deny') return { created: false, reviewerSays: answer.message };
      const agreed = answer.updatedInput ?? proposed;
      const { title, description, kind, priority } = ticket.parse(agreed);
      // The key is the same when the call is made again after a crash: there is never a second ticket.
      await write(INSERT, extra.sessionId ?? '', extra.callKey, title, description, kind, priority);
      const [created] = await read<object>('SELECT * FROM tickets WHERE call_key = ?', extra.callKey);
      return { created: true, ...created, reviewerSays: 'note' in agreed ? agreed.note : '' };
    },
  });
  return createSdkMcpServer({ name: 'board', tools: [createTicket] });
}
