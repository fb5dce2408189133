// The chats: each is a session of one group, with its messages in the database. One that waits for a reviewer holds none of
// the group's places; one that a crash has cut off goes on when the server is started again.
import { randomUUID, type UUID } from 'node:crypto';
import { getTranscriptState, type Approvals, type Session, type SessionGroup, type Turn } from 'inboard';
import type { Database } from './database.ts';
import { explainError, explainOutcome } from './explain.ts';

export interface Parts {
  database: Database;
  approvals: Approvals;
  group: SessionGroup;
  /** Of the CLI: it says where the transcripts are. */
  env: NodeJS.ProcessEnv;
}
export type Chats = ReturnType<typeof createChats>;

export function createChats({ database: { read, write, changes }, approvals, group, env }: Parts) {
  const sessions = new Map<string, Session>();
  /** What the agent does, by chat: its turn, once it has begun, and what it is writing. */
  const works = new Map<string, { turn?: Turn; text: string }>();
  let isClosing = false;

  const addMessage = (chat: string, role: 'person' | 'agent' | 'notice', text: string) =>
    write('INSERT INTO messages (chat, role, text) VALUES (?, ?, ?)', chat, role, text);

  async function open(id: string): Promise<Session> {
    const known = sessions.get(id);
    if (known && known.state !== 'closed') return known;
    const { state } = await getTranscriptState(id, { env });
    const start =
      state === 'empty'
        ? { options: { sessionId: id } }
        : ({ options: { resume: id }, interrupted: 'continue' } as const);
    const session = group.open({ key: id, ...start });
    sessions.set(id, session);
    return session;
  }

  const send = (session: Session, uuid: UUID, content: string): Turn =>
    session.send({ type: 'user', uuid, parent_tool_use_id: null, message: { role: 'user', content } });

  /** Saves what the agent says in a turn, up to its end; never rejects. */
  async function follow(id: string, begin: () => Promise<Turn>): Promise<void> {
    const work: { turn?: Turn; text: string } = { text: '' };
    works.set(id, work);
    let notice: string | undefined;
    try {
      work.turn = await begin();
      for await (const message of work.turn) {
        if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
          work.text += message.event.delta.type === 'text_delta' ? message.event.delta.text : '';
          changes.emit('change');
        } else if (message.type === 'assistant' && !message.error) {
          const text = message.message.content
            .map((block) => (block.type === 'text' ? block.text : ''))
            .join('');
          work.text = '';
          if (text) await addMessage(id, 'agent', text);
        }
      }
      notice = explainOutcome(await work.turn.outcome());
    } catch (error) {
      notice = explainError(error);
    }
    if (isClosing) return;
    try {
      // Nobody waits any more for what is still staged.
      for (const asked of await approvals.list())
        if (asked.sessionId === id) await approvals.remove(asked.id);
      if (notice) await addMessage(id, 'notice', notice);
      await write('UPDATE chats SET unanswered = NULL WHERE id = ?', id);
    } catch (error) {
      console.error(`The end of chat ${id} was not saved: ${explainError(error)}`);
    }
    works.delete(id);
    changes.emit('change');
  }

  return {
    works,
    /** Sends a message, the first one of a new chat too; false while the agent is at work in it. */
    async say(id: string, text: string): Promise<boolean> {
      const uuid = randomUUID();
      await write(
        'INSERT INTO chats (id, title) VALUES (?, ?) ON CONFLICT DO NOTHING',
        id,
        text.slice(0, 80),
      );
      const begin = 'UPDATE chats SET unanswered = ? WHERE id = ? AND unanswered IS NULL';
      if (works.has(id) || !(await write(begin, uuid, id))) return false;
      await addMessage(id, 'person', text);
      void follow(id, async () => send(await open(id), uuid, text));
      return true;
    },
    /** Ends what the agent does; what it has staged leaves the board. */
    async stop(id: string): Promise<void> {
      const turn = works.get(id)?.turn;
      if (!turn) await sessions.get(id)?.close();
      else if (!(await turn.cancel())) await sessions.get(id)?.interrupt();
    },
    /** Goes on with everything that was at work when the last server ended. */
    async recover(): Promise<void> {
      const sql = `SELECT chats.id, unanswered, text FROM chats JOIN messages ON number =
        (SELECT max(number) FROM messages WHERE chat = chats.id AND role = 'person') WHERE unanswered IS NOT NULL`;
      for (const { id, unanswered, text } of await read<{ id: string; unanswered: UUID; text: string }>(sql))
        void follow(id, async () => {
          const session = await open(id);
          // Where there is nothing to continue, the message never reached the CLI.
          return (await session.continued) ?? send(session, unanswered, text);
        });
    },
    /** Leaves every turn as it is: the next server goes on with it. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all([...sessions.values()].map((session) => session.abandon()));
    },
  };
}
