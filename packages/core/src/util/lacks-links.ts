// Recognizes a file system without links, which is no fault: there is another way for what links are used for.
import { codeOf } from './message-of.js';

/** Their error codes; `EISDIR` is what Windows makes of a function that a file system does not have. */
const CODES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']);

/** Whether a link could not be made because there are none, or because this user may make none. */
export function lacksLinks(error: unknown): boolean {
  return CODES.has(codeOf(error));
}
