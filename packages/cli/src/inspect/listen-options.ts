// Reads the address on which a command's inspector listens.
import { isLoopback } from '@inboard/core/util/loopback.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { UsageError } from '../terminal/usage-error.js';

/** The address to listen on. Throws a UsageError if other machines can reach it and `--allow-remote` was not given. */
export function readAddress(input: CommandInput): string {
  const host = readText(input, 'host') ?? '127.0.0.1';
  if (isLoopback(host) || readSwitch(input, 'allow-remote')) return host;
  throw new UsageError(
    `--host ${host} can be reached from other machines, without TLS. Add --allow-remote if that is what you want. A tunnel is safer: ssh -L 4700:127.0.0.1:4700 <machine>.`,
  );
}
