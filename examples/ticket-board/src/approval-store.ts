// Questions to reviewers and their answers as rows: what `createApprovals` needs to outlive the process.
import type { Approval, ApprovalAnswer, ApprovalQuestion, ApprovalStore } from 'inboard';
import type { Database } from './database.ts';

/** Answers that another process writes are noticed within this time. */
const LOOK_MS = 1000;
const INSERT = `INSERT INTO approvals (id, question) VALUES (?, ?)
  ON CONFLICT (id) DO UPDATE SET question = excluded.question`;

export function createApprovalStore({ read, write, changes }: Database): ApprovalStore {
  const list = async (where = '', ...args: string[]): Promise<Approval[]> => {
    const sql = `SELECT * FROM approvals ${where}`;
    const rows = await read<{ question: string; answer: string }>(sql, ...args);
    return rows.map(({ question, answer }) => ({
      ...(JSON.parse(question) as ApprovalQuestion),
      ...(answer && { answer: JSON.parse(answer) as ApprovalAnswer }),
    }));
  };
  const get = async (id: string) => (await list('WHERE id = ?', id))[0];
  return {
    get,
    list: () => list(),
    put: async (question) => {
      await write(INSERT, question.id, JSON.stringify(question));
      return (await get(question.id))?.answer;
    },
    // One statement decides who is first, whichever process asks.
    answer: (id, answer) =>
      write('UPDATE approvals SET answer = ? WHERE id = ? AND answer IS NULL', JSON.stringify(answer), id),
    remove: async (id) => void (await write('DELETE FROM approvals WHERE id = ?', id)),
    watch: (onChange) => {
      const listener = () => onChange();
      const timer = setInterval(listener, LOOK_MS);
      changes.on('change', listener);
      return () => {
        clearInterval(timer);
        changes.off('change', listener);
      };
    },
  };
}
