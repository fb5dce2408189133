// What a new project may be called: names that npm takes, and folders that every operating system can have.
import { UsageError } from '../terminal/usage-error.js';

const LONGEST_NAME = 214;
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const RESERVED_NAMES = new Set(['node_modules', 'favicon.ico']);

// Windows cannot have files of these names, with or without an extension. A project may be cloned to Windows later.
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i;
const UNUSABLE_CHARACTERS = /[<>:"|?*\p{Cc}]/u;

/**
 * Returns the name that the user asked for, or throws a UsageError if npm would refuse it. `taken` are the packages
 * that the project installs: npm refuses a package that depends on itself.
 */
export function checkProjectName(name: string, taken: readonly string[]): string {
  const problem = findNameProblem(name, taken);
  if (problem === undefined) return name;
  throw new UsageError(
    `"${name}" cannot be the name of a package: ${problem}. Give one such as "my-agent" or "@acme/my-agent" with --name.`,
  );
}

/** Makes a name for a project from the name of its folder. Throws a UsageError if npm would refuse the name. */
export function nameAfter(folderName: string, taken: readonly string[]): string {
  const name = folderName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9._~]+/)
    .filter(Boolean)
    .join('-')
    .replace(/^[._]+/, '')
    .slice(0, LONGEST_NAME);
  const problem = name === '' ? 'it has no character that is allowed' : findNameProblem(name, taken);
  if (problem === undefined) return name;
  throw new UsageError(
    `No package can be named after the folder "${folderName}": ${problem}. Give a name with --name.`,
  );
}

/** Throws a UsageError for the name of a folder that Windows cannot have. */
export function checkFolderName(name: string): void {
  const problem = DEVICE.test(name)
    ? 'Windows reserves that name for a device'
    : UNUSABLE_CHARACTERS.test(name)
      ? 'Windows does not allow <>:"|?* or control characters in file names'
      : /[. ]$/.test(name)
        ? 'Windows removes a dot or space at the end'
        : undefined;
  if (problem !== undefined) {
    throw new UsageError(`A folder cannot be named ${JSON.stringify(name)}: ${problem}. Choose another.`);
  }
}

function findNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return `it has more than ${LONGEST_NAME} characters`;
  if (RESERVED_NAMES.has(name)) return 'npm does not allow it';
  if (taken.includes(name)) return 'the project installs a package of that name';
  return NAME.test(name)
    ? undefined
    : 'only lowercase letters, digits, ".", "_", "~" and "-" are allowed, and it must not begin with "." or "_"';
}
