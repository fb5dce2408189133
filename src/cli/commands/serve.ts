// stub
import type { CommandInput } from '../command.js';
export async function serveTools(_: CommandInput): Promise<number> {
  return 1;
}
