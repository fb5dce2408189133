// How things stand, for one page: everything from one read, so that a ticket is in one column at every moment.
import type { Chats } from '../src/chats.ts';
import type { Database } from './database.ts';
import { explainError } from '../src/explain.ts';

/** What a page shows: its chat, what it searches for, the ticket it has opened. */
export type Looking = { chat: string; find: string; ticket: string };
type Question = { id: string; chat: string; turn: number; input: string; answer: string | null };

const TICKETS = `SELECT *, (SELECT count(*) FROM comments WHERE ticket = tickets.id) AS comments FROM tickets
  WHERE ? = '' OR '#' || id = ? OR assignee = ? COLLATE NOCASE
    OR id IN (SELECT ticket FROM words WHERE words MATCH ?) ORDER BY id DESC`;
// Under review, or agreed and on its way: the agent has not got the answer yet, or has no CLI at the moment.
const QUESTIONS = `SELECT id, chat, turn, question -> 'input' AS input, answer FROM questions
  WHERE answer IS NULL OR answer ->> '$.result.behavior' = 'allow'
    AND NOT EXISTS (SELECT 1 FROM tickets WHERE call_key = questions.id)
  ORDER BY question ->> 'askedAt'`;
export const HISTORY = `SELECT audit.*, chats.title AS chat_title, (SELECT input ->> 'title' FROM audit AS same
    WHERE same.call_key = audit.call_key AND input IS NOT NULL ORDER BY number DESC LIMIT 1) AS title
  FROM audit JOIN chats ON chats.id = audit.chat`;

/** Each word as the beginning of one; quoted, so that nothing in it is an operator. */
const toQuery = (find: string) =>
  (find.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"*`).join(' ') || '""';

export async function describe(database: Database, { works }: Chats, { chat, find, ticket }: Looking) {
  const [chats, messages, tickets, questions, users, history, comments] = (await database.readTogether([
    'SELECT id, title FROM chats ORDER BY rowid DESC',
    { sql: 'SELECT * FROM messages WHERE chat = ? ORDER BY number', args: [chat] },
    { sql: TICKETS, args: [find, find, find, toQuery(find)] },
    QUESTIONS,
    "SELECT name FROM users WHERE role <> 'none' ORDER BY name",
    {
      sql: `${HISTORY} WHERE call_key = (SELECT call_key FROM tickets WHERE id = ?) ORDER BY number`,
      args: [ticket],
    },
    { sql: 'SELECT * FROM comments WHERE ticket = ? ORDER BY number', args: [ticket] },
  ])) as [
    { id: string; title: string }[],
    object[],
    object[],
    Question[],
    { name: string }[],
    object[],
    object[],
  ];
  const open = questions.filter(({ answer }) => answer === null);
  const activityOf = (id: string): string => {
    if (open.some((question) => question.chat === id)) return 'review';
    const work = works.get(id);
    return !work ? 'idle' : work.turn?.state === 'running' ? 'working' : 'queued';
  };
  return {
    chats: chats.map(({ id, title }) => ({ id, title, activity: activityOf(id) })),
    messages,
    writing: works.get(chat)?.text ?? '',
    staged: open.map(({ input, answer: _, ...rest }) => ({ ...rest, ...JSON.parse(input) })),
    creating: questions.flatMap(({ answer, input, ...rest }) => {
      if (answer === null) return [];
      const { result, by } = JSON.parse(answer);
      return [{ ...rest, ...(result.updatedInput ?? JSON.parse(input)), by }];
    }),
    tickets,
    users: users.map(({ name }) => name),
    opened: { history, comments },
    problem: await database.check().catch(explainError),
  };
}
