// The agent's one tool: stages a ticket, waits for a person as long as that takes, and creates what the person agreed to.
import { createSdkMcpServer, tool, type Approvals } from 'inboard';
import type { Database } from '../app/database.ts';
import { ticket } from './ticket.ts';

// Where the database has no approval under the key of the call, it makes no ticket.
const INSERT = `INSERT INTO tickets (chat, turn, call_key, title, description, kind, priority)
  SELECT chat, turn, id, ?, ?, ?, ? FROM questions WHERE id = ? AND answer ->> '$.result.behavior' = 'allow'
  ON CONFLICT (call_key) DO NOTHING`;

export function createBoard({ read, write }: Database, approvals: Approvals) {
  const createTicket = tool({
    name: 'create_ticket',
    description:
      'Proposes a ticket for the project board. A person edits, approves or rejects it; the result says which, and what ' +
      'the person says. Call it once for each ticket, for several tickets in one message.',
    inputSchema: ticket,
    // Calls of one message run side by side, so that a person sees all of the tickets at once.
    parallel: true,
    run: async (proposed, extra) => {
      const { callKey } = extra;
      const request = { id: callKey, title: `Create "${proposed.title}"?`, input: proposed };
      const answer = await approvals.ask(request, extra);
      if (answer.behavior === 'deny') return { created: false, reviewerSays: answer.message };
      const agreed = answer.updatedInput ?? proposed;
      const { title, description, kind, priority } = ticket.parse(agreed);
      // The key is the same when the call is made again after a crash: there is never a second ticket.
      await write(INSERT, title, description, kind, priority, callKey);
      const sql = 'SELECT id, title, description, kind, priority, status FROM tickets WHERE call_key = ?';
      const [created] = await read<object>(sql, callKey);
      if (!created) return { created: false, reviewerSays: 'It was stopped before there was a ticket.' };
      return { created: true, ...created, reviewerSays: 'note' in agreed ? agreed.note : '' };
    },
  });
  return createSdkMcpServer({ name: 'board', tools: [createTicket] });
}
