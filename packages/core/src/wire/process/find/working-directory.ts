// Checks the CLI's working directory, because the system reports a missing one as if the program were missing.
import { LaunchError } from '../../../errors.js';
import { hostSystem, type OperatingSystem } from '../operating-system.js';

/**
 * The absolute path of the working directory. Default: that of this process. Throws `LaunchError` CWD_NOT_FOUND if it
 * cannot be entered.
 */
export function checkWorkingDirectory(asked: string | undefined, os: OperatingSystem = hostSystem): string {
  const base = os.workingDirectory();
  if (base === undefined && (asked === undefined || !os.path.isAbsolute(asked))) {
    throw new LaunchError(
      'CWD_NOT_FOUND',
      'The working directory of this process no longer exists. Set the option "cwd" to an absolute path.',
    );
  }
  const path = os.path.resolve(base ?? '', asked ?? '');
  const kind = os.statFile(path)?.kind;
  const refuse = (reason: string): LaunchError =>
    new LaunchError('CWD_NOT_FOUND', `The working directory ${path} (option "cwd") ${reason}.`);
  if (kind === undefined) throw refuse('does not exist');
  if (kind !== 'directory') throw refuse('is not a directory');
  if (os.platform !== 'win32' && !os.canExecute(path)) throw refuse('may not be entered by this user');
  return path;
}
