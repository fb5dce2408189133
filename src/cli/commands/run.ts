// stub
import type { CommandInput } from '../command.js';
export async function runAgent(_: CommandInput): Promise<number> {
  return 1;
}
