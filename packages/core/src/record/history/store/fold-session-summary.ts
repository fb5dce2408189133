// Updates the summary that a store keeps beside each transcript, so that a list of sessions need not load transcripts.
// Authors of stores call this pure function in their own `append`.
import { isRecord } from '../../../util/guards.js';
import type {
  SessionKey,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '../../../wire/protocol/config/session-store.js';
import { parseTime } from '../transcript/describe-transcript.js';
import { isFromFuture } from './session-summaries.js';
import { findPrompt } from '../transcript/prompt-text.js';

/** Fields whose last value counts: the name in the entry, and the name in the summary. */
const LAST_WINS = [
  ['customTitle', 'customTitle'],
  ['aiTitle', 'aiTitle'],
  ['lastPrompt', 'lastPrompt'],
  ['summary', 'summaryHint'],
  ['gitBranch', 'gitBranch'],
] as const;

/**
 * Returns the summary of a session after an append. `previous` is the summary of all earlier entries, and `entries` are
 * the new ones, in the order of the transcript. `mtime` is when the store received them, by the clock of its
 * `listSessions()`. Call it only for the session's own transcript, not for those of its subagents.
 */
export function foldSessionSummary(
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  options?: { mtime?: number },
): SessionSummaryEntry {
  // The summary's content stays. Its time is made older than any session, so that no reader takes it for up to date.
  if (previous && isFromFuture(previous)) return { ...previous, mtime: 0 };
  const data: Record<string, unknown> = { ...previous?.data };
  for (const entry of entries) foldEntry(data, entry);
  return { sessionId: key.sessionId, mtime: options?.mtime ?? previous?.mtime ?? 0, data };
}

function foldEntry(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  data['isSidechain'] ??= entry['isSidechain'] === true;
  data['createdAt'] ??= parseTime(entry.timestamp);
  if (data['createdAt'] === undefined) delete data['createdAt'];
  const cwd = entry['cwd'];
  if (typeof cwd === 'string' && cwd !== '') data['cwd'] ??= cwd;
  if (data['firstPromptLocked'] !== true) foldPrompt(data, entry);
  for (const [field, name] of LAST_WINS) {
    const value = entry[field];
    // An empty string counts as well, because it removes a title.
    if (typeof value === 'string') data[name] = value;
  }
  if (entry.type !== 'tag') return;
  if (typeof entry['tag'] === 'string' && entry['tag'] !== '') data['tag'] = entry['tag'];
  else delete data['tag'];
}

function foldPrompt(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  if (entry.type !== 'user' || entry['isMeta'] === true || entry['isCompactSummary'] === true) return;
  const content = isRecord(entry['message']) ? entry['message']['content'] : undefined;
  const isResult =
    Array.isArray(content) &&
    content.some((block: unknown) => isRecord(block) && block['type'] === 'tool_result');
  if (isResult) return;
  const { prompt, command } = findPrompt(content);
  if (command !== undefined) data['commandFallback'] ??= command;
  if (prompt === undefined) return;
  data['firstPrompt'] = prompt;
  data['firstPromptLocked'] = true;
}
