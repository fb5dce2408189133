// Some CLIs start a new conversation when they do not find the one to resume, and end it with success. The
// first message tells: it carries the id of the session that was really started.
import { SessionNotFoundError } from '../../errors.js';
import { isSessionId } from './session-id.js';

/** What was asked for, and what the CLI's `init` message says. */
export interface ResumeFacts {
  readonly asked: {
    readonly resume?: string | undefined;
    /** A fork has an id of its own, so nothing can be told from it. */
    readonly forkSession?: boolean | undefined;
  };
  readonly init: { readonly session_id: string };
}

/** An error when another session was started than the one asked for; undefined when all is well, or it cannot be told. */
export function detectResumeMismatch({ asked, init }: ResumeFacts): SessionNotFoundError | undefined {
  const { resume, forkSession } = asked;
  // The CLI takes other things than an id too, such as a title.
  if (!isSessionId(resume) || forkSession === true || !isSessionId(init.session_id)) return undefined;
  if (resume.toLowerCase() === init.session_id.toLowerCase()) return undefined;
  return new SessionNotFoundError(
    resume,
    `The CLI was asked to resume session ${resume} and started ${init.session_id} instead, a conversation ` +
      'that knows nothing of it. It looks for sessions of its working directory: check cwd and ' +
      'CLAUDE_CONFIG_DIR, or give the sessionStore that has it',
    { phase: 'handshake', startedSessionId: init.session_id },
  );
}
