// Reads what a launch needs to know of the host process. It is read in the caller's own tick, because the program may
// change it while the launcher is still being loaded.
import type { Environment } from '../wire/process/operating-system.js';
import { readWorkingDirectory, START_FOLDER } from '../wire/process/start-folder.js';

/** The process that starts a CLI, at one moment. */
export interface LaunchHost {
  env: Environment;
  /** Undefined if the folder no longer exists. */
  workingDirectory: string | undefined;
  /** The folder to which relative paths to programs refer. */
  startFolder: string | undefined;
}

/** The process as it is now. */
export function readHost(): LaunchHost {
  return { env: { ...process.env }, workingDirectory: readWorkingDirectory(), startFolder: START_FOLDER };
}
