// From the two ends of a transcript to what a list of sessions shows about it.
import type { SDKSessionInfo } from '../../../wire/protocol/config/past-sessions.js';
import { parseRecord } from '../../../util/guards.js';
import { findPrompt } from './prompt-text.js';
import { findFirstString, findLastString, hasTrue, hasType } from './raw-fields.js';
import type { Entry } from './transcript-lines.js';
import type { TranscriptEnds } from './transcript-ends.js';

/** Entry points of programs; sessions started by one can be left out of a list. */
const PROGRAMS: readonly (string | undefined)[] = ['sdk-ts', 'sdk-py', 'sdk-cli'];

/** What is known about a transcript without reading it. */
export interface TranscriptFacts {
  readonly sessionId: string;
  /** The working directory of its project, for transcripts that name none. */
  readonly cwd?: string | undefined;
  readonly archived?: boolean | undefined;
}

/** Describes a session; undefined for a subagent's transcript, and where nothing can serve as its summary. */
export function describeTranscript(ends: TranscriptEnds, facts: TranscriptFacts): SDKSessionInfo | undefined {
  const { head, tail } = ends;
  if (isSidechain(head)) return undefined;
  const customTitle = findTitle(ends);
  const firstPrompt = findFirstPrompt(head);
  const summary =
    customTitle ||
    findLastValue(tail, 'lastPrompt') ||
    findLastValue(tail, 'summary') ||
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
    tag: findLastOfType(tail, 'tag', 'tag') || undefined,
    createdAt: parseTime(findFirstString(head, 'timestamp')),
    archived: facts.archived,
  };
}

/** Whether a program started the session, as opposed to a person at a terminal or in an editor. */
export function isProgrammatic({ head, tail }: TranscriptEnds): boolean {
  const entrypoint = findFirstString(head, 'entrypoint') ?? findLastString(tail, 'entrypoint');
  return PROGRAMS.includes(entrypoint);
}

/** The title somebody gave the session, else the one the model gave it. */
export function findTitle({ head, tail }: Pick<TranscriptEnds, 'head' | 'tail'>): string | undefined {
  return (
    findLastOfType(tail, 'custom-title', 'customTitle') ||
    findLastOfType(head, 'custom-title', 'customTitle') ||
    findLastOfType(tail, 'ai-title', 'aiTitle') ||
    findLastOfType(head, 'ai-title', 'aiTitle') ||
    undefined
  );
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

// The empty string when a title or a tag was taken back.
function findLastOfType(text: string, type: string, field: string): string | undefined {
  return findLastValue(text, field, (entry) => entry['type'] === type);
}

function findLastValue(
  text: string,
  field: string,
  fits: (entry: Entry) => boolean = () => true,
): string | undefined {
  const quoted = `"${field}"`;
  // Backwards from the last mention, so that hardly anything has to be parsed.
  for (let at = text.lastIndexOf(quoted); at !== -1;) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    const entry = parseRecord(text.slice(start, end === -1 ? undefined : end));
    const value = entry?.[field];
    if (entry && typeof value === 'string' && fits(entry)) return value;
    at = start === 0 ? -1 : text.lastIndexOf(quoted, start - 1);
  }
  return undefined;
}

/** The first prompt of a person in a text, shortened; else the first command. */
export function findFirstPrompt(text: string): string | undefined {
  let command: string | undefined;
  for (const line of text.split('\n')) {
    if (!hasType(line, 'user') || line.includes('"tool_result"')) continue;
    if (hasTrue(line, 'isMeta') || hasTrue(line, 'isCompactSummary')) continue;
    const entry = parseRecord(line);
    if (entry?.['type'] !== 'user') continue;
    const found = findPrompt((entry['message'] as { content?: unknown } | null | undefined)?.content);
    if (found.prompt !== undefined) return found.prompt;
    command ??= found.command;
  }
  return command;
}

// A session may begin with an image and no text. Its line is often too long to be in the head as a whole.
function findMediaKind(head: string): string | undefined {
  for (const line of head.split('\n')) {
    if (!hasType(line, 'user') || line.includes('"tool_result"') || hasTrue(line, 'isMeta')) continue;
    if (hasType(line, 'image')) return 'Image';
    if (hasType(line, 'document')) return 'Document';
  }
  return undefined;
}
