// Decides what follows a CLI that ended although nobody asked it to, or did not start: another one, at once or after a pause, or the
// end of the conversation. Cuts off its turns.
import { describeLeaving } from '../../live/ending.js';
import { clock } from '../../util/system/clock.js';
import type { CliStarter } from './cli-starter.js';
import { closedBecause } from './closed-because.js';
import type { Continuation } from './continuation.js';
import type { CrashRecord } from './crash-record.js';
import type { CurrentCli } from './current-cli.js';
import type { RecordingParts } from './recording-parts.js';
import type { StartPlanner } from './start-planner.js';
import type { TurnQueue } from './turns/turn-queue.js';

interface CliRestartInput {
  readonly parts: RecordingParts;
  readonly continuation: Continuation;
  readonly planner: StartPlanner;
  readonly crashes: CrashRecord;
  readonly current: CurrentCli;
  readonly starter: CliStarter;
  /** Called when no other CLI follows. */
  readonly onOver: (error: unknown) => void;
}

/** One per conversation. */
export class CliRestart {
  readonly #input: CliRestartInput;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: CliRestartInput) {
    this.#input = input;
  }

  /** Decides what follows a start that failed. */
  afterFailedStart(error: unknown): void {
    const { parts, planner, onOver } = this.#input;
    const next = planner.reconsider(error, parts.restart?.whenLost);
    if (next === undefined) this.afterCrash(error);
    else if (next === 'again') this.#beginAgain();
    else {
      this.#cut(error, false);
      onOver(next);
    }
  }

  /** Decides what follows the end of a CLI. */
  afterCrash(error: unknown): void {
    const { parts, continuation, planner, crashes, current, onOver } = this.#input;
    const delayMs = planner.hasBeenReady ? crashes.delayAfter(error) : undefined;
    const cut = this.#cut(error, delayMs !== undefined);
    if (delayMs === undefined) {
      // The CLI exited by itself before it was sent the waiting messages. Their senders get the reason.
      const isMissed = error === undefined && parts.turns.waiting.length > 0;
      onOver(isMissed ? describeLeaving(current.lastLive?.end) : error);
      return;
    }
    if (!continuation.isDue) parts.recording.cancelKept(closedBecause(error));
    current.state = 'restarting';
    crashes.note({ error, delayMs, ...cut });
    this.#timer = clock.setTimeout(() => this.#beginAgain(), delayMs);
  }

  /** The conversation is over: no CLI is started any more. */
  stop(): void {
    clock.clearTimeout(this.#timer);
  }

  #cut(error: unknown, goesOn: boolean): ReturnType<TurnQueue['cut']> {
    const { parts, current } = this.#input;
    const cut = parts.turns.cut(error, goesOn);
    current.observer?.onCut();
    return cut;
  }

  #beginAgain(): void {
    const { starter, onOver } = this.#input;
    this.#timer = undefined;
    try {
      starter.begin();
    } catch (error) {
      onOver(error);
    }
  }
}
