// stub
import type { CommandInput } from '../command.js';
export async function runDemo(_: CommandInput): Promise<number> {
  return 1;
}
