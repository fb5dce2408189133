// stub
import type { CommandInput } from '../command.js';
export async function runDoctor(_: CommandInput): Promise<number> {
  return 1;
}
