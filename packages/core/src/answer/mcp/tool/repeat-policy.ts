// The policy for a call that was begun before. The code that keeps the records of calls acts on it: see `aroundTool`.
import { checkShape, shape } from '../../../util/option-shapes.js';

/**
 * What happens to a call that was started before, by a host that died: it gets its recorded result, runs again, or
 * reports that its outcome is unknown.
 */
export type RepeatPolicy = 'recorded' | 'run' | 'unknown';

const POLICIES: ReadonlySet<unknown> = new Set<RepeatPolicy>(['recorded', 'run', 'unknown']);
const POLICY = shape("'recorded', 'run' or 'unknown', or left out", (value) => POLICIES.has(value));

/** Throws an InvalidOptionsError for anything that is no policy. */
export function checkRepeatPolicy(given: unknown, tool: string): void {
  checkShape('onRepeat', given, POLICY, { called: `The option "onRepeat" of the tool "${tool}"` });
}
