// Finds options beside "options" instead of in it. They would have no effect, and one of them may be a guard.
import { InvalidOptionsError } from '../../errors.js';
import { isRecord } from '../../util/guards.js';
import { warnOnce } from '../../util/warn-once.js';
import { findOptionRow } from '../rows/option-rows.js';

/** Throws an InvalidOptionsError for options that are beside `options`. `own` are names that the call has, too. */
export function refuseMisplacedOptions(call: string, input: unknown, own: readonly string[] = []): void {
  const names = listMisplaced(input).filter((name) => !own.includes(name));
  if (names.length > 0) throw new InvalidOptionsError(names, describeMisplaced(call, names));
}

/**
 * The same as a process warning, because the official SDK takes such a call silently, and programs written for it must
 * run.
 */
export function warnOfMisplacedOptions(call: string, input: unknown): void {
  const names = listMisplaced(input);
  if (names.length > 0) {
    warnOnce(
      `${describeMisplaced(call, names)}. Where they are now, they have no effect.`,
      'OPTION_MISPLACED',
    );
  }
}

function listMisplaced(input: unknown): string[] {
  if (!isRecord(input)) return [];
  return Object.keys(input).filter((name) => findOptionRow(name) && input[name] !== undefined);
}

function describeMisplaced(call: string, names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`).join(', ');
  return `${quoted} must be in "options", as in ${call}({ options: { ${names.join(', ')} } })`;
}
