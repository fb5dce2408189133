/** Every file that a change can reach, the changed ones included. */
export function findReached(request: {
  /** The text of every file of code, by its path from the root. */
  files: ReadonlyMap<string, string>;
  /** The paths of all further files. */
  others?: readonly string[];
  changed: readonly string[];
}): Set<string>;

/** Whether a path is that of a file with imports. */
export function isCode(path: string): boolean;

/** By path, the files that import the file or name it. */
export function findUsers(
  files: ReadonlyMap<string, string>,
  others?: readonly string[],
): Map<string, ReadonlySet<string>>;
