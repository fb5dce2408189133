// The working directory that this process had when Inboard was loaded. It is a module of its own because the code that
// looks for programs is loaded later. By then the program may have changed its directory, perhaps to a repository that
// it does not trust.

/** The working directory at that time; undefined if it did not exist any more. */
export const START_FOLDER = readWorkingDirectory();

/** The current working directory; undefined if it does not exist any more. */
export function readWorkingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
