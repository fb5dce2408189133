// The CLI that a conversation has now, as far as its start, its end and its readers share it. Only `cli-starter` and `conversation-cli`
// change it. This object is made first and handed to both.
import type { LiveCli } from '../../live/live-cli.js';
import type { CliObserver } from './cli-observer.js';
import { CliReadiness } from './cli-readiness.js';
import type { SessionState } from './conversation-event.js';

/** One per conversation, whichever CLI it has. */
export class CurrentCli {
  state: SessionState = 'suspended';
  /** The running process, if there is one. */
  live: LiveCli | undefined;
  /** The last process that completed its handshake, even if it has ended since. */
  lastLive: LiveCli | undefined;
  readonly ready = new CliReadiness();
  observer: CliObserver | undefined;
}
