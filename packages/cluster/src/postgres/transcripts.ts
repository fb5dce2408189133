// The transcripts of a journal in PostgreSQL. Everybody may read them, but a write needs a fence.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { digest } from '@inboard/core/util/digest.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '@inboard/core/wire/protocol/config/session-store.js';
import { checkName, MAX_NAME_LENGTH } from '../journal/check-names.js';
import { createJournalCallRecords } from '../journal/call-facts.js';
import type { Fence, Json } from '../journal/records.js';
import { readKeptCalls } from './kept-calls.js';
import { ContentKeeper, writeWithContents, type KeptValue } from './contents/keep-contents.js';
import { readAtOnce, readContent } from './contents/read-contents.js';
import { removeContents } from './contents/remove-contents.js';
import type { Database, Row } from './database.js';
import type { FencedWrites } from './fenced-writes.js';
import { ms } from './rows.js';
import { isNumbers, TableReader } from './table-reader.js';

const TRANSCRIPTS = new TableReader('transcripts');
const ENTRIES = new TableReader('kept_entries');
const TAKEN_OUT = new TableReader('take_out_transcript');

// A project key is a path that is cut to 200 characters, followed by a hash.
const MAX_PROJECT_KEY_LENGTH = 300;

/** What a store of transcripts needs. Without a fence, it only reads. */
export interface TranscriptsInput {
  database: Database;
  writes: FencedWrites;
  fence: Fence | undefined;
}

export function createTranscripts({ database, writes, fence }: TranscriptsInput): SessionStore {
  const { schema } = database;
  // With a fence, only transcripts of its conversation are visible.
  const named = `from ${schema}.transcripts t where t.project_key = $1 and t.session_id = $2
    and ($3::text is null or t.conversation = (select number from ${schema}.conversations where key = $3))`;
  const within = fence?.key;

  return {
    async append(key, entries) {
      const given = requireFence(fence);
      checkSessionKey(key);
      const { projectKey, sessionId, subpath = '' } = key;
      const uuids = entries.map(nameEntry);
      await writeWithContents(async () => {
        const keeper = new ContentKeeper(database, given);
        const kept: KeptValue[] = [];
        for (const entry of entries) kept.push(await keeper.keepEntry(entry));
        const isAnyLarge = kept.some(({ digest }) => digest !== null);
        await writes.write(given, {
          name: isAnyLarge ? 'append_contents' : 'append_entries',
          values: [
            given.key,
            given.epoch,
            projectKey,
            sessionId,
            subpath,
            uuids,
            kept.map(({ text }) => text),
            ...(isAnyLarge ? [kept.map(({ digest }) => digest)] : []),
          ],
        });
      });
    },

    async load(key) {
      checkSessionKey(key);
      const text = `select e.entry, e.content from (select t.number ${named} and t.subpath = $4) t
        left join ${schema}.kept_entries e on e.transcript = t.number order by e.transcript, e.seq`;
      const values = [key.projectKey, key.sessionId, within, key.subpath ?? ''];
      const rows = await database.query(text, values);
      if (rows.length === 0) return null;
      if (rows.every(({ content }) => content === null)) return rows.flatMap(readSmall);
      return await readAtOnce(database, async (run) => {
        const found: SessionStoreEntry[] = [];
        for (const row of await run(text, values)) {
          const { content } = row;
          if (typeof content !== 'number') found.push(...readSmall(row));
          else found.push(checkEntry(await readContent(run, schema, content)));
        }
        return found;
      });
    },

    async listSessions(projectKey) {
      const rows = await database.query(
        `select t.session_id, max(${ms('t.changed_at')}) as mtime from ${schema}.transcripts t
        where t.project_key = $1 and t.subpath = ''
          and ($2::text is null or t.conversation = (select number from ${schema}.conversations where key = $2))
        group by t.session_id order by t.session_id`,
        [projectKey, within],
      );
      return rows.map((row) => ({
        sessionId: TRANSCRIPTS.text(row, 'session_id'),
        mtime: TRANSCRIPTS.number(row, 'mtime'),
      }));
    },

    async delete(key) {
      const { key: conversation, epoch } = requireFence(fence);
      checkSessionKey(key);
      const [found] = await database.query(
        `select (select number from ${schema}.conversations where key = $1) as number, clock_timestamp()::text as before,
          to_json(d)::text as contents from ${schema}.take_out_transcript($1, $2, $3, $4, $5) d`,
        [conversation, epoch, key.projectKey, key.sessionId, key.subpath],
        { fence },
      );
      const contents = TAKEN_OUT.shapeIfAny(found, 'contents', 'a list of numbers', isNumbers) ?? [];
      if (contents.length === 0) return;
      await removeContents(database, TAKEN_OUT.number(found, 'number'), contents, found?.['before']);
    },

    calls: ({ sessionId }) => createJournalCallRecords(() => readKeptCalls(database, sessionId, within)),

    async listSubkeys({ projectKey, sessionId }) {
      const rows = await database.query(
        `select distinct t.subpath ${named} and t.subpath <> '' order by t.subpath`,
        [projectKey, sessionId, within],
      );
      return rows.map((row) => TRANSCRIPTS.text(row, 'subpath'));
    },
  };
}

/** Reads an entry that is stored whole. A transcript without entries has one row with null. */
function readSmall(row: Row): SessionStoreEntry[] {
  return row['entry'] === null ? [] : [checkEntry(ENTRIES.json(row, 'entry'))];
}

function checkEntry(value: Json): SessionStoreEntry {
  return ENTRIES.check('entry', value, 'an entry of a transcript', isEntry);
}

function isEntry(value: unknown): value is SessionStoreEntry {
  return isRecord(value);
}

function requireFence(fence: Fence | undefined): Fence {
  if (fence) return fence;
  throw new InvalidOptionsError(
    ['fence'],
    'Transcripts can only be changed under a fence: pass one to store()',
  );
}

function checkSessionKey({ projectKey, sessionId, subpath }: SessionKey): void {
  checkName('projectKey', projectKey, MAX_PROJECT_KEY_LENGTH);
  checkName('sessionId', sessionId);
  if (subpath !== undefined) checkName('subpath', subpath, MAX_PROJECT_KEY_LENGTH);
}

/** The name by which duplicates of an entry are recognized. A uuid that no index can store is replaced by its digest. */
function nameEntry({ uuid }: SessionStoreEntry): string | null {
  if (uuid === undefined) return null;
  const isPlain = uuid.length <= MAX_NAME_LENGTH && !/\0|\p{Surrogate}/u.test(uuid);
  return isPlain ? uuid : `sha256 ${digest(JSON.stringify(uuid))}`;
}
