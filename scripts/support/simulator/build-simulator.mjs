// Builds the simulator and the code that it runs into a folder: `simulator.mjs` for any Node, and `scene.cjs`, all of the project that a
// world evaluates. Source files may be changed on their way in, which is how faults are planted.
import { cpSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../mutation/areas.mjs';

const PROGRAMS = 'scripts/support/cluster-chaos/programs';

/** Builds it; `change(file, text)` gives another text for a source file, by its path in the project, or undefined. */
export async function buildSimulator(folder, change) {
  await bundle('test/simulator/simulator.ts', join(folder, 'simulator.mjs'), 'esm');
  await buildScene(folder, change);
  for (const name of ['fake-cli', 'fake-together', 'fake-transcript'])
    cpSync(join(ROOT, PROGRAMS, `${name}.cjs`), join(folder, `${name}.cjs`));
}

/** Builds only the code under test anew. */
export async function buildScene(folder, change) {
  await bundle('test/simulator/scenes/index.ts', join(folder, 'scene.cjs'), 'cjs', change);
}

async function bundle(input, file, format, change) {
  const plugin = {
    name: 'planted',
    load(id) {
      const path = relative(ROOT, id).split(sep).join('/');
      const code = change?.(path, () => readFileSync(id, 'utf8'));
      return code === undefined ? null : { code, moduleType: 'ts' };
    },
  };
  const build = await rolldown({
    input: join(ROOT, input),
    platform: 'node',
    external: [/^node:/, 'pg', 'bullmq', 'jiti', /^@opentelemetry\//, /^@modelcontextprotocol\//],
    plugins: change ? [plugin] : [],
    transform: { target: 'node20' },
    logLevel: 'silent',
  });
  try {
    await build.write({ file, format, codeSplitting: false, sourcemap: false });
  } finally {
    await build.close();
  }
}
