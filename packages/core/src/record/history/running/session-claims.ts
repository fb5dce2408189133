// The ids of the sessions for which this process has started a CLI, or is about to start one. A claim to an id begins before
// the CLI is started, and ends when the CLI is gone.
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';
import { isSessionId } from '../arguments.js';

/** Where a session is kept. A session with the same id in another config folder or store is another session. */
export interface SessionPlace {
  readonly configFolder: string;
  readonly store?: SessionStore | undefined;
}

/** One CLI's claim to an id. */
export interface SessionClaim extends SessionPlace {
  readonly sessionId: string;
  /** Gives up the claim. May be called again. */
  release(): void;
}

/** The claims to each session id, in the order in which they were made. */
const claims = new Map<string, Set<SessionClaim>>();

/** Claims the id of a new CLI's session; undefined if the id is not known yet. The caller releases the claim. */
export function claimSession(
  options: {
    readonly sessionId?: string | undefined;
    readonly resume?: string | undefined;
    readonly forkSession?: boolean | undefined;
  },
  place: SessionPlace,
): SessionClaim | undefined {
  const chosen = options.sessionId ?? (options.forkSession ? undefined : options.resume);
  if (chosen === undefined || !isSessionId(chosen)) return undefined;
  const sessionId = chosen.toLowerCase();
  const claim: SessionClaim = {
    ...place,
    sessionId,
    release() {
      const held = claims.get(sessionId);
      held?.delete(claim);
      if (held?.size === 0) claims.delete(sessionId);
    },
  };
  claims.set(sessionId, (claims.get(sessionId) ?? new Set<SessionClaim>()).add(claim));
  return claim;
}

/** Whether another CLI of this process claimed the session earlier. The earliest claim counts. */
export function isClaimedBefore(
  sessionId: string,
  { configFolder, store }: SessionPlace,
  own: SessionClaim | undefined,
): boolean {
  for (const claim of claims.get(sessionId.toLowerCase()) ?? []) {
    if (claim === own) return false;
    if (claim.configFolder === configFolder || (store && claim.store === store)) return true;
  }
  return false;
}
