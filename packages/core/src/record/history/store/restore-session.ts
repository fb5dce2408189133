// Resumes a session from a store. The CLI resumes only sessions on its disk, so the session is written to a temporary
// config folder. The caller removes that folder when the CLI has ended. This file also begins a new session whose id has
// a transcript on disk, but not in the store.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AbortError, InvalidOptionsError, LaunchError } from '../../../errors.js';
import type { SessionStore, SessionStoreEntry } from '../../../wire/protocol/config/session-store.js';
import { onAbort } from '../../../util/on-abort.js';
import { callStore, type StoreCall } from './call-store.js';
import { readListed, readLoaded } from './store-answers.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { findProjectsFolder } from '../folders/project-folders.js';
import { copyUserConfig } from './copy-user-config.js';
import { isSessionId } from '../arguments.js';
import { findRunner, noteBeginning } from '../running/find-runner.js';
import type { SessionClaim } from '../running/session-claims.js';
import { createPrivateConfig, type PrivateConfig } from './private-config.js';
import { findProjectKey } from './stored-entries.js';
import { writeStoredSession } from './write-stored-session.js';

export interface RestoreSessionOptions {
  readonly store: SessionStore;
  /** The session to resume. */
  readonly resume?: string | undefined;
  /** Whether to resume the newest session of the project. Ignored when `resume` is given. */
  readonly continue?: boolean | undefined;
  /** The CLI's working directory. It decides the project. */
  readonly cwd: string;
  /** The project's key in the store. Default: made of `cwd`. */
  readonly projectKey?: string | undefined;
  /** How many milliseconds each call of the store may take. Default 60 s. */
  readonly loadTimeoutMs?: number | undefined;
  /** The environment that the CLI would get. It tells where login and settings are. Default: this process's own. */
  readonly env?: Environment | undefined;
  /** Whether login and settings are copied beside the session. Default true. */
  readonly copiesConfig?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A session on disk, for the CLI. */
export interface RestoredSession extends PrivateConfig {
  /** The value for `--resume`, also when the caller used `continue`. */
  readonly sessionId: string;
  /** The folder with the transcript, inside the config folder. */
  readonly projectDir: string;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Loads a session and writes it to disk. Undefined when the store does not have the session. With `resume`, the CLI then
 * looks for it on its own disk. Rejects with a SessionStoreError when the store fails or hangs, with an
 * InvalidOptionsError when the store cannot list sessions but `continue` needs it, with a LaunchError when the temporary
 * folder cannot be written, and with an AbortError when the signal aborts.
 */
export async function restoreSession(options: RestoreSessionOptions): Promise<RestoredSession | undefined> {
  const { store, env = process.env, signal } = options;
  const limitMs = options.loadTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const folderName = await findProjectKey(options.cwd);
  const source = { store, projectKey: options.projectKey ?? folderName, limitMs, signal };
  return await unlessAborted(signal, async () => {
    const found =
      options.resume === undefined
        ? options.continue === true
          ? await findNewest(source)
          : undefined
        : await loadSession(source, options.resume);
    if (found === undefined || signal?.aborted) return undefined;
    const config = await createPrivateConfig(async (configDir) => {
      await writeStoredSession({ ...source, ...found, configDir, folderName });
      if (options.copiesConfig !== false) await copyUserConfig(configDir, { env, cwd: options.cwd });
    });
    const projectDir = join(config.configDir, 'projects', folderName);
    return { ...config, sessionId: found.sessionId, projectDir };
  });
}

/** A new session that begins beside a transcript that an earlier process left. */
export interface FreshSession extends PrivateConfig {
  /** The path of the transcript that the earlier process left. It is not changed. */
  readonly leftover: string;
}

/** A new session, and the claim of its CLI to the id. */
export interface NewSessionOptions extends Omit<RestoreSessionOptions, 'resume' | 'continue'> {
  readonly sessionId: string;
  readonly claim?: SessionClaim | undefined;
}

/**
 * Makes a config folder for a new session whose id the CLI would refuse: an earlier process left a transcript with that
 * id on disk, and no process writes it any more. Undefined when there is no such transcript, or when the store has the
 * session. Rejects as `restoreSession` does. Also rejects with a LaunchError SESSION_RUNNING when the session seems to be
 * running, because two CLIs under one id would mix their conversations.
 */
export async function startBesideLeftover(options: NewSessionOptions): Promise<FreshSession | undefined> {
  const { store, sessionId, cwd, env = process.env, signal } = options;
  if (!isSessionId(sessionId)) return undefined;
  const folderName = await findProjectKey(cwd);
  const leftover = join(findProjectsFolder(env), folderName, `${sessionId}.jsonl`);
  if (!(await isFile(leftover))) return undefined;
  const limitMs = options.loadTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const source = { store, projectKey: options.projectKey ?? folderName, limitMs, signal };
  return await unlessAborted(signal, async () => {
    if ((await loadSession(source, sessionId)) !== undefined || signal?.aborted) return undefined;
    const config = await createPrivateConfig(async (configDir) => {
      // This comes before the search, so that of two processes that begin at once, at least one sees the other.
      await noteBeginning(configDir, sessionId, env);
      const { claim } = options;
      const asked = { sessionId, transcript: leftover, env, store, claim, ownConfig: configDir };
      const runner = await findRunner(asked);
      if (runner !== undefined) throw refuseRunning(sessionId, leftover, runner);
      await copyUserConfig(configDir, { env, cwd });
    });
    return { ...config, leftover };
  });
}

function refuseRunning(sessionId: string, transcript: string, why: string): LaunchError {
  const message =
    `The session ${sessionId} cannot begin, because it seems to be running: ${why}. Use another sessionId, or wait until it has ended and ` +
    `continue it with resume. If nobody runs it, delete ${transcript}.`;
  return new LaunchError('SESSION_RUNNING', message, { retryable: true });
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

interface Source {
  readonly store: SessionStore;
  readonly projectKey: string;
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
}

interface Found {
  readonly sessionId: string;
  readonly entries: SessionStoreEntry[];
}

async function loadSession(
  { store, projectKey, limitMs, signal }: Source,
  sessionId: string,
): Promise<Found | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const loading: StoreCall = { store, operation: 'load', sessionId, limitMs, signal };
  const loaded = await callStore(loading, () => store.load({ projectKey, sessionId }));
  const entries = readLoaded(loading, loaded);
  return entries === undefined ? undefined : { sessionId, entries };
}

async function findNewest(source: Source): Promise<Found | undefined> {
  const { store, projectKey, limitMs, signal } = source;
  if (!store.listSessions) {
    throw new InvalidOptionsError(
      ['continue', 'sessionStore'],
      'Options.continue with sessionStore requires store.listSessions to be implemented. ' +
        'Implement it, or name the session with resume',
    );
  }
  const listing: StoreCall = { store, operation: 'listSessions', limitMs, signal };
  const listed = readListed(listing, await callStore(listing, () => store.listSessions?.(projectKey)));
  for (const { sessionId } of listed.toSorted((one, other) => other.mtime - one.mtime)) {
    const found = await loadSession(source, sessionId);
    // `continue` never means the session of a subagent.
    if (found && found.entries[0]?.['isSidechain'] !== true) return found;
  }
  return undefined;
}

// Rejects as soon as the signal aborts. A config folder that is made after that is removed here, because the caller has
// given up.
async function unlessAborted<Config extends PrivateConfig>(
  signal: AbortSignal | undefined,
  work: () => Promise<Config | undefined>,
): Promise<Config | undefined> {
  if (signal === undefined) return await work();
  const refuse = (): AbortError =>
    new AbortError('The query was aborted while its session was being loaded', {
      phase: 'launch',
      cause: signal.reason,
    });
  if (signal.aborted) throw refuse();
  let forget: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(refuse()));
  });
  const working = work();
  try {
    return await Promise.race([working, aborted]);
  } catch (error) {
    void working.then(
      (late) => late?.remove(),
      () => undefined,
    );
    throw error;
  } finally {
    forget?.();
  }
}
