// Rows that are not what the tables promise: each column is checked, and the error says which one it was.
import { describe, expect, it } from 'vitest';
import { ClusterError } from '@inboard/core/errors.js';
import type { Row } from '../../src/postgres/database.js';
import {
  conversationColumns,
  EVENT_COLUMNS,
  QUESTION_COLUMNS,
  readConversationRow,
  readEventRow,
  readQuestionRow,
  readTurnRow,
  TURN_COLUMNS,
} from '../../src/postgres/rows.js';

interface Case {
  table: string;
  /** What is selected, in SQL. */
  columns: string;
  row: Row;
  /** Columns that may be null. */
  nullable: readonly string[];
  /** Columns that the table does not have itself, with the one that has them. */
  elsewhere?: Readonly<Record<string, string>>;
  read: (row: Row) => unknown;
  record: unknown;
}

const CASES: readonly Case[] = [
  {
    table: 'conversations',
    columns: conversationColumns('"x"'),
    nullable: ['tenant', 'failure', 'owner', 'closed_at'],
    read: readConversationRow,
    row: {
      key: 'k',
      agent: 'a',
      data: '{"n":1}',
      tenant: 'acme',
      session_id: 's',
      state: 'running',
      turns: 3,
      queued: 1,
      cost_usd: 0.5,
      failure: '{"turn":"t","kind":"failed"}',
      last_event: 7,
      owner: 'me',
      epoch: 4,
      lease_until: 99,
      questions: 2,
      created_at: 10,
      updated_at: 11,
      closed_at: 12,
    },
    record: {
      key: 'k',
      agent: 'a',
      data: { n: 1 },
      tenant: 'acme',
      sessionId: 's',
      state: 'running',
      lease: { owner: 'me', epoch: 4, expiresAt: 99 },
      turns: 3,
      queued: 1,
      questions: 2,
      totalCostUsd: 0.5,
      failure: { turn: 't', kind: 'failed' },
      lastEventId: 7,
      createdAt: 10,
      updatedAt: 11,
      closedAt: 12,
    },
  },
  {
    table: 'turns',
    columns: TURN_COLUMNS,
    nullable: ['trace', 'outcome', 'not_before', 'started_at', 'ended_at'],
    read: (row) => readTurnRow('k', row),
    row: {
      id: 't',
      place: 1,
      uuid: 'u',
      content: '"hi"',
      state: 'ended',
      attempt: 1,
      tries: 2,
      cost_usd: 0.25,
      epoch: 3,
      stop: true,
      trace: '"00-1"',
      outcome: '{"ok":true,"kind":"success","text":"done","costUsd":0.25}',
      not_before: 4,
      sent_at: 5,
      started_at: 6,
      ended_at: 7,
    },
    record: {
      key: 'k',
      id: 't',
      place: 1,
      uuid: 'u',
      content: 'hi',
      state: 'ended',
      attempt: 1,
      tries: 2,
      turnCostUsd: 0.25,
      epoch: 3,
      notBefore: 4,
      stop: 'interrupt',
      trace: '00-1',
      sentAt: 5,
      startedAt: 6,
      endedAt: 7,
      outcome: { ok: true, kind: 'success', text: 'done', turnCostUsd: 0.25 },
    },
  },
  {
    table: 'events',
    columns: EVENT_COLUMNS,
    nullable: [],
    read: (row) => readEventRow('k', row),
    row: { id: 1, turn: 't', at: 2, epoch: 3, body: '{"type":"text","text":"hi"}' },
    record: { type: 'text', text: 'hi', id: 1, key: 'k', turn: 't', at: 2, epoch: 3 },
  },
  {
    table: 'questions',
    columns: QUESTION_COLUMNS,
    nullable: ['tenant', 'answer'],
    elsewhere: { key: 'conversations', tenant: 'conversations' },
    read: readQuestionRow,
    row: {
      id: 'q',
      key: 'k',
      tenant: 'acme',
      turn: 't',
      question: '{"kind":"tool","attempt":1,"input":{}}',
      answer: '{"result":{"behavior":"allow"}}',
      asked_at: 1,
      answered_at: 2,
    },
    record: {
      kind: 'tool',
      attempt: 1,
      input: {},
      id: 'q',
      askedAt: 1,
      conversation: 'k',
      turn: 't',
      tenant: 'acme',
      answer: { result: { behavior: 'allow' }, answeredAt: 2 },
    },
  },
];

/** The names of the columns that a selection gives. */
function listColumns(sql: string): string[] {
  const flat = sql.replaceAll(/\([^()]*\([^()]*\)[^()]*\)|\([^()]*\)/g, '');
  return flat.split(',').map((part) => /(\w+)\s*$/.exec(part)?.[1] ?? part);
}

/** What reading a row is refused with. */
function refusalOf(read: (row: Row) => unknown, row: Row): unknown {
  try {
    read(row);
    return undefined;
  } catch (error) {
    return error;
  }
}

const EVERY_COLUMN = CASES.flatMap((each) =>
  listColumns(each.columns).map((column) => ({ ...each, column, where: `${each.table}.${column}` })),
);

describe('a row', () => {
  it.each(CASES)('of $table has the columns that are selected, and becomes a record', (each) => {
    expect(listColumns(each.columns).toSorted()).toEqual(Object.keys(each.row).toSorted());
    expect(each.read(each.row)).toEqual(each.record);
  });

  it.each(EVERY_COLUMN)('is refused where $where is of another type', ({ table, column, ...each }) => {
    const error = refusalOf(each.read, { ...each.row, [column]: new Date(0) });
    expect(error).toBeInstanceOf(ClusterError);
    const owner = each.elsewhere?.[column] ?? table;
    expect(error).toMatchObject({
      code: 'JOURNAL_VERSION',
      message: expect.stringContaining(`The column "${column}" of "${owner}"`),
    });
    expect(error).toMatchObject({ message: expect.stringContaining('has another object where') });
    // Without one, a worker would take the tables for too new, and end.
    expect((error as ClusterError).cause).toBeInstanceOf(TypeError);
  });

  it.each(EVERY_COLUMN)(
    'is refused where $where is null or missing, unless it may be',
    ({ column, nullable, read, row }) => {
      const { [column]: _left, ...rest } = row;
      if (nullable.includes(column)) {
        expect(refusalOf(read, { ...row, [column]: null })).toBeUndefined();
        expect(JSON.stringify(read({ ...row, [column]: null }))).not.toContain('null');
      } else {
        expect(refusalOf(read, { ...row, [column]: null })).toMatchObject({
          message: expect.stringContaining('has null where'),
        });
        expect(refusalOf(read, rest)).toMatchObject({
          message: expect.stringContaining('has nothing where'),
        });
      }
    },
  );

  it.each([
    ['conversations', 'state', 'asleep', 'one of idle, queued, running, parked, closed'],
    ['turns', 'state', '', 'one of queued, running, parked, ended'],
    ['conversations', 'data', '{"n":', 'JSON'],
    ['conversations', 'failure', '"t"', 'the turn that failed'],
    ['turns', 'content', '', 'JSON'],
    ['turns', 'trace', '1', 'text as JSON'],
    ['turns', 'outcome', '{"kind":"success"}', 'an outcome'],
    ['events', 'body', '[]', 'an event'],
    ['questions', 'question', 'null', 'a question'],
    ['questions', 'answer', '"yes"', 'an answer'],
  ])('is refused where %s.%s is %j', (table, column, value, wanted) => {
    const found = CASES.find((each) => each.table === table);
    const error = refusalOf(found?.read ?? (() => {}), { ...found?.row, [column]: value });
    expect(error).toMatchObject({ code: 'JOURNAL_VERSION' });
    const { message } = error as ClusterError;
    expect(message).toContain(`The column "${column}" of "${table}"`);
    expect(message).toContain(`where ${wanted} belongs`);
    // A model may read it.
    if (value.length > 6) expect(message).not.toContain(value);
  });

  it('passes on what a newer version has added to a value', () => {
    const body = '{"type":"later","more":1}';
    const row = { id: 1, turn: 't', at: 2, epoch: 3, body };
    expect(readEventRow('k', row)).toMatchObject({ type: 'later', more: 1 });
  });
});
