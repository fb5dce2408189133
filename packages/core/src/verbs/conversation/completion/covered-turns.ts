// Records which turns of a session are covered, and which CLI has each. Only the calls of a covered turn can be completed.
import { clock } from '../../../util/system/clock.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { nameChild } from '../../../wire/process/process-name.js';
import type { CallFact } from '../../../wire/protocol/config/call-records.js';
import type { PendingCalls } from './pending-calls.js';

/** What is known of the session whose turns are covered. */
export interface Coverage {
  /** The name of this process in facts. */
  readonly owner: string;
  /** Whether the session is older than this recorder, so that calls of its earlier turns may be pending. */
  readonly isResumed?: boolean | undefined;
  /** Called when another turn begins. The turns before it are over then. */
  readonly onCovered?: (() => void) | undefined;
}

/** One per session. */
export class CoveredTurns {
  readonly #coverage: Coverage;
  readonly #pending: PendingCalls;
  readonly #add: (fact: CallFact) => void | Promise<void>;
  #cli: { pid: number | undefined; name: string | undefined } | undefined;
  #hasCovered = false;

  constructor(coverage: Coverage, pending: PendingCalls, add: (fact: CallFact) => void | Promise<void>) {
    this.#coverage = coverage;
    this.#pending = pending;
    this.#add = add;
  }

  /** Records that the turn begins with this message. */
  cover(message: string, cliPid: number | undefined): void | Promise<void> {
    if (this.#cli?.pid !== cliPid)
      this.#cli = { pid: cliPid, name: cliPid === undefined ? undefined : nameChild(cliPid) };
    const { owner, isResumed, onCovered } = this.#coverage;
    onCovered?.();
    const cli = this.#cli?.name;
    const cover = (): void | Promise<void> =>
      this.#add(withoutUndefined({ type: 'covers' as const, message, owner, cli, at: clock.Date.now() }));
    const isFirst = !this.#hasCovered;
    this.#hasCovered = true;
    // A turn that was cut off has been taken up before this, if it ever is.
    return isFirst && isResumed === true ? this.#pending.withdrawForgotten(message).then(cover) : cover();
  }

  /** Records which CLI goes on with a turn. `message` begins a turn that is covered already, or is empty. */
  noteCli(message: string, pid: number): void | Promise<void> {
    const cli = nameChild(pid);
    this.#cli = { pid, name: cli };
    if (cli === undefined) return undefined;
    return this.#add({ type: 'covers', message, owner: this.#coverage.owner, cli, at: clock.Date.now() });
  }
}
