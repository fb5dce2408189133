// Where questions and answers are kept: in the database, beside the tickets, so that one read shows both as they are at one
// moment, and the audit trail is written with each of them.
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createFileApprovalStore, type Approval, type ApprovalStore } from 'inboard';
import type { Database } from './database.ts';

type Row = { question: string; answer: string };
const PUT = `INSERT INTO questions (id, chat, turn, question)
  VALUES (?, ?, (SELECT max(number) FROM messages WHERE chat = ? AND role = 'person'), ?)
  ON CONFLICT (id) DO UPDATE SET question = excluded.question`;

export function createDatabaseApprovalStore({ read, write }: Database): ApprovalStore {
  const readAll = async (where: string, ...args: string[]): Promise<Approval[]> => {
    const rows = await read<Row>(`SELECT * FROM kept_questions WHERE ${where}`, ...args);
    return rows.map(({ question, answer }) => ({ ...JSON.parse(question), ...JSON.parse(answer) }));
  };
  return {
    async put(question) {
      const { id, sessionId: chat = '' } = question;
      await write(PUT, id, chat, chat, JSON.stringify(question));
      return (await readAll('id = ?', id))[0]?.answer;
    },
    answer: (id, answer) =>
      write('UPDATE questions SET answer = ? WHERE id = ? AND answer IS NULL', JSON.stringify(answer), id),
    get: async (id) => (await readAll('id = ?', id))[0],
    list: () => readAll('true'),
    remove: async (id) => void (await write('DELETE FROM questions WHERE id = ?', id)),
    watch(onChange) {
      const NOW = 'SELECT total_changes() AS mine, data_version AS others FROM pragma_data_version';
      let seen = '';
      const look = async () => {
        // What cannot be read now may have changed: whoever is told tries again, and reports it.
        const now = JSON.stringify(await read(NOW).catch(() => [Math.random()]));
        if (now !== seen) onChange();
        seen = now;
      };
      const timer = setInterval(() => void look(), 100).unref();
      return () => clearInterval(timer);
    },
  };
}

/** Takes over the questions that were kept as files, up to version 1. They had the key of the call and a suffix as their id. */
export async function importApprovals(folder: string, store: ApprovalStore): Promise<void> {
  if (!existsSync(folder)) return;
  for (const { answer, ...question } of await createFileApprovalStore(folder).list()) {
    const id = question.id.replace(/_ask_.*/, '');
    await store.put({ ...question, id });
    if (answer) await store.answer(id, answer);
  }
  await rename(folder, `${folder}.imported`);
}
