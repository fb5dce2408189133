// A whole query in which nothing happens, the first one of the process and later ones. Starting the fake CLI, a program of
// Node, is most of it.
import { answerTool } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor } from '../play.mjs';

export async function measure({ target, cli, repeats }) {
  const { runSession, importMs } = await loadTarget(target);
  const env = environmentFor({ name: 'nothing' });
  const times = [];
  for (let index = 0; index <= repeats; index += 1) {
    const begun = performance.now();
    await runSession({ cli, env, cwd: process.cwd(), answerTool, onMessage: () => {} });
    times.push(performance.now() - begun);
  }
  const [firstMs, ...later] = times;
  return { importMs, firstMs, laterMs: later.toSorted((a, b) => a - b)[Math.floor(later.length / 2)] };
}
