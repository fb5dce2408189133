// The state of one run of the fake CLI. It is created first and given to all parts that use it. The file also has the type
// of the settings that all runs share, and the errors that end a wait early.
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { FakeLaunch } from './pipes/fake-pipes.js';

/** Thrown to all code that plays a script when the run is over. */
export const OVER = new Error('The session is over');

/** Thrown to all code that plays a turn when the turn was interrupted. */
export const INTERRUPTION = new Error('The turn was interrupted');

/** A line of the wire. */
export interface FakeLogEntry {
  /** The number of the session that the line belongs to, from 0. */
  readonly session: number;
  readonly from: 'host' | 'cli';
  readonly line: string;
  /** The parsed line. Undefined if it is not a JSON object. */
  readonly frame: WireObject | undefined;
}

/**
 * Answers of the test to control requests, by subtype. Each is a value or a function. A function that throws refuses
 * the request.
 */
export type ControlAnswers = Readonly<Record<string, unknown>>;

/** The options of a fake, with defaults applied. */
export interface RunSettings {
  readonly version: string;
  readonly isStrict: boolean;
  readonly mayEndEarly: boolean;
  readonly foldsPrompts: boolean;
  readonly isByHand: boolean;
  readonly answers: ControlAnswers;
  readonly onLogged: (entry: FakeLogEntry) => void;
}

/** What a run is started with. */
export interface RunStart {
  readonly index: number;
  readonly launch: FakeLaunch;
  readonly settings: RunSettings;
}

export class RunState {
  readonly index: number;
  readonly launch: FakeLaunch;
  readonly settings: RunSettings;
  readonly log: FakeLogEntry[] = [];
  /** What went wrong in the run, as messages: above all the rules that the host broke. */
  readonly problems: string[] = [];
  /** The texts of the prompts, in order. */
  readonly promptTexts: string[] = [];
  /** The host's control requests, in order. */
  readonly requests: WireObject[] = [];
  readonly firstPrompt = createDeferred<string>();
  /** The host's `initialize` request. */
  initialize: WireObject | undefined;
  /** Whether a step has told the fake to stay after the end of its input. */
  ignoresEnd = false;
  isOver = false;
  /** Whether the fake ended the run, and not the host. */
  hasLeft = false;
  isInterrupted = false;
  /** Whether the host has ended the input, even if the fake ignores that. */
  hasInputEnded = false;
  readonly #waiters = new Set<() => void>();

  constructor({ index, launch, settings }: RunStart) {
    this.index = index;
    this.launch = launch;
    this.settings = settings;
    // If the script does not await the promise, its rejection must not count as unhandled.
    this.firstPrompt.promise.catch(() => {});
  }

  /** Whether the input has ended and the fake does not ignore that. */
  get isInputEnded(): boolean {
    return this.hasInputEnded && !this.ignoresEnd;
  }

  addPrompt(text: string): void {
    this.promptTexts.push(text);
    this.firstPrompt.resolve(text);
  }

  complain(problem: string): void {
    this.problems.push(problem);
  }

  record(from: FakeLogEntry['from'], line: string, frame: WireObject | undefined): void {
    const entry = { session: this.index, from, line, frame };
    this.log.push(entry);
    this.settings.onLogged(entry);
  }

  /** Ends the run. All code of the script that waits then gets the error `OVER`. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.firstPrompt.reject(OVER);
    this.notify();
  }

  /** Throws if the script cannot continue: the run is over, or the turn was interrupted. */
  assertPlaying(): void {
    if (this.isOver) throw OVER;
    if (this.isInterrupted) throw INTERRUPTION;
  }

  /** Makes every `until` check again. It is called after a change. */
  notify(): void {
    for (const look of this.#waiters) look();
  }

  /** Resolves with the first value other than undefined that `look` returns. Rejects if `look` throws. */
  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const again = (): void => {
        try {
          const value = look();
          if (value === undefined) return;
          this.#waiters.delete(again);
          resolve(value);
        } catch (error) {
          this.#waiters.delete(again);
          reject(error);
        }
      };
      this.#waiters.add(again);
      again();
    });
  }
}
