import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const STARTERS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'];

/** What `play` returns while this process can start no other, as in a browser or an edge function. */
export async function withoutChildren(play) {
  const real = STARTERS.map((name) => [name, childProcess[name]]);
  const replace = (name, starter) => {
    childProcess[name] = starter;
    syncBuiltinESMExports();
  };
  for (const name of STARTERS)
    replace(name, () => {
      throw new Error(`There is no ${name}() here.`);
    });
  try {
    return await play();
  } finally {
    for (const [name, starter] of real) replace(name, starter);
  }
}
