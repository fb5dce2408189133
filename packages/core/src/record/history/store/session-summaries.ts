// The summaries a store keeps: which sessions they list, and what each says about its session.
import type { SessionSummaryEntry } from '../../../wire/protocol/config/session-store.js';
import type { SDKSessionInfo } from '../../../wire/protocol/config/past-sessions.js';

/** Of what a summary holds. None is written, because the official SDK's have none; one that says it is newer is not used. */
const SUMMARY_VERSION = 1;

/** Whether a summary was made by a version to come: then the transcript is read instead. */
export function isFromFuture({ data }: SessionSummaryEntry): boolean {
  const { version } = data;
  return typeof version === 'number' && version > SUMMARY_VERSION;
}

export interface Listed {
  readonly sessionId: string;
  readonly mtime: number;
  /** What the store knows about it without loading it. */
  readonly summary?: SessionSummaryEntry;
}

// Sessions with a summary first. A summary older than its session is not used.
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
