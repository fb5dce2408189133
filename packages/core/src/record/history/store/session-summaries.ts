// Reads the summaries that a store keeps: which sessions they list, and what each says about its session.
import type { SessionSummaryEntry } from '../../../wire/protocol/config/session-store.js';
import type { SDKSessionInfo } from '../../../wire/protocol/config/past-sessions.js';

/**
 * The version of a summary's content. It is not written, because the official SDK writes no version. A summary with a
 * newer version is not used.
 */
const SUMMARY_VERSION = 1;

/** Whether a newer version of this package made a summary. Then the transcript is read instead. */
export function isFromFuture({ data }: SessionSummaryEntry): boolean {
  const { version } = data;
  return typeof version === 'number' && version > SUMMARY_VERSION;
}

export interface Listed {
  readonly sessionId: string;
  readonly mtime: number;
  /** The store's summary of the session, if it has one. */
  readonly summary?: SessionSummaryEntry;
}

// Joins both lists of a store, with each session once. A summary that is older than its session is not used.
export function mergeLists(
  summaries: readonly SessionSummaryEntry[],
  listed: readonly { sessionId: string; mtime: number }[] | undefined,
): Listed[] {
  const mtimes = new Map(listed?.map(({ sessionId, mtime }) => [sessionId, mtime]));
  const summarized = new Set(summaries.map(({ sessionId }) => sessionId));
  return [
    ...summaries.flatMap((summary): Listed[] => {
      const { sessionId, mtime } = summary;
      const known = mtimes.get(sessionId);
      if (listed && known === undefined) return [];
      return isFromFuture(summary) || (known !== undefined && known > mtime)
        ? [{ sessionId, mtime: known ?? mtime }]
        : [{ sessionId, mtime, summary }];
    }),
    ...(listed ?? []).filter(({ sessionId }) => !summarized.has(sessionId)),
  ];
}

export function describeSummary(
  { sessionId, mtime, data }: SessionSummaryEntry,
  cwd: string | undefined,
): SDKSessionInfo | undefined {
  if (data['isSidechain'] === true) return undefined;
  const text = (field: string): string | undefined =>
    typeof data[field] === 'string' ? data[field] || undefined : undefined;
  const customTitle = text('customTitle') ?? text('aiTitle');
  const firstPrompt =
    (data['firstPromptLocked'] === true ? text('firstPrompt') : undefined) ?? text('commandFallback');
  const summary = customTitle ?? text('lastPrompt') ?? text('summaryHint') ?? firstPrompt;
  if (summary === undefined) return undefined;
  return {
    sessionId,
    summary,
    lastModified: mtime,
    fileSize: undefined,
    customTitle,
    firstPrompt,
    gitBranch: text('gitBranch'),
    cwd: text('cwd') ?? cwd,
    tag: text('tag'),
    createdAt: typeof data['createdAt'] === 'number' ? data['createdAt'] : undefined,
  };
}
