import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** From here on, this process can start no other, as in a browser or an edge function. */
export function forbidChildren() {
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
    childProcess[name] = () => {
      throw new Error(`There is no ${name}() here.`);
    };
  }
  syncBuiltinESMExports();
}
