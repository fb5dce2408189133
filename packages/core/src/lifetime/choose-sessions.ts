// Finds the sessions that the caller means, by id or by a filter. On request it adds the copies of these sessions, which
// have the same messages.
import { InvalidOptionsError } from '../errors.js';
import { checkSessionId } from '../record/history/arguments.js';
import { listSessions } from '../record/history/sessions/list-sessions.js';
import { listStoredIds, listStoredSessions } from '../record/history/store/stored-sessions.js';
import { findProjectKey, loadStored } from '../record/history/store/stored-entries.js';
import { createProjectKey, resolveDirectory } from '../record/history/folders/project-folders.js';
import { isRecord } from '../util/guards.js';
import { messageOf } from '../util/message-of.js';
import { callback, checkShape, filledText } from '../util/option-shapes.js';
import type { Environment } from '../wire/process/operating-system.js';
import type { SDKSessionInfo } from '../wire/protocol/config/past-sessions.js';
import type { SessionStoreEntry } from '../wire/protocol/config/session-store.js';
import type { FindSessionDataOptions, SessionDataFilter, SessionDataProblem } from './session-data.js';
import {
  describeFile,
  DirectoryReader,
  isOfDirectory,
  listTranscripts,
  noteIds,
  readIds,
  readTag,
  TagReader,
} from './transcript-files.js';
import type { TranscriptIds } from './transcript-files.js';

/** The caller's choice: ids, or a filter. */
export type SessionChoice = string | readonly string[] | SessionDataFilter;

interface Chooser {
  readonly env: Environment;
  readonly options: FindSessionDataOptions;
  readonly problems: SessionDataProblem[];
}

/** The chosen ids, in lower case. Rejects with an InvalidOptionsError for an invalid id or a filter without conditions. */
export async function chooseSessions(choice: SessionChoice, chooser: Chooser): Promise<Set<string>> {
  checkChoice(choice);
  const ids = isFilter(choice) ? await filterSessions(choice, chooser) : readGivenIds(choice);
  return chooser.options.copies === true ? await addCopies(ids, chooser) : ids;
}

// Without this check a wrong value could choose too much: a filter with `where: null` would match every session.
function checkChoice(choice: unknown): void {
  if (typeof choice === 'string' || Array.isArray(choice)) return;
  if (!isRecord(choice)) {
    throw new InvalidOptionsError(['sessions'], 'sessions must be an id, a list of ids, or a filter');
  }
  for (const name of ['tag', 'dir', 'projectKey'])
    checkShape(name, choice[name], filledText, { called: name });
  checkShape('where', choice['where'], callback, { called: 'where' });
}

function isFilter(choice: SessionChoice): choice is SessionDataFilter {
  return typeof choice === 'object' && choice !== null && !Array.isArray(choice);
}

function readGivenIds(given: string | readonly string[]): Set<string> {
  const ids = Array.isArray(given) ? (given as readonly string[]) : [given as string];
  // All ids are checked before any of them is used.
  for (const id of ids) checkSessionId(id);
  return new Set(ids.map((id) => id.toLowerCase()));
}

async function filterSessions(filter: SessionDataFilter, chooser: Chooser): Promise<Set<string>> {
  const { tag, dir, where, projectKey } = filter;
  if ([tag, dir, where, projectKey].every((each) => each === undefined)) {
    throw new InvalidOptionsError(
      ['sessions'],
      'Say which sessions you mean: an id, a list of ids, or a filter with tag, dir, projectKey or where. For all sessions, give where: () => true',
    );
  }
  const chosen = new Set<string>();
  const infos = [
    ...(projectKey === undefined ? await describeOnDisk(filter, chooser) : []),
    ...(await describeStored(filter, chooser)),
  ];
  for (const info of infos) {
    if (tag !== undefined && info.tag !== tag) continue;
    if (where && !(await where(info))) continue;
    chosen.add(info.sessionId.toLowerCase());
  }
  return chosen;
}

async function describeOnDisk(
  { dir, tag, where }: SessionDataFilter,
  { env, problems }: Chooser,
): Promise<SDKSessionInfo[]> {
  const transcripts = await listTranscripts(env, dir);
  // `listSessions` leaves out sessions that have nothing to show. They still have data.
  const listed = where ? await listSessions({ dir, env, includeWorktrees: false }) : [];
  const known = new Map(listed.map((info) => [info.sessionId.toLowerCase(), info]));
  const own = dir === undefined ? undefined : await resolveDirectory(dir);
  const infos: SDKSessionInfo[] = [];
  for (const { sessionId, path } of transcripts) {
    const file = await describeFile(path);
    if (file === undefined) continue;
    if (own !== undefined && !(await isOfDirectory(path, own, problems))) continue;
    const bare: SDKSessionInfo = { sessionId, summary: '', lastModified: file.mtimeMs, fileSize: file.size };
    const { tag: _listed, ...info } = known.get(sessionId) ?? bare;
    // `listSessions` reads only the beginning and end of a transcript. The tag may be anywhere, and decides whether the
    // session is chosen, so the whole file is read.
    const found = tag === undefined && !where ? undefined : await readTag(path, problems);
    infos.push({ ...info, ...(found !== undefined && { tag: found }) });
  }
  return infos;
}

/** Reads every session of the given stores, with its entries. A store that cannot list sessions is reported as a problem. */
async function readStored(
  { options, problems }: Chooser,
  onSession: (info: SDKSessionInfo, entries: readonly SessionStoreEntry[], projectKey: string) => void,
): Promise<void> {
  for (const [index, { store, dir, projectKey }] of (options.sessionStores ?? []).entries()) {
    try {
      const key = projectKey ?? (await findProjectKey(dir));
      const infos = await listStoredSessions(store, { dir, projectKey });
      const known = new Map(infos.map((info) => [info.sessionId, info]));
      // `listStoredSessions` leaves out sessions that have nothing to show.
      for (const sessionId of await listStoredIds(store, key)) {
        const info = known.get(sessionId) ?? { sessionId, summary: '', lastModified: 0 };
        onSession(info, (await loadStored(store, { sessionId, dir, projectKey })) ?? [], key);
      }
    } catch (error) {
      const message = `Its sessions cannot be searched: ${messageOf(error)}`;
      problems.push({ place: `sessionStores[${index}]`, message });
    }
  }
}

async function describeStored(filter: SessionDataFilter, chooser: Chooser): Promise<SDKSessionInfo[]> {
  const own = filter.dir === undefined ? undefined : await resolveDirectory(filter.dir);
  const infos: SDKSessionInfo[] = [];
  await readStored(chooser, ({ tag: _listed, ...info }, entries, key) => {
    if (filter.projectKey !== undefined && key !== filter.projectKey) return;
    if (own !== undefined && !isStoredOf(own, entries, key)) return;
    const reader = new TagReader();
    for (const entry of entries) reader.read(entry);
    infos.push({ ...info, ...(reader.tag !== undefined && { tag: reader.tag }) });
  });
  return infos;
}

/**
 * Whether a stored session belongs to a directory. Under the directory's own key it does, unless its entries name only
 * another directory with the same key. Under any other key, its first entry with a directory must name this one.
 */
function isStoredOf(dir: string, entries: readonly SessionStoreEntry[], key: string): boolean {
  const reader = new DirectoryReader(dir);
  for (const entry of entries) reader.read(entry);
  return key === createProjectKey(dir) ? reader.isOfIt : reader.beganThere;
}

/** A session that may be a copy. The ids at its beginning decide; the others are read only if it is one. */
interface Candidate {
  readonly sessionId: string;
  readonly head: TranscriptIds;
  readAll(): Promise<TranscriptIds>;
}

// A copy of a copy counts as well, so the search is repeated until nothing new is found.
async function addCopies(ids: ReadonlySet<string>, chooser: Chooser): Promise<Set<string>> {
  const candidates = await listCandidates(chooser);
  const chosen = new Set(ids);
  const messages = new Set<string>();
  const named = new Set<string>();
  const taken = new Set<Candidate>();
  const isMeant = ({ sessionId, head }: Candidate): boolean =>
    chosen.has(sessionId) ||
    named.has(sessionId) ||
    [...head.sessions].some((id) => chosen.has(id)) ||
    [...head.messages].some((id) => messages.has(id));
  for (;;) {
    const next = candidates.find((candidate) => !taken.has(candidate) && isMeant(candidate));
    if (next === undefined) return chosen;
    taken.add(next);
    chosen.add(next.sessionId);
    const all = await next.readAll();
    for (const id of all.messages) messages.add(id);
    for (const id of all.sessions) named.add(id);
  }
}

async function listCandidates(chooser: Chooser): Promise<Candidate[]> {
  const { problems } = chooser;
  const candidates: Candidate[] = [];
  for (const { sessionId, path } of await listTranscripts(chooser.env)) {
    const head = await readIds(path, { head: true, problems });
    candidates.push({ sessionId, head, readAll: () => readIds(path, { head: false, problems }) });
  }
  await readStored(chooser, ({ sessionId }, entries) => {
    const all: TranscriptIds = { messages: new Set(), sessions: new Set() };
    for (const entry of entries) noteIds(all, entry);
    candidates.push({ sessionId: sessionId.toLowerCase(), head: all, readAll: async () => all });
  });
  return candidates;
}
