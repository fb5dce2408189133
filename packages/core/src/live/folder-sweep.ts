// Removes folders that killed processes left behind, once per process. The sweep runs a while after the first CLI is
// ready, or sooner if a CLI that was ready ends. A failure is only a warning.
import { loadPart } from '../util/load-part.js';

/**
 * After this time the first answer is under way. A sweep at the handshake took 4 of the 64 ms of processor time of a first
 * query.
 */
const SWEEP_AFTER_MS = 1000;

/** One per live CLI. */
export interface FolderSweep {
  begin(): void;
  end(): void;
}

export function createFolderSweep(onWarning: (error: Error) => void): FolderSweep {
  let timer: NodeJS.Timeout | undefined;
  const sweep = (): void => {
    loadPart(() => import('../wire/process/sweep-folders.js')).then(
      ({ sweepFoldersOnce }) => void sweepFoldersOnce(),
      // The next CLI tries again.
      onWarning,
    );
  };
  return {
    begin() {
      // The timer alone must not keep the host alive.
      timer ??= setTimeout(sweep, SWEEP_AFTER_MS).unref();
    },
    end() {
      if (timer === undefined) return;
      clearTimeout(timer);
      sweep();
      timer = undefined;
    },
  };
}
