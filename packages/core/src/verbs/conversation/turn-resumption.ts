// Resumes turns that were cut off, once a CLI is ready: it goes on with them by itself, is asked to, or gets their messages again. Turns
// that can be resumed in no way are lost.
import { randomUUID } from '../../util/random-uuid.js';
import type { LastTurn } from '../../record/history/transcript/transcript-state.js';
import { userMessageOf } from '../../live/input/user-message.js';
import { describeCut, notCompleted } from './continuation-words.js';
import type { RecordingParts } from './recording-parts.js';
import type { OpenTurn } from './turns/turn.js';

/** One per conversation. */
export class TurnResumption {
  readonly #parts: RecordingParts;
  #hasNamedObstacle = false;

  constructor(parts: RecordingParts) {
    this.#parts = parts;
  }

  /** Resumes the turns of a CLI that died. This process still knows their calls. */
  resumeCut(cut: readonly OpenTurn[], last: LastTurn | undefined, isRunning: boolean): void {
    const { turns, calls } = this.#parts;
    const [first] = cut;
    if (!first) return;
    const isSaved = isRunning || cut.some(({ message }) => message.uuid === last?.uuid);
    if (isSaved && (isRunning || (last?.text === undefined && last?.stopped === false))) {
      this.resume(cut, { name: calls.names.nameOf(first.uuid), last, isRunning });
      return;
    }
    for (const turn of cut.toReversed()) {
      // A turn that is saved in the transcript, or that may have had effects, is not sent again.
      if (isSaved || turn.toolsUsed) turns.lose(turn);
      else turns.sendAgain(turn);
    }
  }

  /** Resumes turns that the transcript shows as open. `name` stands for the turn in the keys of its calls. */
  resume(
    cut: readonly OpenTurn[],
    { name, last, isRunning }: { name: string; last: LastTurn | undefined; isRunning: boolean },
  ): void {
    const { turns, calls } = this.#parts;
    this.#nameObstacle(cut, last);
    if (isRunning) {
      for (const turn of cut) turns.written.resume(turn);
      return;
    }
    const [first, ...others] = cut;
    if (!first) return;
    // The CLI answered these messages together, so the first turn stands for all of them.
    for (const turn of others) turns.lose(turn);
    first.state = 'waiting';
    first.message = { ...userMessageOf(describeCut(last)), uuid: randomUUID() };
    calls.names.rename(first.message.uuid, name);
    turns.waiting.unshift(first);
  }

  /** Warns once that the model does not get the results of calls that were cut off, and says why. */
  #nameObstacle(cut: readonly OpenTurn[], last: LastTurn | undefined): void {
    const { recording, warnings } = this.#parts;
    const { obstacle } = recording;
    const hadCalls = last ? last.calls.length > 0 : cut.some(({ toolsUsed }) => toolsUsed);
    if (obstacle === undefined || !hadCalls || this.#hasNamedObstacle) return;
    this.#hasNamedObstacle = true;
    warnings.report(notCompleted(`there is nothing to write their results to, because ${obstacle}`));
  }
}
