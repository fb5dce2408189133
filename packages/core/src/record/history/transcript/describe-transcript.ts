// Describes a session for a list, from the two ends of its transcript.
import type { SDKSessionInfo } from '../../../wire/protocol/config/past-sessions.js';
import { findFirstString, findLastString, hasTrue } from './raw-fields.js';
import type { TranscriptEnds } from './transcript-ends.js';
import { findTitle, findFirstPrompt, findMediaKind, readLastEntries } from './find-in-transcript.js';

/** The values of `entrypoint` in sessions that a program started. A list can leave out such sessions. */
const PROGRAMS: readonly (string | undefined)[] = ['sdk-ts', 'sdk-py', 'sdk-cli'];

/** The facts about a session that do not come from the text of its transcript. */
export interface TranscriptFacts {
  readonly sessionId: string;
  /** The working directory of the project. It is used when the transcript names none. */
  readonly cwd?: string | undefined;
  readonly archived?: boolean | undefined;
}

/** Describes a session; undefined for a subagent's transcript, and when nothing can serve as the summary. */
export function describeTranscript(ends: TranscriptEnds, facts: TranscriptFacts): SDKSessionInfo | undefined {
  const { head, tail } = ends;
  if (isSidechain(head)) return undefined;
  const last = readLastEntries(ends);
  const customTitle = findTitle(last);
  const firstPrompt = findFirstPrompt(head);
  const summary =
    customTitle ||
    last.tail.find('lastPrompt') ||
    last.tail.find('summary') ||
    firstPrompt ||
    findMediaKind(head);
  if (!summary) return undefined;
  return {
    sessionId: facts.sessionId,
    summary,
    lastModified: ends.mtime,
    fileSize: ends.size,
    customTitle,
    firstPrompt,
    gitBranch: findLastString(tail, 'gitBranch') || findFirstString(head, 'gitBranch') || undefined,
    cwd: findFirstString(head, 'cwd') || facts.cwd,
    tag: last.tail.find('tag', 'tag') || undefined,
    createdAt: parseTime(findFirstString(head, 'timestamp')),
    archived: facts.archived,
  };
}

/** Whether a program started the session, and not a person at a terminal or in an editor. */
export function isProgrammatic({ head, tail }: TranscriptEnds): boolean {
  // If the tail is the same text as the head, it need not be searched again.
  const entrypoint =
    findFirstString(head, 'entrypoint') ?? (tail === head ? undefined : findLastString(tail, 'entrypoint'));
  return PROGRAMS.includes(entrypoint);
}

/** Milliseconds since 1970; undefined for anything but a date. */
export function parseTime(timestamp: unknown): number | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function isSidechain(head: string): boolean {
  const end = head.indexOf('\n');
  return hasTrue(end === -1 ? head : head.slice(0, end), 'isSidechain');
}
