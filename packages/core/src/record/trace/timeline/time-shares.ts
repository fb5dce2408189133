// Where the time of a session went: every moment is counted once, for the one thing that was waited for, so that the shares
// add up to the duration.
//
// Where several things go on at once, the first of these counts: a person's answer, the program's own code, tools that the CLI
// runs, the model, whatever else the CLI does. It is the order in which somebody can do something about it: a question can be
// answered at once, one's own handler can be made faster, and only what is left is the model's or the CLI's. So a tool that is
// held until a person decides counts for the person, and code that runs while the model still writes counts as code.
import {
  createShares,
  type Activity,
  type ActivityListener,
  type ShareName,
  type TimedEvent,
} from './activity.js';
import { ActivityFollower } from './activity-follower.js';

/** Milliseconds each; together they are the time from the start to the last event. */
export interface TimeShares {
  /** The model was asked and had not answered; includes pauses before another attempt, and compaction. */
  model: number;
  /** A person, or the callback in their place, was asked. */
  permission: number;
  /** A tool, hook or callback of the program ran. */
  code: number;
  /** A tool of the CLI ran, or a hook command of its settings. */
  cliTools: number;
  /** The CLI started, ended, or did something between these. */
  overhead: number;
  /** Nothing was under way: the program had not asked for anything. */
  idle: number;
}

/** Told of activities, and of every stretch of time that counts for one thing. */
export interface ShareListener extends ActivityListener {
  stretch(share: ShareName, start: number, end: number): void;
}

/** Adds up the shares while events come; each takes the same few steps, however long the session is. */
export class ShareClock {
  readonly #follower: ActivityFollower;
  readonly #listener: Partial<ShareListener>;
  /** Whole microseconds, which add up without rounding. */
  readonly #spent = createShares();
  #at = 0;

  constructor(listener: Partial<ShareListener> = {}) {
    this.#listener = listener;
    this.#follower = new ActivityFollower({
      begin: (activity: Activity) => listener.begin?.(activity),
      end: (activity: Activity) => listener.end?.(activity),
    });
  }

  /** Takes the next event of the session. */
  push(event: TimedEvent, n = 0): void {
    const { share } = this.#follower;
    const t = this.#follower.timeOf(event);
    const until = Math.round(t * 1000);
    if (until > this.#at) {
      this.#spent[share] += until - this.#at;
      this.#listener.stretch?.(share, this.#at / 1000, until / 1000);
      this.#at = until;
    }
    this.#follower.push(event, n);
  }

  /** What the present counts for. */
  get current(): ShareName {
    return this.#follower.share;
  }

  /** The time of the last event. */
  get durationMs(): number {
    return this.#at / 1000;
  }

  /** The shares up to the last event, or up to a later moment in which nothing new was heard. */
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

  /** The part of the code's share in which hooks ran and no tool. */
  readHooks(): number {
    return this.#spent.hooks / 1000;
  }
}
