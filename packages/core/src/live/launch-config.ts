// Gives a CLI a config folder of its own if its session comes from a store, or if its new session's id is taken on
// this disk.
import { carriesFiles, chooseProjectKey } from '../options/elsewhere.js';
import type { InboardWarning } from '../options/check/warning.js';
import type { Options } from '../options/options.js';
import { findConfigFolder } from '../record/history/folders/project-folders.js';
import { claimSession, type SessionClaim } from '../record/history/running/session-claims.js';
import type { FreshSession, RestoredSession } from '../record/history/store/restore-session.js';
import { loadPart } from '../util/load-part.js';
import type { Environment } from '../wire/process/operating-system.js';

/** The part of a launch that decides about its config folder. */
interface Wanted {
  options: Options;
  /** The claim to the id of the session. */
  claim?: SessionClaim | undefined;
  signal?: AbortSignal | undefined;
}

/** Claims the session's id, if it is known, for the life of its CLI. */
export function claimIn(options: Options, env: Environment): SessionClaim | undefined {
  return claimSession(options, { configFolder: findConfigFolder(env), store: options.sessionStore });
}

/**
 * Writes a stored session to disk, where the CLI can resume it. Returns undefined in the caller's own tick if the options do
 * not ask for that.
 */
export function restoreFromStore(
  { options, signal }: Wanted,
  cwd: string,
  env: Environment,
): Promise<RestoredSession | undefined> | undefined {
  const { sessionStore: store, resume, continue: latest, loadTimeoutMs } = options;
  if (!store || (resume === undefined && latest !== true)) return undefined;
  const projectKey = chooseProjectKey(options);
  const copiesConfig = !carriesFiles(options);
  const asked = {
    store,
    projectKey,
    resume,
    continue: latest,
    cwd,
    loadTimeoutMs,
    env,
    signal,
    copiesConfig,
  };
  return loadPart(() => import('../record/history/store/restore-session.js')).then(({ restoreSession }) =>
    restoreSession(asked),
  );
}

/**
 * Makes a config folder for a new session whose id is taken on this disk. Returns undefined in the caller's own tick if none
 * can be needed.
 */
export function startFreshIfTaken(
  { options, claim, signal }: Wanted,
  cwd: string,
  env: Environment,
): Promise<FreshSession | undefined> | undefined {
  const { sessionStore: store, sessionId, resume, loadTimeoutMs } = options;
  // A transport starts its CLI elsewhere, so this disk says nothing about that CLI. With `resume`, the session is not new.
  if (!store || sessionId === undefined || resume !== undefined || options.transport) return undefined;
  const projectKey = chooseProjectKey(options);
  const asked = { store, sessionId, projectKey, cwd, loadTimeoutMs, env, claim, signal };
  return loadPart(() => import('../record/history/store/restore-session.js')).then((module) =>
    module.startBesideLeftover(asked),
  );
}

/** The warning that a transcript was found and left as it is. */
export function warnOfLeftover({ leftover }: FreshSession): InboardWarning {
  const message =
    `The file ${leftover} has the id of the new session, but "sessionStore" has nothing of it, and nobody runs it: its process has ended, ` +
    'perhaps in a crash, and did not store it. The session begins anew, in a config folder of its own, and the file is left as it is. Delete it if nobody needs it.';
  return { code: 'SESSION_LEFTOVER', message, options: ['sessionId', 'sessionStore'] };
}
