// Reads everything that is stored about a conversation, from one state of the database.
import type { ConversationHistory, Json } from '../journal/records.js';
import { checkKey } from '../journal/check-names.js';
import { readAtOnce, readContent } from './contents/read-contents.js';
import type { Database, Row } from './database.js';
import {
  EVENT_COLUMNS,
  ms,
  QUESTION_COLUMNS,
  readEventRow,
  readQuestionRow,
  readTurnRow,
  TURN_COLUMNS,
} from './rows.js';
import { TableReader } from './table-reader.js';
import { readShownRow, shownColumns } from './waiting.js';

const LEASES = new TableReader('leases');
const CALLS = new TableReader('calls');
const ENTRIES = new TableReader('kept_entries');

export async function readConversationHistory(
  database: Database,
  key: string,
): Promise<ConversationHistory | undefined> {
  checkKey(key);
  const { schema } = database;
  return await readAtOnce(database, async (run) => {
    const [found] = await run(
      `select c.number, ${shownColumns(schema)} from ${schema}.conversations c where c.key = $1`,
      [key],
    );
    if (!found) return undefined;
    const read = (columns: string, from: string): ReturnType<typeof run> =>
      run(`select ${columns} from ${schema}.${from}`, [found['number']]);
    const leases = await read(
      `l.epoch, l.owner, ${ms('l.granted_at')} as granted_at, ${ms('coalesce(l.until, c.lease_until)')} as until, l.released`,
      `leases l join ${schema}.conversations c on c.number = l.conversation where l.conversation = $1 order by l.epoch`,
    );
    const turns = await read(TURN_COLUMNS, 'turns t where t.conversation = $1 order by t.place');
    const events = await read(EVENT_COLUMNS, 'events e where e.conversation = $1 order by e.id');
    const calls = await read('*', 'calls where conversation = $1 order by number');
    const questions = await read(
      QUESTION_COLUMNS,
      `questions q join ${schema}.conversations c on c.number = q.conversation where c.number = $1 order by q.asked_at, q.id`,
    );
    const entries = await read(
      'e.epoch, e.entry, e.content',
      `transcripts t join ${schema}.kept_entries e on e.transcript = t.number
      join ${schema}.conversations c on c.number = t.conversation and c.session_id = t.session_id
      where t.conversation = $1 and t.subpath = '' order by t.number, e.seq`,
    );
    const readLarge = async (row: Row, table: TableReader, column: string): Promise<Json> => {
      const content = table.numberIfAny(row, 'content');
      return content === undefined ? table.json(row, column) : await readContent(run, schema, content);
    };
    return {
      conversation: readShownRow(found),
      leases: leases.map((row) => ({
        epoch: LEASES.number(row, 'epoch'),
        owner: LEASES.text(row, 'owner'),
        grantedAt: LEASES.number(row, 'granted_at'),
        until: LEASES.number(row, 'until'),
        released: row['released'] === true,
      })),
      turns: turns.map((row) => readTurnRow(key, row)),
      events: events.map((row) => readEventRow(key, row)),
      calls: await readEach(calls, async (row) => ({
        callKey: CALLS.text(row, 'call_key'),
        turn: CALLS.text(row, 'turn'),
        toolName: CALLS.jsonText(row, 'tool_name'),
        input: CALLS.json(row, 'input'),
        epoch: CALLS.number(row, 'epoch'),
        begun: CALLS.number(row, 'begun'),
        ended: CALLS.number(row, 'ended'),
        ...(row['result'] !== null && { result: await readLarge(row, CALLS, 'result') }),
      })),
      questions: questions.map(readQuestionRow),
      entries: await readEach(entries, async (row) => ({
        epoch: ENTRIES.number(row, 'epoch'),
        entry: await readLarge(row, ENTRIES, 'entry'),
      })),
    };
  });
}

/** Reads one row after the other, because they share a connection. */
async function readEach<T>(rows: readonly Row[], read: (row: Row) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const row of rows) found.push(await read(row));
  return found;
}
