// What a launch goes by of the process it is made in: read in the caller's own tick, since the program may change it
// while what starts a CLI is still being loaded.
import type { Environment } from '../wire/process/operating-system.js';
import { readWorkingDirectory, START_FOLDER } from '../wire/process/start-folder.js';

/** The process that starts a CLI, at one moment. */
export interface LaunchHost {
  env: Environment;
  /** Undefined where the folder is gone. */
  workingDirectory: string | undefined;
  /** Where relative paths to programs begin. */
  startFolder: string | undefined;
}

/** The process as it is now. */
export function readHost(): LaunchHost {
  return { env: { ...process.env }, workingDirectory: readWorkingDirectory(), startFolder: START_FOLDER };
}
