// Rewrites error messages of functions for users of the command line. A user who typed --idle does not know the option
// "idleMs".
import type { Command } from '../command.js';

/** The message, with each function option replaced by the command option that sets it. */
export function nameFlags(message: string, { options, calls = [] }: Command): string {
  const flags = new Map<string, string[]>();
  for (const [flag, { sets = [] }] of Object.entries(options))
    for (const name of sets) flags.set(name, [...(flags.get(name) ?? []), `--${flag}`]);
  let named = message;
  for (const [name, list] of flags) {
    const words = list.join(' and ');
    for (const before of ['The ', 'the ', '']) named = named.replaceAll(`${before}option "${name}"`, words);
    named = named.replaceAll(`"${name}"`, words);
  }
  for (const call of calls) named = named.replaceAll(call, 'this command');
  return named.replace(/^this command/, 'This command');
}
