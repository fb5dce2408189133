// From `import()` to the first byte that a CLI gets, and to the answer of its first tool call: judged together, since cost
// that is moved from one to the other is not gained. The CLI is quick-cli.sh, which starts in about 2 ms.
import { answerTool } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';

export async function measure({ target, cli, notes }) {
  const { runSession, importMs } = await loadTarget(target);
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, BENCH_NOTES: notes };
  const begun = performance.now();
  await runSession({ cli, env, cwd: process.cwd(), answerTool, onMessage: () => {} });
  const { readFileSync } = await import('node:fs');
  const [firstByte, firstAnswer] = readFileSync(notes, 'utf8').trim().split('\n');
  return {
    firstByteMs: importMs + sinceStart(firstByte) - begun,
    firstCallMs: importMs + sinceStart(firstAnswer) - begun,
  };
}

/** A time of the shell's, on this process's clock. */
function sinceStart(seconds) {
  const time = Number(seconds.replace(',', '.')) * 1000 - performance.timeOrigin;
  if (Number.isNaN(time)) throw new Error(`The fake CLI: ${seconds}`);
  return time;
}
