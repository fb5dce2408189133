// The name under which this machine's user answers and completes.
import { userInfo } from 'node:os';

/** The user's name, or that of the command where the user has none. */
export function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return 'inboard cluster';
  }
}
