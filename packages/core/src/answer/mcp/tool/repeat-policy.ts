// Defines and checks the policy for a call that was begun before. The code that keeps the call records applies it, through
// `aroundTool`.
import { checkShape, shape } from '../../../util/option-shapes.js';

/**
 * What happens to a call that was begun before, by a process or for a CLI that has died. `recorded`: it gets its recorded
 * result; without one, it runs again. `run`: it runs again. `unknown`: it gets its recorded result; without one, the model
 * is told that the outcome is unknown.
 */
export type RepeatPolicy = 'recorded' | 'run' | 'unknown';

const POLICIES: ReadonlySet<unknown> = new Set<RepeatPolicy>(['recorded', 'run', 'unknown']);
const POLICY = shape("'recorded', 'run' or 'unknown', or left out", (value) => POLICIES.has(value));

/** Throws an InvalidOptionsError for anything that is no policy. */
export function checkRepeatPolicy(given: unknown, tool: string): void {
  checkShape('onRepeat', given, POLICY, { called: `The option "onRepeat" of the tool "${tool}"` });
}
