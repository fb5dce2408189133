import { withLimit } from './with-limit.mjs';

const LIMIT_MS = 3_000;

/**
 * Whether two calls of one message run beside each other: each waits until the other has begun. `play` runs an agent whose tool calls
 * `handler`, and is over when the agent is.
 */
export async function runTogether(play, limitMs = LIMIT_MS) {
  let meet;
  const bothRun = new Promise((resolve) => (meet = resolve));
  let begun = 0;
  const met = [];
  await play(async () => {
    begun += 1;
    if (begun === 2) meet(true);
    met.push(await withLimit(bothRun, limitMs, false));
  });
  if (begun !== 2) throw new Error(`The tool was called ${begun} times, not twice.`);
  // One by one, the second still finds that both have begun.
  return met.every(Boolean) ? 'yes' : 'one by one';
}
