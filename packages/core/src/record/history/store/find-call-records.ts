// Finds the records of a session's calls: in its session store, or in its folder on this machine.
import { join } from 'node:path';
import { SessionStoreError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import { loadPart } from '../../../util/load-part.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import type { CallClaim, CallRecords, HeldClaim } from '../../../wire/protocol/config/call-records.js';
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';
import type { FileCallRecords } from '../../calls/file/file-call-records.js';
import { checkSessionId } from '../arguments.js';
import { findProjectsFolder } from '../folders/project-folders.js';
import { findCompanionFolder, findTranscript } from '../folders/transcript-location.js';
import { callStore, nameStoreCall, type StoreCall } from './call-store.js';
import { findProjectKey } from './stored-entries.js';

/** A session, and where it is kept. */
export interface FindCallRecordsOptions {
  readonly sessionId: string;
  readonly sessionStore?: SessionStore | undefined;
  /** The project's key in the store. Default: made of `dir`. */
  readonly projectKey?: string | undefined;
  /** The working directory of the session. Default: the working directory of this process. */
  readonly dir?: string | undefined;
  /**
   * The environment that names the user's own config folder. A CLI with a session from a store has a temporary config
   * folder, so its environment must not be given here. Default: the environment of this process.
   */
  readonly env?: Environment | undefined;
  /** False if the session must leave nothing on disk. */
  readonly persistSession?: boolean | undefined;
  /**
   * Whether the CLI keeps its transcript on this machine. False for a CLI that the user's own transport or spawner starts.
   * With a store, this does not matter. Default true.
   */
  readonly hasFiles?: boolean | undefined;
  /** Whether the session exists already, perhaps in another project. Default false. */
  readonly isResumed?: boolean | undefined;
  /** How many milliseconds each call of the store may take. Default 60 s. */
  readonly limitMs?: number | undefined;
}

/** The records of a session. The caller closes them. */
export interface FoundCallRecords {
  readonly records: CallRecords;
  readonly place: 'store' | 'file';
  /**
   * Whether the session has a store that keeps no call records. If another machine then continues the session, it does
   * not have these records.
   */
  readonly isOnlyHere: boolean;
  /** Makes the records shorter; undefined for records in a store, which does that itself. */
  readonly compact?: FileCallRecords['compact'];
  close(): Promise<void>;
}

/**
 * Finds the records of a session. No file is made before the first fact or claim. Undefined when there is no place for
 * the records: nothing may be left on disk, or the transcript is not on this machine. Rejects with an
 * InvalidOptionsError for an invalid session id, with a SessionStoreError when the store fails or returns anything but
 * records, and with a PartLoadError when the code for files cannot be loaded.
 */
export async function findCallRecords(
  options: FindCallRecordsOptions,
): Promise<FoundCallRecords | undefined> {
  const { sessionId, sessionStore: store, projectKey, dir, env = process.env, limitMs } = options;
  checkSessionId(sessionId);
  if (options.persistSession === false) return undefined;
  if (store?.calls) {
    const key = { projectKey: projectKey ?? (await findProjectKey(dir)), sessionId };
    const details: StoreCall = { store, operation: 'calls', sessionId, limitMs };
    const records = await callStore(details, () => store.calls?.(key));
    checkRecords(details, records);
    return {
      records: guardRecords(details, records),
      place: 'store',
      isOnlyHere: false,
      close: async () => {},
    };
  }
  if (!store && options.hasFiles === false) return undefined;
  const folder = await findSessionFolder(options, env);
  const { createFileCallRecords } = await loadPart(() => import('../../calls/file/file-call-records.js'));
  const records = createFileCallRecords({ folder });
  return {
    records,
    place: 'file',
    isOnlyHere: store !== undefined,
    compact: (given) => records.compact(given),
    close: () => records.close(),
  };
}

/** The folder beside the session's transcript. If there is no transcript on disk, the folder beside its future place. */
async function findSessionFolder(
  { sessionId, dir, isResumed }: FindCallRecordsOptions,
  env: Environment,
): Promise<string> {
  const transcript =
    (await findTranscript(sessionId, dir ?? process.cwd(), env)) ??
    // A CLI can also resume a session of another project. A new session need not be looked for in all projects.
    (isResumed === true ? await findTranscript(sessionId, undefined, env) : undefined);
  if (transcript) return findCompanionFolder(transcript);
  return join(findProjectsFolder(env), await findProjectKey(dir), sessionId);
}

function checkRecords(details: StoreCall, records: unknown): asserts records is CallRecords {
  checkMethods(details, records, ['add', 'load', 'claim'], 'calls()');
}

function checkMethods(details: StoreCall, value: unknown, names: readonly string[], what: string): void {
  const missing = names.filter((name) => !isRecord(value) || typeof value[name] !== 'function');
  if (missing.length === 0) return;
  const { operation, sessionId } = details;
  const message = `${nameStoreCall(details)}: what ${what} gave has no method "${missing.join('", "')}"`;
  throw new SessionStoreError(operation, message, { sessionId: sessionId as string });
}

/** Wraps the records of a store, so that each call ends in time and fails only with a SessionStoreError. */
function guardRecords(details: StoreCall, records: CallRecords): CallRecords {
  const watch = typeof records.watch === 'function' ? records.watch.bind(records) : undefined;
  return {
    ...(watch && { watch }),
    ...(records.readOnly === true && { readOnly: true }),
    add: (fact) => callStore(details, () => records.add(fact)),
    load: async () => {
      const facts: unknown = await callStore(details, () => records.load());
      if (Array.isArray(facts)) return facts as Awaited<ReturnType<CallRecords['load']>>;
      const message = `${nameStoreCall(details)}: load() must give a list of facts`;
      throw new SessionStoreError(details.operation, message, { sessionId: details.sessionId as string });
    },
    claim: async (options) => {
      const answer = await callStore(details, () => records.claim(options));
      return isHeld(answer) ? answer : guardClaim(details, answer);
    },
  };
}

function isHeld(answer: CallClaim | HeldClaim): answer is HeldClaim {
  return isRecord(answer) && typeof answer['heldBy'] === 'string' && typeof answer['until'] === 'number';
}

function guardClaim(details: StoreCall, claim: CallClaim): CallClaim {
  checkMethods(details, claim, ['renew', 'release'], 'claim()');
  return {
    // Any other answer than true means that the claim is lost.
    renew: async () => ((await callStore(details, () => claim.renew())) as unknown) === true,
    release: async () => await callStore(details, () => claim.release()),
  };
}
