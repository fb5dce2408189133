// What is said of lines that are not as they should be.
import { WireError } from '../../errors.js';

/** Of one that was read after all, without what was around it. */
export function describePadding(characters: number): WireError {
  return new WireError(
    'PADDED_LINE',
    `A line from the CLI had ${characters} characters of padding around it (NUL bytes); it was read without them`,
  );
}

/** Of one that was left out. */
export function describeMalformed(reason: string, line: string): WireError {
  return new WireError(
    reason.startsWith('it is not JSON') ? 'MALFORMED_LINE' : 'MALFORMED_FRAME',
    `A line from the CLI was left out: ${reason}. It begins: ${JSON.stringify(line.slice(0, 200))}`,
  );
}
