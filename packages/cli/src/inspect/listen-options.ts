// The options that say where an inspector listens which a command starts.
import { isLoopback } from '@inboard/core/util/loopback.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { UsageError } from '../terminal/usage-error.js';

/** The address. Throws a UsageError for one that other machines can reach, unless `--allow-remote` was given. */
export function readAddress(input: CommandInput): string {
  const host = readText(input, 'host') ?? '127.0.0.1';
  if (isLoopback(host) || readSwitch(input, 'allow-remote')) return host;
  throw new UsageError(
    `--host ${host} can be reached from other machines, without TLS. Add --allow-remote if that is what you want. A tunnel is safer: ssh -L 4700:127.0.0.1:4700 <machine>.`,
  );
}
