// Follows the end of the process that serves pages. It tells pages how the process ends, waits for those that are behind, and
// holds the process, if that is wanted, until its pages are closed.
import { messageOf } from '@inboard/core/util/message-of.js';
import type { ServerEnd } from '../model/page-contract.js';

/** The server, as far as its process's end concerns it. */
export interface EndingServer {
  /** Whether some page has not got everything yet. */
  isBehind(): boolean;
  /** Sends what has not been sent, with the end, at once. */
  end(end: ServerEnd): void;
  /** The number of pages that are connected. */
  pages(): number;
  /** Lets the server keep the process alive, or no longer. */
  keepAlive(isKept: boolean): void;
  /** Removes values from a text that pages must not show; undefined if it cannot be shown at all. */
  redact(text: string): string | undefined;
  /** Is called when the process has done its work and is held from now on. */
  onHold(): void;
}

/** The life of a server in its process. */
export interface WatchedProgram {
  /** Must be called whenever a page has come or gone. */
  changed(): void;
  /** Ends the watching, when the server is closed. */
  stop(): void;
}

/** A process that has done its work waits so long for pages that are behind, in milliseconds. */
const PATIENCE_MS = 500;
/** The time between two looks at them. */
const LOOK_EVERY_MS = 20;
/** A page that is loaded again is away for a moment. */
const RELOAD_MS = 2000;
const MOST_ERROR_CHARACTERS = 300;

/** Watches until the process ends or `stop` is called. */
export function watchProgram(server: EndingServer, { holds }: { holds: boolean }): WatchedProgram {
  let error: string | undefined;
  let hasWaited = false;
  let hold: 'not yet' | 'on' | 'over' = holds ? 'not yet' : 'over';
  let hadPage = false;
  let releasing: NodeJS.Timeout | undefined;

  const release = (): void => {
    hold = 'over';
    server.keepAlive(false);
  };
  const changed = (): void => {
    if (server.pages() > 0) hadPage = true;
    clearTimeout(releasing);
    if (hold === 'on' && hadPage && server.pages() === 0) releasing = setTimeout(release, RELOAD_MS);
  };
  const beforeExit = (): void => {
    if (hold === 'not yet') {
      hold = 'on';
      server.keepAlive(true);
      server.onHold();
      changed();
    } else if (!hasWaited && server.isBehind()) {
      hasWaited = true;
      waitUntilSent(server, Date.now() + PATIENCE_MS);
    }
  };
  const note = (thrown: unknown): void => {
    const [line = ''] = server.redact(messageOf(thrown))?.split('\n') ?? [];
    error = line.slice(0, MOST_ERROR_CHARACTERS) || undefined;
  };
  const exit = (exitCode: number): void => server.end({ how: 'exit', exitCode, error });

  process.on('beforeExit', beforeExit);
  process.on('uncaughtExceptionMonitor', note);
  process.on('exit', exit);
  return {
    changed,
    stop: () => {
      clearTimeout(releasing);
      process.off('beforeExit', beforeExit);
      process.off('uncaughtExceptionMonitor', note);
      process.off('exit', exit);
    },
  };
}

/** Keeps the process alive with a timer until pages have everything, but not for long: a page may be asleep. */
function waitUntilSent(server: EndingServer, until: number): void {
  if (!server.isBehind() || Date.now() >= until) return;
  setTimeout(() => waitUntilSent(server, until), LOOK_EVERY_MS);
}
