// Reads facts from the transcripts in the CLI's folder: the session's tag and directory, the names of files that it has
// elsewhere, and the ids by which copies of it are recognized.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readFolderNames } from '../record/history/folders/project-folders.js';
import { isSessionId } from '../record/history/arguments.js';
import { listProjectFolders } from '../record/history/folders/transcript-location.js';
import { scanEntries, type Entry } from '../record/history/transcript/transcript-lines.js';
import { isRecord } from '../util/guards.js';
import { messageOf } from '../util/message-of.js';
import type { Environment } from '../wire/process/operating-system.js';
import { createProjectKey } from '../record/history/folders/project-folders.js';
import type { Search } from './search.js';
import type { SessionDataProblem } from './session-data.js';

export interface TranscriptPath {
  readonly sessionId: string;
  readonly path: string;
}

/** The transcripts of all projects, or of one directory. */
export async function listTranscripts(env: Environment, dir?: string): Promise<TranscriptPath[]> {
  const found: TranscriptPath[] = [];
  for (const { folder } of await listProjectFolders(dir, false, env)) {
    for (const name of await readFolderNames(folder)) {
      const sessionId = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length).toLowerCase() : '';
      if (isSessionId(sessionId)) found.push({ sessionId, path: join(folder, name) });
    }
  }
  return found;
}

/** When a transcript was last written, and its size; undefined if it is gone. */
export async function describeFile(path: string): Promise<{ mtimeMs: number; size: number } | undefined> {
  return await stat(path).catch(() => undefined);
}

/** Finds the tag of a session: the last one that an entry sets. */
export class TagReader {
  tag: string | undefined;

  readonly read = (entry: Entry): void => {
    const { type, tag } = entry;
    if (type === 'tag' && typeof tag === 'string') this.tag = tag === '' ? undefined : tag;
  };
}

/** The tag of a transcript, wherever it is in the file. */
export async function readTag(path: string, problems: SessionDataProblem[]): Promise<string | undefined> {
  const reader = new TagReader();
  await scanQuietly(path, problems, reader.read, '"tag"');
  return reader.tag;
}

/**
 * Finds out whether a session in the folder of a directory belongs to that directory. Two directories can share a folder,
 * such as `/home/ann-b` and `/home/ann.b`. Only the entries tell their sessions apart.
 */
export class DirectoryReader {
  readonly #dir: string;
  readonly #key: string;
  #isHere = false;
  #isElsewhere = false;
  #beganThere: boolean | undefined;

  constructor(dir: string) {
    this.#dir = dir.normalize();
    this.#key = createProjectKey(dir);
  }

  /** Whether an entry names the directory, or no entry names another directory that has the same folder. */
  get isOfIt(): boolean {
    return this.#isHere || !this.#isElsewhere;
  }

  /** Whether the first directory that an entry names is this one. */
  get beganThere(): boolean {
    return this.#beganThere === true;
  }

  readonly read = ({ cwd }: Entry): void => {
    if (typeof cwd !== 'string') return;
    const isHere = cwd.normalize() === this.#dir;
    this.#beganThere ??= isHere;
    if (isHere) this.#isHere = true;
    else if (createProjectKey(cwd) === this.#key) this.#isElsewhere = true;
  };
}

/** Whether a transcript in the folder of a directory belongs to that directory. */
export async function isOfDirectory(
  path: string,
  dir: string,
  problems: SessionDataProblem[],
): Promise<boolean> {
  const reader = new DirectoryReader(dir);
  await scanQuietly(
    path,
    problems,
    (entry) => {
      reader.read(entry);
      if (reader.beganThere) throw ENOUGH;
    },
    '"cwd"',
  );
  return reader.isOfIt;
}

/** Names of files that sessions have outside their own folders, and the sessions they belong to. */
export interface OuterNames {
  /** The names of background commands and subagents. */
  readonly tasks: Map<string, string>;
  /** The names of plans. */
  readonly slugs: Map<string, string>;
}

const SAFE_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Reads these names only from fields that the CLI itself writes, so that no tool's result can choose files to delete. */
export async function readOuterNames(
  { path, sessionId }: TranscriptPath,
  names: OuterNames,
  problems: SessionDataProblem[],
): Promise<void> {
  await scanQuietly(path, problems, (entry) => {
    const { slug } = entry;
    if (isName(slug)) names.slugs.set(slug, sessionId);
    for (const name of tasksOf(entry)) names.tasks.set(name, sessionId);
  });
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && SAFE_NAME.test(value);
}

function tasksOf({ toolUseResult }: Entry): string[] {
  return isRecord(toolUseResult)
    ? [toolUseResult['backgroundTaskId'], toolUseResult['agentId']].filter(isName)
    : [];
}

/** The sessions outside the search that also have a plan or task of this name, such as a fork of a session. */
export async function findOtherOwners(
  name: string,
  { ids, env, problems }: Search,
): Promise<{ sharedWith?: string[] }> {
  const others = new Set<string>();
  for (const { sessionId, path } of await listTranscripts(env)) {
    if (ids.has(sessionId)) continue;
    await scanQuietly(
      path,
      problems,
      (entry) => {
        if (entry['slug'] !== name && !tasksOf(entry).includes(name)) return;
        others.add(sessionId);
        throw ENOUGH;
      },
      name,
    );
  }
  return others.size > 0 ? { sharedWith: [...others] } : {};
}

/** The ids in a transcript by which copies are recognized: the ids of messages, and of sessions that it names. */
export interface TranscriptIds {
  readonly messages: Set<string>;
  readonly sessions: Set<string>;
}

/** A copy begins with the copied messages, so this many ids are enough to recognize it. */
const HEAD_MESSAGES = 20;

export function noteIds({ messages, sessions }: TranscriptIds, entry: Entry): void {
  const { uuid, messageId, sessionId, forkedFrom } = entry;
  for (const id of [uuid, messageId]) if (typeof id === 'string') messages.add(id);
  if (typeof sessionId === 'string') sessions.add(sessionId.toLowerCase());
  if (!isRecord(forkedFrom)) return;
  const { sessionId: from, messageUuid } = forkedFrom;
  if (typeof from === 'string') sessions.add(from.toLowerCase());
  if (typeof messageUuid === 'string') messages.add(messageUuid);
}

/** The ids of a whole transcript; with `head`, only those at its beginning. */
export async function readIds(
  path: string,
  { head, problems }: { head: boolean; problems: SessionDataProblem[] },
): Promise<TranscriptIds> {
  const ids: TranscriptIds = { messages: new Set(), sessions: new Set() };
  await scanQuietly(path, problems, (entry) => {
    noteIds(ids, entry);
    if (head && ids.messages.size >= HEAD_MESSAGES) throw ENOUGH;
  });
  return ids;
}

const ENOUGH = new Error('enough');

/** Reads a transcript, or nothing if it is gone. If it cannot be read, a problem is reported. */
async function scanQuietly(
  path: string,
  problems: SessionDataProblem[],
  onEntry: (entry: Entry) => void,
  mention?: string,
): Promise<void> {
  try {
    await scanEntries(path, onEntry, mention === undefined ? {} : { mention });
  } catch (error) {
    if (error === ENOUGH || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    problems.push({ place: path, message: `It cannot be read: ${messageOf(error)}` });
  }
}
