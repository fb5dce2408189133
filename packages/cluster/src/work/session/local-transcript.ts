// What a conversation leaves on the machine it was on. The journal has its transcript; the CLI's own copy of a session that began
// here would stay for weeks, and would keep a CLI from beginning a session with the same id.
import { SessionNotFoundError } from '@inboard/core/errors.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { deleteSession } from '@inboard/core/record/history/sessions/change-session.js';

/** Removes the CLI's own transcript of a session, with its subagents. Never rejects: it is a copy. */
export async function removeLocalTranscript(sessionId: string, options: QueryOptions): Promise<unknown> {
  const { env, extendEnv } = options;
  try {
    await deleteSession(sessionId, { env: env ?? { ...process.env, ...extendEnv } });
    return undefined;
  } catch (error) {
    return error instanceof SessionNotFoundError ? undefined : error;
  }
}
