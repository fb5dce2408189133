// Opens the conversation behind a session of the editor. If the caller has not said when CLIs are to be ended, an idle one is
// ended here. A turn that waits for an answer then keeps its CLI.
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import { IdleWatch } from '@inboard/core/verbs/conversation/idle-watch.js';
import type { AcpOptions } from './acp-options.js';
import { canResume, decideSession, type SessionDecisions } from './session-options.js';

/** When CLIs are ended that are not needed. */
export interface CliLifetime {
  /** As the caller set it; 0 for never. If it is undefined, only idle CLIs are ended, and none whose turn waits. */
  readonly suspendAfterMs: number | undefined;
  /** Milliseconds after which an idle CLI is ended if `suspendAfterMs` is undefined. */
  readonly idleAfterMs: number;
}

/** A conversation, and the watch that ends its idle CLI. The caller that opens it stops the watch. */
export interface OpenedCli {
  readonly session: Session;
  /** To be touched whenever something happens in the session. */
  readonly idle: IdleWatch;
}

/** Opens the conversation. Its CLI is started at once, unless the session goes on with a turn that waits. */
export function openCli(
  options: AcpOptions,
  { suspendAfterMs, idleAfterMs }: CliLifetime,
  decided: Omit<SessionDecisions, 'suspendAfterMs'>,
): OpenedCli {
  const session = openSession(decideSession(options, { ...decided, suspendAfterMs }));
  const isWatched = suspendAfterMs === undefined && canResume(options);
  const idle = new IdleWatch(isWatched ? idleAfterMs : undefined, () => {
    if (session.state === 'ready') void session.suspend();
    // The next prompt starts the CLI again, so the watch goes on.
    return false;
  });
  idle.start();
  return { session, idle };
}
