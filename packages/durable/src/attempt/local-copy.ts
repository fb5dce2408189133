// Removes the CLI's own transcript of a session whose transcript is kept elsewhere.
import { SessionNotFoundError } from '@inboard/core/errors.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { deleteSession } from '@inboard/core/record/history/sessions/change-session.js';

/**
 * Removes the CLI's own transcript of a session, with those of its subagents. It is only a copy, which would stay on this machine
 * for weeks and keep a CLI from beginning a session with the same id. Never rejects: returns the error if there is one.
 */
export async function removeLocalCopy(
  sessionId: string,
  { env, extendEnv }: Pick<QueryOptions, 'env' | 'extendEnv'>,
): Promise<unknown> {
  try {
    await deleteSession(sessionId, { env: env ?? { ...process.env, ...extendEnv } });
    return undefined;
  } catch (error) {
    return error instanceof SessionNotFoundError ? undefined : error;
  }
}
