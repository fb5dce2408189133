// Readers of what lies in files, session stores and tables: another program may have written it, or a crash cut it.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as inboard from '../../packages/inboard/src/index.js';
import { buildTimeline, openTape, readTrace, renderTimelineText } from '../../packages/inboard/src/trace.js';
import {
  readAnswerRow,
  readConversationRow,
  readEventRow,
  readQuestionRow,
  readTurnRow,
} from '../../packages/cluster/src/postgres/rows.js';
import { readEntryRow, readFactRow } from '../../packages/cluster/src/postgres/ledger/ledger-rows.js';
import { readContent } from '../../packages/cluster/src/postgres/contents/read-contents.js';
import { parseRecord } from '../../packages/core/src/util/guards.js';
import { foldFacts } from '../../packages/core/src/record/calls/fold-facts.js';
import { PROJECT_ROOT } from '../package/project.js';
import type { FuzzedReader } from './fuzzed-reader.js';

const FORMATS = join(PROJECT_ROOT, 'test', 'fixtures', 'formats');
const TRANSCRIPTS = join(PROJECT_ROOT, 'test', 'fixtures', 'transcripts', '2.1.325');
const SESSION = '0f5a9a52-5b0b-4f5e-9c6b-0b1f6a6c2d11';

/** Runs with a folder that only this user reads, and removes it. */
export async function inFolder(action: (folder: string) => unknown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-fuzz-'));
  chmodSync(folder, 0o700);
  try {
    await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const write = (file: string, bytes: Buffer): void => writeFileSync(file, bytes, { mode: 0o600 });

/** What was thrown, thrown last: the other reads are tried all the same. */
export async function tryAll(...reads: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const read of reads) {
    try {
      await read();
    } catch (error) {
      errors.push(error);
    }
  }
  for (const error of errors) if (!(error instanceof inboard.InboardError)) throw error;
}

const repeatLines = (text: string, count: number, from = 0): string => {
  const lines = text.trimEnd().split('\n');
  return `${[...lines.slice(0, from), ...Array<string[]>(count).fill(lines.slice(from)).flat()].join('\n')}\n`;
};

const trace = readFileSync(join(FORMATS, 'trace', 'v1', 'session.jsonl'), 'utf8');
const limits = readFileSync(join(FORMATS, 'trace', 'v1', 'limits.jsonl'), 'utf8');

export const TRACES: FuzzedReader = {
  name: 'traces',
  examples: [trace, limits],
  runs: 30,
  read: (bytes) =>
    inFolder(async (folder) => {
      const file = join(folder, 'trace.jsonl');
      write(file, bytes);
      await tryAll(
        async () => {
          const read = await readTrace(file);
          renderTimelineText(buildTimeline(read));
        },
        async () => await openTape(file, { tools: 'taped' }),
      );
    }),
  grow: (count) => repeatLines(trace, count, 1),
};

const approval = (name: string): string => readFileSync(join(FORMATS, 'approvals', 'v1', name), 'utf8');

export const APPROVALS: FuzzedReader = {
  name: 'approvals in files',
  examples: [approval('call_allowed_1.question.json'), approval('call_allowed_1.answer.json')],
  runs: 30,
  read: (bytes) =>
    inFolder(async (folder) => {
      cpSync(join(FORMATS, 'approvals', 'v1'), folder, { recursive: true });
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
      const store = inboard.createFileApprovalStore(folder);
      for (const part of ['question', 'answer']) {
        write(join(folder, `call_allowed_1.${part}.json`), bytes);
        const late = { result: inboard.allow(), answeredAt: 1 };
        await tryAll(
          () => store.list(),
          () => store.get('call_allowed_1'),
          () => store.answer('call_allowed_1', late),
        );
        // Files of others are read all the same.
        const others = await store.list();
        if (!others.some(({ id }) => id === 'call_open_1')) throw new Error('another question was lost');
      }
    }),
  grow: (count) =>
    approval('call_allowed_1.question.json').replace('"ls"', JSON.stringify('ls '.repeat(count * 100))),
};

const callLog = readFileSync(join(FORMATS, 'calls', 'v1', 'inboard-calls.jsonl'), 'utf8');
const callTail = readFileSync(join(FORMATS, 'calls', 'v1', 'inboard-calls-0.tail'), 'utf8');

export const CALLS: FuzzedReader = {
  name: 'records of calls',
  examples: [callLog, callTail],
  runs: 20,
  read: (bytes) =>
    inFolder(async (folder) => {
      cpSync(join(FORMATS, 'calls', 'v1'), folder, { recursive: true });
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
      write(join(folder, 'inboard-calls.jsonl'), bytes);
      const records = inboard.createFileCallRecords({ folder });
      await tryAll(
        async () => foldFacts(await records.load()).list(),
        () => records.add({ type: 'withdrawn', callKey: 'call_new', at: 1 }),
      );
      await records.close();
    }),
  grow: (count) => repeatLines(callLog, count),
};

const [PROJECT = ''] = readdirSync(TRANSCRIPTS);
const transcripts = readdirSync(join(TRANSCRIPTS, PROJECT))
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readFileSync(join(TRANSCRIPTS, PROJECT, name), 'utf8'));

export const TRANSCRIPT_FILES: FuzzedReader = {
  name: 'transcripts',
  examples: transcripts,
  runs: 20,
  read: (bytes) =>
    inFolder(async (folder) => {
      const before = process.env['CLAUDE_CONFIG_DIR'];
      process.env['CLAUDE_CONFIG_DIR'] = folder;
      try {
        mkdirSync(join(folder, 'projects', PROJECT), { recursive: true });
        write(join(folder, 'projects', PROJECT, `${SESSION}.jsonl`), bytes);
        await tryAll(
          () => inboard.listSessions(),
          () => inboard.getSessionInfo(SESSION),
          () => inboard.getSessionMessages(SESSION),
          () => inboard.getTranscriptState(SESSION),
          () => inboard.listSubagents(SESSION),
          () => inboard.forkSession(SESSION),
        );
      } finally {
        if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
        else process.env['CLAUDE_CONFIG_DIR'] = before;
      }
    }),
  grow: (count) => repeatLines(transcripts[0] ?? '', count),
};

export const STORE_ENTRIES: FuzzedReader = {
  name: 'entries of a session store',
  examples: transcripts,
  runs: 30,
  read: async (bytes) => {
    const entries = bytes
      .toString()
      .split('\n')
      .flatMap((line) => parseRecord(line) ?? []) as inboard.SessionStoreEntry[];
    const sessionStore: inboard.SessionStore = {
      append: async () => {},
      load: async () => entries,
      listSubkeys: async () => [],
      listSessions: async () => [{ sessionId: SESSION, mtime: 1 }],
    };
    const place = { sessionStore, projectKey: 'shop' };
    await tryAll(
      () => inboard.listSessions(place),
      () => inboard.getSessionMessages(SESSION, place),
      () => inboard.getTranscriptState(SESSION, place),
      () => inboard.foldSessionSummary(undefined, { projectKey: 'shop', sessionId: SESSION }, entries),
    );
  },
  grow: (count) => repeatLines(transcripts[0] ?? '', count),
};

const row = {
  key: 'chat',
  agent: 'desk',
  data: '{"a":1}',
  tenant: 'shop',
  session_id: SESSION,
  state: 'idle',
  turns: 1,
  queued: 0,
  cost_usd: 0.5,
  failure: null,
  last_event: 3,
  owner: 'w',
  epoch: 2,
  lease_until: 5,
  questions: 0,
  created_at: 1,
  updated_at: 2,
  closed_at: null,
  id: 'one',
  place: 1,
  uuid: SESSION,
  content: '"Hello"',
  attempt: 1,
  tries: 0,
  stop: null,
  trace: null,
  outcome: '{"ok":true,"kind":"ok"}',
  turn: 'one',
  at: 1,
  body: '{"type":"turn","state":"queued","attempt":0}',
  asked_at: 1,
  question: '{"id":"q","kind":"permission","attempt":1,"askedAt":1}',
  answer: null,
  entry: '{"type":"user","uuid":"u"}',
  fact: '{"type":"waiting","callKey":"call_1","at":1}',
};

export const ROWS: FuzzedReader = {
  name: 'rows of journals and ledgers',
  examples: [JSON.stringify(row), JSON.stringify({ ...row, state: 'ended', answer: '{"result":{}}' })],
  read: async (bytes) => {
    const given = parseRecord(bytes.toString()) ?? { key: bytes.toString() };
    await tryAll(
      () => readConversationRow(given),
      () => readTurnRow('chat', given),
      () => readEventRow('chat', given),
      () => readQuestionRow(given),
      () => readAnswerRow(given),
      () => readEntryRow(given),
      () => readFactRow(given),
      () => readContent(async () => [{ text: given['body'], inner_content: null }], 'inboard', 1),
    );
  },
  grow: (count) => JSON.stringify({ ...row, body: JSON.stringify({ list: Array(count * 100).fill(1) }) }),
};
