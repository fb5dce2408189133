// Keeps the call records of one session in files beside the transcript: a log of facts, one file for each fact that is
// too long for the log, and the claim. Several processes may have them open.
import { join } from 'node:path';
import type { HostUsers } from '../../../util/host-users.js';
import { measureJson } from '../../../util/measure-json.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { writeJsonSlowly } from '../../../util/walk-json.js';
import { warnOnce } from '../../../util/warn-once.js';
import { messageOf } from '../../../util/message-of.js';
import { disk } from '../../../util/system/disk.js';
import type {
  CallClaim,
  CallFact,
  CallRecords,
  HeldClaim,
} from '../../../wire/protocol/config/call-records.js';
import { checkCallsFolder } from '../check-options.js';
import { copyFact, encodeFact } from '../plain-fact.js';
import { CallFiles, nameLargeFact } from './call-files.js';
import {
  describeCutResult,
  encodeLargeLine,
  encodeLine,
  MAX_FACT_LINE_BYTES,
  MAX_RESULT_CHARACTERS,
} from './call-lines.js';
import { CallLog } from './call-log.js';
import { compactCallLog, type CompactCallRecordsOptions } from './compact-call-log.js';
import { FileClaim, type ClaimSurroundings } from './file-claim.js';
import { readFacts } from './read-call-log.js';
import { watchCallLog } from './watch-call-log.js';

/** Says where call records are kept in files. */
export interface FileCallRecordsOptions {
  /** The folder of one session. It is made with the first fact or claim, for this user alone. */
  folder: string;
}

/** Records in files. Their creator closes them. */
export interface FileCallRecords extends CallRecords {
  watch(onChange: () => void): () => void;
  /**
   * Makes the log shorter if it is longer than `maxBytes`, under a claim that the caller holds. Drops the facts of calls
   * that were settled before the last turn began and whose results were delivered. Resolves with whether the log was made
   * shorter.
   */
  compact(options: CompactCallRecordsOptions): Promise<boolean>;
  /**
   * Waits for running writes, and closes the log. The next fact opens it again. Without this call, the log is closed
   * half a minute after the last fact.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Keeps the facts about the calls of one session in a folder: `inboard-calls.jsonl`, and the files that belong to it. */
export function createFileCallRecords(options: FileCallRecordsOptions): FileCallRecords {
  return new FileRecords(options);
}

/** Lets tests replace the facts about user ids, the clocks, and the process that claims are held for. */
export interface Surroundings extends ClaimSurroundings {
  readonly users?: HostUsers | undefined;
}

/** Keeps records in files. */
export class FileRecords implements FileCallRecords {
  readonly #files: CallFiles;
  readonly #log: CallLog;
  readonly #claim: FileClaim;
  readonly #writing = new Set<Promise<void>>();
  /** Distinguishes the lines of this object from the lines of all other writers. */
  readonly #writer: string = randomUUID().slice(0, 13);
  #lines = 0;

  constructor(options: FileCallRecordsOptions, { users, ...surroundings }: Surroundings = {}) {
    checkCallsFolder(options);
    this.#files = new CallFiles(options.folder, users);
    this.#log = new CallLog(this.#files);
    this.#claim = new FileClaim(this.#files, surroundings);
  }

  add(fact: CallFact): void | Promise<void> {
    const characters = measureJson(fact, MAX_RESULT_CHARACTERS);
    if (characters > MAX_FACT_LINE_BYTES) return this.#addLarge(fact, characters);
    const text = encodeFact(fact);
    // A UTF-16 unit has at most three bytes in UTF-8, so the bytes of most facts need not be counted.
    if (text.length > MAX_FACT_LINE_BYTES / 3 && Buffer.byteLength(text) > MAX_FACT_LINE_BYTES)
      return this.#addLarge(fact, characters);
    this.#log.append(encodeLine(this.#nextId(), text));
  }

  async load(): Promise<CallFact[]> {
    try {
      return await readFacts(this.#files);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CALL_RECORDS_UNSAFE') throw error;
      // Other users could change these files, so they are not believed. To know nothing of the calls is safer.
      warnOnce(messageOf(error), 'CALL_RECORDS_IGNORED');
      return [];
    }
  }

  async claim(options: { owner: string; ttlMs: number }): Promise<CallClaim | HeldClaim> {
    return await this.#claim.take(options);
  }

  watch(onChange: () => void): () => void {
    return watchCallLog(this.#files, onChange);
  }

  async compact(options: CompactCallRecordsOptions): Promise<boolean> {
    return await compactCallLog(this.#files, options);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#writing);
    this.#log.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #nextId(): string {
    this.#lines += 1;
    return `${this.#writer}-${this.#lines}`;
  }

  /** Writes a fact into a file of its own, and then the line that names the file. Other work can run in between. */
  #addLarge(fact: CallFact, characters: number): Promise<void> {
    const isCut = fact.type === 'ended' && characters > MAX_RESULT_CHARACTERS;
    // A copy, because the caller may change the fact while it is written. Its long texts are not copied.
    const kept = copyFact(isCut ? { ...fact, result: describeCutResult(fact.result, characters) } : fact);
    const writing = this.#writeLarge(kept).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }

  async #writeLarge(fact: CallFact): Promise<void> {
    const name = nameLargeFact();
    const path = join(this.#files.folder, name);
    try {
      // This makes the folder, or throws if the folder is not trusted.
      this.#log.prepare();
      const file = await disk.promises.open(path, 'wx', 0o600);
      try {
        // Making the JSON of some megabytes at once would block the process for tens of milliseconds.
        for (const part of joinPieces(await writeJsonSlowly(fact))) await file.appendFile(part);
      } finally {
        await file.close();
      }
      this.#log.append(encodeLargeLine(this.#nextId(), fact, name));
    } catch (error) {
      await disk.promises.rm(path, { force: true }).catch(() => {});
      throw this.#files.failed(error);
    }
  }
}

/** Joins the pieces of a text to parts of about `MAX_FACT_LINE_BYTES`. Pieces can be as short as one number of a list. */
function* joinPieces(pieces: readonly string[]): Generator<string, undefined> {
  let part = '';
  for (const piece of pieces) {
    part += piece;
    if (part.length < MAX_FACT_LINE_BYTES) continue;
    yield part;
    part = '';
  }
  yield part;
}
