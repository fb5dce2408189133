// Finds options that were passed beside "options" instead of inside it. They would have no effect, even if they are
// there to forbid something.
import { InvalidOptionsError } from '../../errors.js';
import { isRecord } from '../../util/guards.js';
import { warnOnce } from '../../util/warn-once.js';
import { findOptionRow } from '../rows/option-rows.js';

/** Throws an InvalidOptionsError for options beside `options`. `own` are option names that the call itself accepts there. */
export function refuseMisplacedOptions(call: string, input: unknown, own: readonly string[] = []): void {
  const names = listMisplaced(input).filter((name) => !own.includes(name));
  if (names.length > 0) throw new InvalidOptionsError(names, describeMisplaced(call, names));
}

/**
 * Reports options beside `options` as a process warning. It does not throw, because the official SDK accepts such a call
 * silently, and programs written for that SDK must run.
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
