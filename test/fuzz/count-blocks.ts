// Counts the blocks of the project's own code that a run executes. Unlike time, the count is the same on a busy machine.
import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';

/** How many blocks of files below `packages/` `run` executes. */
export async function countBlocks(run: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return sumOf(result);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

function sumOf(scripts: readonly Profiler.ScriptCoverage[]): number {
  return scripts
    .filter(({ url }) => /\/packages\/[\w-]+\/src\//.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}
