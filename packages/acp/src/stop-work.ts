// Stops a turn that the person at the editor has cancelled, and kills a CLI that does not stop when it is told to.
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';

/** A turn that can be stopped. */
export interface StoppableWork {
  /** Aborts when the turn is to be stopped. */
  readonly stop: AbortController;
  /** Settles when the turn is over. */
  readonly over: Promise<unknown>;
}

/** Stops the turn. Its CLI is killed if the turn is not over after `graceMs`. */
export function stopWork(
  { stop, over }: StoppableWork,
  { session, graceMs, note }: { session: Session; graceMs: number; note: (line: string) => void },
): void {
  if (stop.signal.aborted) return;
  stop.abort();
  const timer = setTimeout(() => endStubbornCli(session, note), graceMs);
  const forget = (): void => clearTimeout(timer);
  over.then(forget, forget);
}

// The conversation starts another CLI, which goes on from the transcript. If the CLI has no process id here, the session is
// closed instead.
function endStubbornCli(session: Session, note: (line: string) => void): void {
  // A turn that waits without a CLI is over as soon as its transcript shows that it was stopped.
  if (session.state !== 'ready') return;
  note('The CLI did not end a cancelled turn in time, so it is stopped.');
  const { pid } = session;
  if (pid === undefined) {
    void session.close().catch(() => {});
    return;
  }
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The CLI ended by itself at this moment. An error that is thrown in a timer would end the agent.
  }
}
