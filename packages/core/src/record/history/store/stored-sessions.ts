// Lists and describes sessions that are kept in a store.
import type { SessionStore, SessionSummaryEntry } from '../../../wire/protocol/config/session-store.js';
import type { SDKSessionInfo } from '../../../wire/protocol/config/past-sessions.js';
import { InvalidOptionsError } from '../../../errors.js';
import { describeTranscript, parseTime } from '../transcript/describe-transcript.js';
import { mapConcurrently } from '../../../util/map-concurrently.js';
import { readPage, type PageOptions } from '../arguments.js';
import { createProjectKey, resolveDirectory } from '../folders/project-folders.js';
import { callStore, type StoreCall } from './call-store.js';
import { readListed, readSummaries, type ListedSession } from './store-answers.js';
import { loadStored, readEndsOfEntries, type StoredSession } from './stored-entries.js';
import { type Listed, mergeLists, describeSummary } from './session-summaries.js';

/** How many transcripts are loaded at a time. */
const CONCURRENCY = 4;

/** Sessions of one project in a store, newest first. A transcript is loaded only if it has no current summary. */
export async function listStoredSessions(
  store: SessionStore,
  { dir, projectKey: given, ...page }: PageOptions & Omit<StoredSession, 'sessionId'>,
): Promise<SDKSessionInfo[]> {
  if (!store.listSessions && !store.listSessionSummaries) {
    throw new InvalidOptionsError(
      ['sessionStore'],
      'sessionStore.listSessions is not implemented -- cannot list sessions. ' +
        'Provide a store with a listSessions() method.',
    );
  }
  // If the caller gives only a project key, no directory is known for sessions that name none themselves.
  const cwd =
    given !== undefined && dir === undefined ? undefined : await resolveDirectory(dir ?? process.cwd());
  const projectKey = given ?? createProjectKey(cwd ?? '');
  const summaries = await askForSummaries(store, projectKey);
  const listed = await askForSessions(store, projectKey);
  const { start, end } = readPage(page);
  // The page is cut before anything is loaded. A hidden session then leaves a gap instead of costing another load.
  const chosen = mergeLists(summaries, listed)
    .sort((one, other) => other.mtime - one.mtime)
    .slice(start, end);
  const infos = await mapConcurrently(chosen, CONCURRENCY, (session) =>
    describeListed(store, session, { dir, cwd, projectKey }),
  );
  return infos.filter((info) => info !== undefined);
}

/** The ids of all sessions of a project in a store, including those that a list does not show. */
export async function listStoredIds(store: SessionStore, projectKey: string): Promise<string[]> {
  const summaries = await askForSummaries(store, projectKey);
  const listed = (await askForSessions(store, projectKey)) ?? [];
  return [...new Set([...summaries, ...listed].map(({ sessionId }) => sessionId))];
}

async function askForSummaries(store: SessionStore, projectKey: string): Promise<SessionSummaryEntry[]> {
  const asking: StoreCall = { store, operation: 'listSessionSummaries', keepsErrors: true };
  return readSummaries(asking, await callStore(asking, () => store.listSessionSummaries?.(projectKey)));
}

async function askForSessions(store: SessionStore, projectKey: string): Promise<ListedSession[] | undefined> {
  if (!store.listSessions) return undefined;
  const asking: StoreCall = { store, operation: 'listSessions', keepsErrors: true };
  return readListed(asking, await callStore(asking, () => store.listSessions?.(projectKey)));
}

async function describeListed(
  store: SessionStore,
  { sessionId, mtime, summary }: Listed,
  project: { dir: string | undefined; cwd: string | undefined; projectKey: string },
): Promise<SDKSessionInfo | undefined> {
  if (summary) return describeSummary(summary, project.cwd);
  try {
    return await getStoredSessionInfo(store, { sessionId, mtime, ...project });
  } catch {
    // A transcript that cannot be loaded must not hide the others. It is listed without a summary.
    return { sessionId, summary: '', lastModified: mtime };
  }
}

/** The description of one session in a store, as in a list; undefined if it does not exist or lists do not show it. */
export async function getStoredSessionInfo(
  store: SessionStore,
  session: StoredSession & { mtime?: number; cwd?: string | undefined },
): Promise<SDKSessionInfo | undefined> {
  const entries = await loadStored(store, session);
  if (entries === undefined) return undefined;
  const mtime = session.mtime ?? parseTime(entries.at(-1)?.timestamp) ?? Date.now();
  return describeTranscript(readEndsOfEntries(entries, mtime), session);
}
