// The mark of an archived session: a small file beside the transcript. It no longer counts after a later prompt of a
// person.
import { randomUUID } from '../../../util/random-uuid.js';
import { moveOver } from '../../../util/move-over.js';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTime } from '../transcript/describe-transcript.js';
import { isSentByPerson } from '../transcript/prompt-text.js';
import { hasType, parseRawRecord } from '../transcript/raw-fields.js';
import type { Entry } from '../transcript/transcript-lines.js';
import type { FileEnds, TranscriptEnds } from '../transcript/transcript-ends.js';

const FILE_NAME = 'archived.json';
const MAX_BYTES = 4096;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The path of the mark in a session's folder. */
export function findMarkFile(folder: string): string {
  return join(folder, FILE_NAME);
}

/** Whether a session is archived; undefined when there is no readable mark. */
export function isArchived(mark: FileEnds | undefined, ends: TranscriptEnds): boolean | undefined {
  const read = mark && mark.size <= MAX_BYTES ? parseMark(mark.head) : undefined;
  return read && read.archived && !hasPromptAfter(ends, read.at);
}

/** Sets or clears the mark. The file is replaced as a whole, so that no reader sees half of it. */
export async function writeArchived(folder: string, archived: boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = findMarkFile(folder);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const mark = { archived, at: new Date().toISOString(), by: 'sdk' };
    await writeFile(draft, JSON.stringify(mark), { mode: 0o600 });
    await moveOver(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function parseMark(text: string): { archived: boolean; at: number } | undefined {
  const mark = parseRawRecord(text);
  const at = mark?.['at'];
  if (typeof mark?.['archived'] !== 'boolean' || typeof at !== 'string' || !MOMENT.test(at)) {
    return undefined;
  }
  const time = parseTime(at);
  return time === undefined ? undefined : { archived: mark['archived'], at: time };
}

function hasPromptAfter({ head, tail }: TranscriptEnds, moment: number): boolean {
  const texts = head === tail ? [head] : [tail, head];
  return texts.some((text) =>
    text.split('\n').some((line) => {
      const entry = hasType(line, 'user') ? parseRawRecord(line) : undefined;
      return entry !== undefined && isPersonalPrompt(entry) && (parseTime(entry['timestamp']) ?? 0) > moment;
    }),
  );
}

function isPersonalPrompt(entry: Entry): boolean {
  const { type, isMeta, isSidechain, isCompactSummary, isVisibleInTranscriptOnly, origin } = entry;
  if (type !== 'user' || isMeta || isSidechain || isCompactSummary || isVisibleInTranscriptOnly) return false;
  if (entry['toolUseResult'] !== undefined && entry['toolUseResult'] !== null) return false;
  const isHuman = (origin as { kind?: unknown } | null | undefined)?.kind === 'human';
  if (origin !== undefined && !isHuman) return false;
  const content = (entry['message'] as { content?: unknown } | null | undefined)?.content;
  return isSentByPerson(content, { isHuman });
}
