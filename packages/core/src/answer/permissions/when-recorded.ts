// Lets a front end show a question only after its session has recorded it.
import { clock } from '../../util/system/clock.js';

/**
 * Resolves in the next round of the event loop. A session records a question by then that no code has answered at once. A
 * person who has seen the question finds it again, even if the process is killed right after that.
 */
export function whenRecorded(): Promise<void> {
  return new Promise((resolve) => clock.setImmediate(resolve));
}
