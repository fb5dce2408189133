// The chats: what was said in them, and the agent at work. Each turn has a session of its own, so that an idle chat costs no
// process; one that waits for a reviewer holds none of the group's places; one that a crash has cut off goes on.
import { randomUUID } from 'node:crypto';
import { getTranscriptState } from 'inboard';
import type { Approvals, SDKUserMessage, Session, SessionGroup, Turn } from 'inboard';
import type { Database } from '../app/database.ts';
import { explainError } from './explain.ts';

const BEGIN = `INSERT INTO chats (id, title, unanswered) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET unanswered = excluded.unanswered WHERE unanswered IS NULL`;
// Nothing is said in a chat where the agent is at work: then the statement before has changed nothing.
const SAY = "INSERT INTO messages (chat, role, author, text) SELECT ?, 'person', ?, ? WHERE changes() > 0";
/** `env` is that of the CLI: it says where the transcripts are. */
type Agents = { approvals: Approvals; group: SessionGroup; env: NodeJS.ProcessEnv };
/** What the agent does in a chat: session and turn, once they have begun, and what it is writing. */
type Work = { session?: Session; turn?: Turn; text: string };
export type Chats = ReturnType<typeof createChats>;

export function createChats({ read, write, writeTogether }: Database, { approvals, group, env }: Agents) {
  const works = new Map<string, Work>();
  let isClosing = false;

  const addMessage = (chat: string, role: 'agent' | 'notice', text: string) =>
    write('INSERT INTO messages (chat, role, text) VALUES (?, ?, ?)', chat, role, text);

  /** Has the agent answer a message, or go on with its answer, and saves what it says. */
  async function takeTurn(id: string, work: Work, message: SDKUserMessage, interrupted?: 'continue') {
    const { state } = await getTranscriptState(id, { env });
    const start =
      state === 'empty' ? { options: { sessionId: id } } : { options: { resume: id }, interrupted };
    await using session = group.open({ key: id, ...start });
    work.session = session;
    // Where there is nothing to continue, the message has not reached the CLI.
    work.turn = (await session.continued) ?? session.send(message);
    for await (const part of work.turn) {
      if (part.type === 'stream_event' && part.event.type === 'content_block_delta') {
        work.text += part.event.delta.type === 'text_delta' ? part.event.delta.text : '';
      } else if (part.type === 'assistant' && !part.error) {
        const texts = part.message.content.filter((block) => block.type === 'text');
        work.text = '';
        if (texts.length > 0) await addMessage(id, 'agent', texts.map(({ text }) => text).join(''));
      }
    }
    await work.turn.text();
  }

  /** Does what the agent has to do in a chat, and tidies up after it; never rejects. */
  async function begin(id: string, message: SDKUserMessage, interrupted?: 'continue'): Promise<void> {
    const work: Work = { text: '' };
    works.set(id, work);
    const notice = await takeTurn(id, work, message, interrupted).catch(explainError);
    if (isClosing) return;
    try {
      // Nobody waits any more for what is still staged, and no call needs its answer again.
      const asked = await read<{ id: string }>('SELECT id FROM questions WHERE chat = ?', id);
      await Promise.all(asked.map((question) => approvals.remove(question.id)));
      if (notice) await addMessage(id, 'notice', notice);
      await write('UPDATE chats SET unanswered = NULL WHERE id = ?', id);
    } catch (error) {
      console.error(`The end of chat ${id} was not saved: ${explainError(error)}`);
    }
    works.delete(id);
  }

  return {
    works,
    activityOf: (id = ''): string => {
      const work = works.get(id);
      return !work ? 'idle' : work.turn?.state === 'running' ? 'working' : 'queued';
    },
    /** Sends a message, the first one of a new chat too; false while the agent is at work in it. */
    async say(id: string, text: string, author: string): Promise<boolean> {
      const said = { role: 'user', content: text } as const;
      const message = { type: 'user', uuid: randomUUID(), parent_tool_use_id: null, message: said } as const;
      const hasBegun = await writeTogether([
        [BEGIN, [id, text.slice(0, 80), JSON.stringify(message)]],
        [SAY, [id, author, text]],
      ]);
      if (hasBegun) void begin(id, message);
      return hasBegun;
    },
    /** Ends what the agent does; what it has staged leaves the board. */
    async stop(id: string, who: string): Promise<void> {
      await write('UPDATE questions SET stopped_by = ? WHERE chat = ?', who, id);
      await works.get(id)?.session?.close();
    },
    /** Goes on with everything that was at work when the last server ended. */
    async recover(): Promise<void> {
      const sql = 'SELECT id, unanswered FROM chats WHERE unanswered IS NOT NULL';
      for (const { id, unanswered } of await read<{ id: string; unanswered: string }>(sql))
        void begin(id, JSON.parse(unanswered) as SDKUserMessage, 'continue');
    },
    /** Leaves every turn as it is: the next server goes on with it. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all([...works.values()].map(async ({ session }) => session?.abandon()));
    },
  };
}
