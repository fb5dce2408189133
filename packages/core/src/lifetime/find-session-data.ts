// Finds everything that belongs to sessions, in every place. `delete-session-data` deletes it.
import { chooseSessions, type SessionChoice } from './choose-sessions.js';
import { lookInConfig } from './look-in-config.js';
import { lookInMcpLogs, lookInTraces } from './look-in-recordings.js';
import { lookInApprovals, lookInSessionStores } from './look-in-stores.js';
import { lookInTemporary } from './look-in-temporary.js';
import type { FoundItem, Search } from './search.js';
import type { FindSessionDataOptions, SessionData, SessionDataItem } from './session-data.js';
import { listTranscripts, readOuterNames, type OuterNames } from './transcript-files.js';

/**
 * Finds everything that belongs to sessions: transcripts, saved tool results, file versions, logs, traces, stored
 * copies, approvals. Rejects with an InvalidOptionsError for an invalid session id. `problems` lists the places that
 * cannot be read.
 */
export async function findSessionData(
  sessions: SessionChoice,
  options: FindSessionDataOptions = {},
): Promise<SessionData> {
  const search = await openSearch(sessions, options);
  const items = (await lookEverywhere(search)).map(describeItem);
  return { sessionIds: [...search.ids], items, problems: search.problems };
}

/** Begins a search, and finds out which sessions are meant. */
export async function openSearch(sessions: SessionChoice, options: FindSessionDataOptions): Promise<Search> {
  const env = options.env ?? process.env;
  const problems: Search['problems'] = [];
  const ids = await chooseSessions(sessions, { env, options, problems });
  return { ids, env, options, problems };
}

/** Everything that exists, in the order of deletion. The transcripts in the CLI's config folder come last. */
export async function lookEverywhere(search: Search): Promise<FoundItem[]> {
  if (search.ids.size === 0 && !search.options.matchApproval) return [];
  const names: OuterNames = { tasks: new Map(), slugs: new Map() };
  for (const transcript of await listTranscripts(search.env))
    if (search.ids.has(transcript.sessionId)) await readOuterNames(transcript, names, search.problems);
  return [
    ...(await lookInApprovals(search)),
    ...(await lookInTraces(search)),
    ...(await lookInMcpLogs(search)),
    ...(await lookInTemporary(search, names)),
    ...(await lookInSessionStores(search)),
    ...(await lookInConfig(search, names)),
  ];
}

/** An item in its public form. */
export function describeItem({ sessionId, kind, place, bytes, sharedWith }: FoundItem): SessionDataItem {
  return {
    sessionId,
    kind,
    place,
    ...(bytes !== undefined && { bytes }),
    ...(sharedWith && { sharedWith }),
  };
}
