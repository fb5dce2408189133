// Asking the functions for past sessions about a stage's home. They look where this process's environment points,
// and cases run side by side: so one asks after the other.
import type { IsolatedEnvironment } from './inboard.js';

let lastAsked: Promise<unknown> = Promise.resolve();

/** Runs `ask` while CLAUDE_CONFIG_DIR of this process is that of the home. */
export async function askHome<Value>(
  { configDir }: IsolatedEnvironment,
  ask: () => Promise<Value>,
): Promise<Value> {
  const asking = lastAsked.then(async () => {
    const before = process.env['CLAUDE_CONFIG_DIR'];
    process.env['CLAUDE_CONFIG_DIR'] = configDir;
    try {
      return await ask();
    } finally {
      if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
      else process.env['CLAUDE_CONFIG_DIR'] = before;
    }
  });
  lastAsked = asking.catch(() => undefined);
  return await asking;
}
