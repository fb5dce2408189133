// Compared steps in words, for tests.
import type { ComparedStep } from '../../src/model/fleet/compare/compare-steps.js';

/** `same prompt`, `differs call Read: input`, one line for each step. */
export function tellSteps(steps: readonly ComparedStep[]): string[] {
  return steps.map(({ verdict, left, right, differences }) => {
    const item = (left ?? right)?.item;
    const name = item?.kind === 'call' ? `call ${item.name}` : item?.kind;
    return `${verdict} ${name}${differences.length > 0 ? `: ${differences.map(({ what }) => what).join(', ')}` : ''}`;
  });
}
