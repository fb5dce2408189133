// The folder this process was in when the package was loaded. A module of its own, because what looks for programs is
// loaded later: a program may have changed its working directory by then, perhaps to a repository it does not trust.

/** Undefined where the folder was gone. */
export const START_FOLDER = readWorkingDirectory();

/** The folder this process is in now. */
export function readWorkingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
