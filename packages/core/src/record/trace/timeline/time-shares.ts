// Finds where the time of a session went. Every moment is counted once, for the one thing that was waited for, so that
// the shares add up to the duration.
import { createShares, type ActivityListener, type ShareName, type TimedEvent } from './activity.js';
import { ActivityFollower } from './activity-follower.js';
import { CallFates } from './call-fates.js';
import { TimeReader } from './readable-step.js';

// If several activities are under way, the first of these counts: a person's answer, the program's own code, tools that
// the CLI runs, the model, other work of the CLI. What the program or its user can change most easily comes first: a
// question can be answered at once, a handler can be made faster, and only the rest depends on the model or the CLI. So
// a tool that is held until a person decides counts for the person, and code that runs while the model still writes
// counts as code.

/** The shares in milliseconds. They add up to the time from the start to the last event. */
export interface TimeShares {
  /** A request to a model was open. Pauses before another attempt, and compaction, are included. */
  model: number;
  /** A question to a person, or to the callback in their place, was open. */
  permission: number;
  /** A tool, hook or callback of the program ran. */
  code: number;
  /** A tool of the CLI ran, or a hook command of its settings. */
  cliTools: number;
  /** The CLI started, ended, or did other work. */
  overhead: number;
  /** Nothing was under way, because the program had not asked for anything. */
  idle: number;
}

/** Is told of activities, and of every stretch of time that counts for one share. */
export interface ShareListener extends ActivityListener {
  stretch(share: ShareName, start: number, end: number): void;
}

/** Adds up the shares while events come. The time for an event does not grow with the session. */
export class ShareClock {
  readonly #follower: ActivityFollower;
  readonly #ownCalls: CallFates | undefined;
  readonly #listener: Partial<ShareListener>;
  /** The time in each share, in whole microseconds, which can be added without rounding. */
  readonly #spent = createShares();
  readonly #times = new TimeReader();
  #at = 0;

  /** With `calls`, the caller gives each event to them first. */
  constructor(listener: Partial<ShareListener> = {}, calls?: CallFates) {
    this.#listener = listener;
    this.#ownCalls = calls ? undefined : new CallFates();
    this.#follower = new ActivityFollower(calls ?? (this.#ownCalls as CallFates), listener);
  }

  /** Takes the next event of the session. */
  push(event: TimedEvent, n = 0): void {
    const { share } = this.#follower;
    const t = this.#times.readOf(event);
    const until = Math.round(t * 1000);
    if (until > this.#at) {
      this.#spent[share] += until - this.#at;
      this.#listener.stretch?.(share, this.#at / 1000, until / 1000);
      this.#at = until;
    }
    this.#ownCalls?.push(event);
    this.#follower.push(event, n, t);
  }

  /** The share that the time from the last event on counts for. */
  get current(): ShareName {
    return this.#follower.share;
  }

  /** The same, under the names of `TimeShares`. */
  get currentKey(): keyof TimeShares {
    return shareKeyOf(this.current);
  }

  /** Whether a CLI starts, and has not said anything. */
  get isStarting(): boolean {
    return this.#follower.isStarting;
  }

  /** The open questions and pending calls, as `ActivityFollower` knows them. */
  get questions(): ActivityFollower['questions'] {
    return this.#follower.questions;
  }

  /** The time of the last event. */
  get durationMs(): number {
    return this.#at / 1000;
  }

  /** The shares up to the last event, or up to a later moment `at`. */
  read(at = this.durationMs): TimeShares {
    const spent = { ...this.#spent };
    spent[this.#follower.share] += Math.max(0, Math.round(at * 1000) - this.#at);
    return {
      model: spent.model / 1000,
      permission: spent.permission / 1000,
      code: (spent.code + spent.hooks) / 1000,
      cliTools: spent.cliTools / 1000,
      overhead: spent.overhead / 1000,
      idle: spent.idle / 1000,
    };
  }

  /** The part of the share `code` in which hooks ran, but no tool of the program. */
  readHooks(): number {
    return this.#spent.hooks / 1000;
  }
}

/** The name of a share in `TimeShares`: hooks count as the program's code. */
export function shareKeyOf(share: ShareName): keyof TimeShares {
  return share === 'hooks' ? 'code' : share;
}
