// The working directory of this process when the package was loaded. It is a module of its own because the code that
// looks for programs is loaded later. By then the program may have changed its directory, perhaps to a repository that
// it does not trust.

/** Undefined where the folder was gone already. */
export const START_FOLDER = readWorkingDirectory();

/** The current working directory; undefined where it is gone. */
export function readWorkingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
