// Keeps questions and answers as files in a folder, for several processes of one machine. A file is written under another
// name and then moved or linked to its own. So no reader sees half of a file, even if a process is killed.
// `file-owners` decides which users' files count.
import { join } from 'node:path';
import { InboardError } from '../../../errors.js';
import { digest } from '../../../util/digest.js';
import { messageOf } from '../../../util/message-of.js';
import { moveOver } from '../../../util/move-over.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import { sleep } from '../../../util/timers.js';
import type { Approval, ApprovalAnswer, ApprovalQuestion } from './approval.js';
import type { FileApprovalStoreOptions } from './file-store-options.js';
import { readStored, removeQuietly, UNFINISHED, writeUnfinished, type StoredFile } from './approval-files.js';
import { FileOwners, type FolderState } from './file-owners.js';
import { IS_REMOVED, type RemovalStore } from './removed-question.js';
import { watchFolder } from './watch-folder.js';

const QUESTION = '.question.json';
const ANSWER = '.answer.json';
/** The ending of an answer that did not count and was replaced. It is kept as evidence. */
const REPLACED = '.unused';
/** The age after which an unfinished file, or an answer without its question, counts as left by a killed process. */
const LEFT_BEHIND_MS = 60_000;
/** How often to try to get the lock. Another process holds it only for the milliseconds in which it moves an answer away. */
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 20;

/** Keeps questions and answers in a folder, which is made when first needed. By default only its owner can read them. */
export class FileApprovalStore implements RemovalStore {
  readonly #folder: string;
  readonly #owners: FileOwners;
  readonly #listeners = new Set<() => void>();

  constructor(
    folder: string,
    { trustedUids }: FileApprovalStoreOptions = {},
    owners = new FileOwners(trustedUids),
  ) {
    this.#folder = folder;
    this.#owners = owners;
  }

  async put(question: ApprovalQuestion): Promise<ApprovalAnswer | undefined> {
    const path = this.#pathOf(question.id, QUESTION);
    const unfinished = await this.#write(question);
    try {
      await moveOver(unfinished, path);
    } catch (error) {
      await removeQuietly(unfinished);
      throw error;
    }
    await this.#settle();
    return answerIn(await this.#read(question.id, 'answer', await this.#check()));
  }

  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    const question = await this.#read(id, 'question', await this.#check());
    if (question.state === 'newer') throw question.error;
    if (question.state !== 'usable') return false;
    // An answer names its question, because other users who can write to the folder could rename the file.
    const unfinished = await this.#write({ id, ...answer });
    try {
      const isTaken = !(await this.#claim(unfinished, id));
      if (isTaken && !((await this.#putAside(id)) && (await this.#claim(unfinished, id)))) return false;
    } finally {
      await removeQuietly(unfinished);
    }
    await this.#settle();
    return true;
  }

  async get(id: string): Promise<Approval | undefined> {
    const state = await this.#check();
    const question = await this.#read(id, 'question', state);
    return question.state === 'usable' ? await this.#join(question.value, state) : undefined;
  }

  async list(): Promise<Approval[]> {
    const state = await this.#check();
    const names = await readNames(this.#folder);
    await this.#sweep(names);
    const found = await Promise.all(
      names
        .filter((name) => name.endsWith(QUESTION))
        .map(async (name) => {
          const question = await this.#readQuestion(name, state);
          return question && (await this.#join(question, state));
        }),
    );
    return found.flatMap((approval) => approval ?? []);
  }

  async remove(id: string): Promise<void> {
    // The question is removed first. If the process is killed in between, the answer is swept later. In the other order,
    // the question would be left without its answer, and so would be open again.
    for (const ending of [QUESTION, ANSWER])
      await disk.promises.rm(this.#pathOf(id, ending), { force: true });
    const replaced = `${this.#nameOf(id)}${ANSWER}.`;
    for (const name of await readNames(this.#folder)) {
      if (name.startsWith(replaced) && name.endsWith(REPLACED))
        await disk.promises.rm(join(this.#folder, name), { force: true, recursive: true });
    }
    this.#tell();
  }

  async [IS_REMOVED](id: string): Promise<boolean> {
    const question = await this.#read(id, 'question', await this.#check());
    if (question.state !== 'absent') return false;
    // This throws if the folder itself is gone. In that case nobody removed this question.
    await disk.promises.readdir(this.#folder);
    return true;
  }

  watch(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    const stop = watchFolder(this.#folder, listener);
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  /**
   * Throws if other users could change the files in the folder. The folder may be replaced a moment later, so each
   * file is also checked once it is open.
   */
  async #check(): Promise<FolderState> {
    try {
      const stats = await disk.promises.stat(this.#folder);
      // If the path is not a folder, reading it fails later with a clear error.
      if (stats.isDirectory()) return this.#owners.checkFolder(this.#folder, stats);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return { othersCanWrite: false };
  }

  async #read(id: string, kind: 'question' | 'answer', state: FolderState): Promise<StoredFile> {
    const path = this.#pathOf(id, kind === 'question' ? QUESTION : ANSWER);
    const isItsFile = (named: string): boolean => named === id;
    return await readStored({ ...state, path, kind, isItsFile, owners: this.#owners });
  }

  /** The question in a file of the folder, whatever its id is. */
  async #readQuestion(name: string, state: FolderState): Promise<Record<string, unknown> | undefined> {
    const path = join(this.#folder, name);
    const isItsFile = (id: string): boolean => this.#pathOf(id, QUESTION) === path;
    const found = await readStored({ ...state, path, kind: 'question', isItsFile, owners: this.#owners });
    return found.state === 'usable' ? found.value : undefined;
  }

  async #join(question: Record<string, unknown>, state: FolderState): Promise<Approval> {
    const answer = answerIn(await this.#read(question['id'] as string, 'answer', state));
    return { ...question, ...(answer && { answer }) } as unknown as Approval;
  }

  async #write(value: object): Promise<string> {
    await disk.promises.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#check();
    return await writeUnfinished(this.#folder, value, this.#owners);
  }

  /** Gives an answer its final name. False if that name is taken, because the first answer counts. */
  async #claim(unfinished: string, id: string): Promise<boolean> {
    try {
      await disk.promises.link(unfinished, this.#pathOf(id, ANSWER));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
  }

  /** Moves away an answer that does not count. False if it counts. Throws if it cannot be moved. */
  async #putAside(id: string): Promise<boolean> {
    const path = this.#pathOf(id, ANSWER);
    const isInTheWay = async (): Promise<boolean> => {
      const found = await this.#read(id, 'answer', await this.#check());
      if (found.state === 'newer') throw found.error;
      return found.state === 'unusable';
    };
    if (!(await isInTheWay())) return false;
    // The check is repeated under a lock. Otherwise a second process could move away the answer that the first has
    // just put there.
    return await withLock(`${path}.lock${UNFINISHED}`, async () => {
      if (!(await isInTheWay())) return false;
      try {
        await moveOver(path, `${path}.${randomUUID()}${REPLACED}`);
      } catch (cause) {
        const message = `The file ${path} does not count as an answer, and is in the way of one. It could not be moved (${messageOf(cause)}): delete it`;
        throw new InboardError('APPROVAL_FILE_STUCK', message, { cause });
      }
      return true;
    });
  }

  /** Syncs the folder, because a file name is safe only once its folder is on disk. */
  async #settle(): Promise<void> {
    try {
      const folder = await disk.promises.open(this.#folder, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch {
      // Not every system can sync a folder.
    }
    this.#tell();
  }

  async #sweep(names: readonly string[]): Promise<void> {
    const questions = new Set(names.filter((name) => name.endsWith(QUESTION)));
    const isLost = (name: string): boolean => {
      if (name.endsWith(UNFINISHED)) return true;
      const end = name.endsWith(ANSWER) || name.endsWith(REPLACED) ? name.lastIndexOf(ANSWER) : -1;
      return end >= 0 && !questions.has(`${name.slice(0, end)}${QUESTION}`);
    };
    for (const name of names.filter(isLost)) {
      const path = join(this.#folder, name);
      const found = await disk.promises.stat(path).catch(() => undefined);
      // A failure is ignored. A file of another user, which cannot be removed, must not keep this process from reading.
      if (found && clock.Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await removeQuietly(path);
    }
  }

  #pathOf(id: string, ending: string): string {
    return join(this.#folder, `${this.#nameOf(id)}${ending}`);
  }

  /** The file name for an id. An id that is not a safe file name is replaced by its digest. */
  #nameOf(id: string): string {
    return /^[\w-]{1,150}$/.test(id) ? id : `id_${digest(id)}`;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function answerIn(found: StoredFile): ApprovalAnswer | undefined {
  return found.state === 'usable' ? (found.value as unknown as ApprovalAnswer) : undefined;
}

/** Runs `run` while no other process holds the lock. After a minute, `list` removes a lock that a killed process left. */
async function withLock<T>(lock: string, run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      await (await disk.promises.open(lock, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (tries >= LOCK_TRIES) {
        const message = `Another process has been replacing an answer for too long. If there is none, delete ${lock}`;
        throw new InboardError('APPROVAL_FILE_STUCK', message, { cause: error, retryable: true });
      }
      await sleep(LOCK_PAUSE_MS);
    }
  }
  try {
    return await run();
  } finally {
    await removeQuietly(lock);
  }
}

async function readNames(folder: string): Promise<string[]> {
  return await disk.promises.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
