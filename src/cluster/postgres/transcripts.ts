// Transcripts in the database: read by anybody, written under a fence.
import { InvalidOptionsError } from '../../errors.js';
import { digest } from '../../util/digest.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../wire/protocol/config/session-store.js';
import { checkName, MAX_NAME_LENGTH } from '../journal/check-names.js';
import type { Fence } from '../journal/records.js';
import type { Database } from './database.js';
import { fromText, ms, toText } from './rows.js';

// A path is cut to 200 characters and a hash.
const MAX_PROJECT_KEY_LENGTH = 300;

export function createTranscripts(database: Database, fence: Fence | undefined): SessionStore {
  const { schema } = database;
  // Of one conversation where there is a fence: what belongs to another is not to be seen there.
  const named = `from ${schema}.transcripts t where t.project_key = $1 and t.session_id = $2
    and ($3::text is null or t.conversation = (select number from ${schema}.conversations where key = $3))`;
  const within = fence?.key;

  return {
    async append(key, entries) {
      const { key: conversation, epoch } = requireFence(fence);
      checkSessionKey(key);
      await database.query(
        `select ${schema}.append_entries($1, $2, $3, $4, $5, $6, $7)`,
        [conversation, epoch, key.projectKey, key.sessionId, key.subpath ?? ''].concat([
          entries.map(nameEntry),
          entries.map((entry) => toText('entries', entry)),
        ] as never[]),
        { fence },
      );
    },

    async load(key) {
      checkSessionKey(key);
      const rows = await database.query(
        `select e.entry from (select t.number ${named} and t.subpath = $4) t
        left join ${schema}.entries e on e.transcript = t.number order by e.transcript, e.seq`,
        [key.projectKey, key.sessionId, within, key.subpath ?? ''],
      );
      if (rows.length === 0) return null;
      return rows.flatMap(({ entry }) =>
        entry === null ? [] : [fromText(entry) as unknown as SessionStoreEntry],
      );
    },

    async listSessions(projectKey) {
      const rows = await database.query(
        `select t.session_id, max(${ms('t.changed_at')}) as mtime from ${schema}.transcripts t
        where t.project_key = $1 and t.subpath = ''
          and ($2::text is null or t.conversation = (select number from ${schema}.conversations where key = $2))
        group by t.session_id order by t.session_id`,
        [projectKey, within],
      );
      return rows.map((row) => ({ sessionId: row['session_id'] as string, mtime: row['mtime'] as number }));
    },

    async delete(key) {
      const { key: conversation, epoch } = requireFence(fence);
      checkSessionKey(key);
      await database.query(
        `select ${schema}.delete_transcript($1, $2, $3, $4, $5)`,
        [conversation, epoch, key.projectKey, key.sessionId, key.subpath],
        { fence },
      );
    },

    async listSubkeys({ projectKey, sessionId }) {
      const rows = await database.query(
        `select distinct t.subpath ${named} and t.subpath <> '' order by t.subpath`,
        [projectKey, sessionId, within],
      );
      return rows.map((row) => row['subpath'] as string);
    },
  };
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

/** By what an entry is known as a duplicate; one that no index can have is known by its digest. */
function nameEntry({ uuid }: SessionStoreEntry): string | null {
  if (uuid === undefined) return null;
  const isPlain = uuid.length <= MAX_NAME_LENGTH && !/\0|\p{Surrogate}/u.test(uuid);
  return isPlain ? uuid : `sha256 ${digest(JSON.stringify(uuid))}`;
}
