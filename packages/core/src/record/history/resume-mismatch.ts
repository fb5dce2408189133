// Detects that the CLI did not resume the requested session. Some CLIs that do not find the session start a new one and
// report success. Their first message has the id of the session that they really started.
import { SessionNotFoundError } from '../../errors.js';
import { isSessionId } from './arguments.js';

/** The requested session, and the CLI's `init` message. */
export interface ResumeFacts {
  readonly asked: {
    readonly resume?: string | undefined;
    /** A fork has a new id, so that the ids cannot be compared. */
    readonly forkSession?: boolean | undefined;
  };
  readonly init: { readonly session_id: string };
}

/**
 * An error if the CLI started another session than the requested one. Undefined if it started the requested one, or if
 * the ids cannot be compared.
 */
export function detectResumeMismatch({ asked, init }: ResumeFacts): SessionNotFoundError | undefined {
  const { resume, forkSession } = asked;
  // The CLI also accepts other values than an id, such as a title.
  if (!isSessionId(resume) || forkSession === true || !isSessionId(init.session_id)) return undefined;
  if (resume.toLowerCase() === init.session_id.toLowerCase()) return undefined;
  return new SessionNotFoundError(
    resume,
    `The CLI was asked to resume session ${resume} and started ${init.session_id} instead, a conversation ` +
      'that knows nothing about it. The CLI looks for sessions by working directory: check ' +
      'cwd and CLAUDE_CONFIG_DIR, or pass the sessionStore that has it',
    { phase: 'handshake', startedSessionId: init.session_id },
  );
}
