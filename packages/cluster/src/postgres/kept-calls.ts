// Reads the stored calls of a conversation in turns that have not ended, from one state of the database.
import type { KeptCalls } from '../journal/call-facts.js';
import { readAtOnce, readContent } from './contents/read-contents.js';
import type { Database } from './database.js';
import { EVENT_COLUMNS, QUESTION_COLUMNS, readEventRow, readQuestionRow } from './rows.js';
import { TableReader } from './table-reader.js';

const CALLS = new TableReader('calls');
const CONVERSATIONS = new TableReader('conversations');
const TURNS = new TableReader('turns');

/** Reads the calls of the conversation with this session. If a key is given, that conversation must have this key. */
export async function readKeptCalls(
  database: Database,
  sessionId: string,
  key: string | undefined,
): Promise<KeptCalls> {
  const { schema } = database;
  const open = `from ${schema}.turns t join ${schema}.conversations c on c.number = t.conversation
    where c.session_id = $1 and ($2::text is null or c.key = $2) and t.state <> 'ended'`;
  const values = [sessionId, key];
  return await readAtOnce(database, async (run) => {
    const turns = await run(`select t.uuid ${open} order by t.place`, values);
    const kept = await run(
      `select k.call_key, k.turn, k.tool_name, k.input, k.begun, k.result, k.content from ${schema}.calls k
      join (select t.conversation, t.id ${open}) o on o.conversation = k.conversation and o.id = k.turn order by k.number`,
      values,
    );
    const questions = await run(
      `select ${QUESTION_COLUMNS} from ${schema}.questions q join ${schema}.conversations c on c.number = q.conversation
      join (select t.conversation, t.id ${open}) o on o.conversation = q.conversation and o.id = q.turn order by q.asked_at, q.id`,
      values,
    );
    const approvals = questions.map(readQuestionRow);
    // The events are read only if there is an answer, because the search goes through all events of the conversation.
    const told = approvals.some(({ answer }) => answer)
      ? await run(
          `select ${EVENT_COLUMNS}, o.key from ${schema}.events e
          join (select t.conversation, t.id, c.key ${open}) o on o.conversation = e.conversation and o.id = e.turn
          where e.epoch = 0 order by e.id`,
          values,
        )
      : [];
    const calls: KeptCalls['calls'][number][] = [];
    for (const row of kept) {
      const content = CALLS.numberIfAny(row, 'content');
      const isKept = row['result'] !== null || content !== undefined;
      calls.push({
        callKey: CALLS.text(row, 'call_key'),
        turn: CALLS.text(row, 'turn'),
        toolName: CALLS.jsonText(row, 'tool_name'),
        input: CALLS.json(row, 'input'),
        begun: CALLS.number(row, 'begun'),
        ...(isKept && {
          result: content === undefined ? CALLS.json(row, 'result') : await readContent(run, schema, content),
        }),
      });
    }
    return {
      messages: turns.map((row) => TURNS.text(row, 'uuid')),
      calls,
      questions: approvals,
      events: told.map((row) => readEventRow(CONVERSATIONS.text(row, 'key'), row)),
    };
  });
}
