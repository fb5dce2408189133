// Errors of functions in the words of the command that called them: whoever typed --idle knows nothing of "idleMs".
import type { Command } from '../command.js';

/** The message with the options of the command in the place of those that they set. */
export function nameFlags(message: string, { options, calls = [] }: Command): string {
  const flags = new Map<string, string[]>();
  for (const [flag, { sets = [] }] of Object.entries(options))
    for (const name of sets) flags.set(name, [...(flags.get(name) ?? []), `--${flag}`]);
  let named = message;
  for (const [name, list] of flags) {
    const words = list.join(' and ');
    named = named.replaceAll(`The option "${name}"`, words).replaceAll(`option "${name}"`, words);
    named = named.replaceAll(`"${name}"`, words);
  }
  for (const call of calls) named = named.replaceAll(call, 'this command');
  return named.replace(/^this command/, 'This command');
}
