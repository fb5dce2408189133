// Counts the blocks of the project's own code that a run executes, by file. Unlike time, the count is the same on a busy machine.
import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';

/** How many blocks of each file below `packages/` were executed; what a module does when it is loaded is left out. */
export type Blocks = ReadonlyMap<string, number>;

/** The blocks that `run` executes. */
export async function countBlocks(run: () => unknown): Promise<Blocks> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return byFile(result);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

export const sumOf = (blocks: Blocks): number => [...blocks.values()].reduce((sum, count) => sum + count, 0);

function byFile(scripts: readonly Profiler.ScriptCoverage[]): Blocks {
  const blocks = new Map<string, number>();
  for (const { url, functions } of scripts) {
    const [file] = /packages\/[\w-]+\/src\/.*\.tsx?$/.exec(url) ?? [];
    if (file === undefined) continue;
    const count = functions
      .filter(({ functionName }) => functionName !== '')
      .flatMap(({ ranges }) => ranges.map((range) => range.count))
      .reduce((sum, each) => sum + each, 0);
    if (count > 0) blocks.set(file, count);
  }
  return blocks;
}
