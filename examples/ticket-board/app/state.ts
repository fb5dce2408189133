// How things stand, for one page: everything from one read, so that a ticket is in one column at every moment.
import type { Chats } from '../src/chats.ts';
import { explainError } from '../src/explain.ts';
import type { Database } from './database.ts';

/** What a page shows: its chat, what it searches for, the ticket it has opened. */
export type View = { chat?: string; find?: string; ticket?: string };
type Row = Record<string, string>;
const FOUND = `SELECT * FROM shown_tickets WHERE ? = '' OR '#' || id = ? OR assignee = ? COLLATE NOCASE
  OR id IN (SELECT ticket FROM words WHERE words MATCH ?) ORDER BY id DESC`;

/** Each word as the beginning of one; quoted, so that nothing in it is an operator. */
const toQuery = (find: string) =>
  (find.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"*`).join(' ') || '""';

export async function describe(database: Database, { works, activityOf }: Chats, view: View) {
  const { chat = '', find = '', ticket = '' } = view;
  const ofTicket = 'call_key = (SELECT call_key FROM tickets WHERE id = ?)';
  const rows = (await database.readTogether([
    'SELECT * FROM shown_chats',
    ['SELECT * FROM messages WHERE chat = ? ORDER BY number', [chat]],
    'SELECT * FROM cards',
    [FOUND, [find, find, find, toQuery(find)]],
    "SELECT name FROM users WHERE role <> 'none' ORDER BY name",
    ['SELECT * FROM shown_tickets WHERE id = ?', [ticket]],
    [`SELECT * FROM history WHERE ${ofTicket} ORDER BY number`, [ticket]],
    ['SELECT * FROM comments WHERE ticket = ? ORDER BY number', [ticket]],
  ])) as Row[][];
  const [chats = [], messages, cards = [], tickets, users = [], [opened] = [], history, comments] = rows;
  return {
    chats: chats.map((row) => ({ ...row, activity: row['is_reviewed'] ? 'review' : activityOf(row['id']) })),
    messages,
    writing: works.get(chat)?.text ?? '',
    staged: cards.filter(({ is_agreed }) => !is_agreed),
    creating: cards.filter(({ is_agreed }) => is_agreed),
    tickets,
    users: users.map(({ name }) => name),
    opened: opened && { ...opened, history, comments },
    problem: await database.check().catch(explainError),
  };
}
