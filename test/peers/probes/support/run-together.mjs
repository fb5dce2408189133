import { withLimit } from './with-limit.mjs';

const LIMIT_MS = 3_000;

/**
 * Whether two calls of one message run beside each other: each waits until the other has begun. `play` runs an agent whose tool calls
 * `handler`, and is over when the agent is.
 */
export async function runTogether(play) {
  let meet;
  const bothRun = new Promise((resolve) => (meet = resolve));
  let begun = 0;
  let met = false;
  await play(async () => {
    begun += 1;
    if (begun === 2) meet(true);
    met = await withLimit(bothRun, LIMIT_MS, false);
  });
  if (begun !== 2) throw new Error(`The tool was called ${begun} times, not twice.`);
  return met ? 'yes' : 'one by one';
}
