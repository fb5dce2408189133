// Questions and answers as files in a folder, for several processes of one machine. A file is written whole under another
// name and then linked to its own, so that no reader sees half of one and a process may be killed at any moment.
import { mkdirSync, watch } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from '../../../util/random-uuid.js';
import { join } from 'node:path';
import { StoredFormatError } from '../../../errors.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { digest } from '../../../util/digest.js';
import { parseRecord } from '../../../util/guards.js';
import type { Approval, ApprovalAnswer, ApprovalQuestion, ApprovalStore } from './approval.js';

const FORMAT = 'inboard-approval';
/** Raised when a reader of the version before would misread a file. Files without a version are of version 0, and read alike. */
const VERSION = 1;

const QUESTION = '.question.json';
const ANSWER = '.answer.json';
const UNFINISHED = '.tmp';
/** Not every file system reports changes, and none does so for certain. */
const POLL_MS = 500;
/** After this time a file that nobody finished, or an answer without its question, was left by a process that was killed. */
const LEFT_BEHIND_MS = 60_000;

/** Keeps questions and answers in a folder, which is made with the first; only its owner can read them. */
export class FileApprovalStore implements ApprovalStore {
  readonly #folder: string;
  readonly #listeners = new Set<() => void>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(question: ApprovalQuestion): Promise<ApprovalAnswer | undefined> {
    const path = this.#pathOf(question.id, QUESTION);
    const unfinished = await this.#write(question);
    await rename(unfinished, path);
    await this.#settle();
    return await this.#readAnswer(question.id);
  }

  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    if (!(await readJson(this.#pathOf(id, QUESTION)))) return false;
    const unfinished = await this.#write(answer);
    try {
      // Fails where the name is taken: the first answer counts.
      await link(unfinished, this.#pathOf(id, ANSWER));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    } finally {
      await rm(unfinished, { force: true });
    }
    await this.#settle();
    return true;
  }

  async get(id: string): Promise<Approval | undefined> {
    const question = await readJson(this.#pathOf(id, QUESTION));
    const answer = question && (await this.#readAnswer(id));
    return question && ({ ...question, ...(answer && { answer }) } as Approval);
  }

  async list(): Promise<Approval[]> {
    const names = await readNames(this.#folder);
    await this.#sweep(names);
    const found = await Promise.all(
      names
        .filter((name) => name.endsWith(QUESTION))
        .map(async (name) => {
          const question = await readJson(join(this.#folder, name));
          return typeof question?.['id'] === 'string' ? await this.get(question['id']) : undefined;
        }),
    );
    return found.flatMap((approval) => approval ?? []);
  }

  async remove(id: string): Promise<void> {
    // The question first: an answer that is left alone is swept, a question would be open again.
    for (const ending of [QUESTION, ANSWER]) await rm(this.#pathOf(id, ending), { force: true });
    this.#tell();
  }

  watch(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const stops = [
      () => this.#listeners.delete(listener),
      watchFolder(this.#folder, listener),
      this.#poll(listener),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #poll(onChange: () => void): () => void {
    let last: number | undefined;
    const timer = setInterval(() => {
      stat(this.#folder).then(
        ({ mtimeMs }) => {
          if (last !== mtimeMs) onChange();
          last = mtimeMs;
        },
        // Removed from outside: there is nothing to be told.
        () => {},
      );
    }, POLL_MS);
    return () => clearInterval(timer);
  }

  async #readAnswer(id: string): Promise<ApprovalAnswer | undefined> {
    return (await readJson(this.#pathOf(id, ANSWER))) as ApprovalAnswer | undefined;
  }

  /** Writes a value down for good, under a name that nobody reads. */
  async #write(value: object): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${randomUUID()}${UNFINISHED}`);
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(stringifyDeep({ format: FORMAT, version: VERSION, ...value }) as string);
      await file.sync();
    } finally {
      await file.close();
    }
    return path;
  }

  /** A name counts as written only with its folder. */
  async #settle(): Promise<void> {
    try {
      const folder = await open(this.#folder, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch {
      // Not every system can do that for a folder.
    }
    this.#tell();
  }

  async #sweep(names: readonly string[]): Promise<void> {
    const questions = new Set(names.filter((name) => name.endsWith(QUESTION)));
    const isLost = (name: string): boolean =>
      name.endsWith(UNFINISHED) ||
      (name.endsWith(ANSWER) && !questions.has(`${name.slice(0, -ANSWER.length)}${QUESTION}`));
    for (const name of names.filter(isLost)) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
  }

  /** An id that is no safe file name is replaced by its digest. */
  #pathOf(id: string, ending: string): string {
    const name = /^[\w-]{1,150}$/.test(id) ? id : `id_${digest(id)}`;
    return join(this.#folder, `${name}${ending}`);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function watchFolder(folder: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, onChange);
    // The folder is looked at now and then anyway.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

async function readNames(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function readJson(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    return withoutFormat(parseRecord(await readFile(path, 'utf8')), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What was stored; throws a StoredFormatError where a newer version stored it. */
function withoutFormat(
  stored: Record<string, unknown> | undefined,
  file: string,
): Record<string, unknown> | undefined {
  const { format, version, ...value } = stored ?? {};
  if (format !== FORMAT) return stored;
  if (typeof version === 'number' && version > VERSION) {
    const message =
      `${file} has version ${version} of the format ${FORMAT}, but this package only reads up to version ` +
      '${VERSION}. A newer Inboard wrote it: update the package in every program that uses the folder.';
    throw new StoredFormatError({ format: FORMAT, version, supported: VERSION, file }, message);
  }
  return value;
}
