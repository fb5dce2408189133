// The warnings about malformed lines.
import { WireError } from '../../errors.js';

/** The warning for a line that was read after its padding was removed. */
export function describePadding(characters: number): WireError {
  return new WireError(
    'PADDED_LINE',
    `A line from the CLI had ${characters} characters of padding around it (NUL bytes); it was read without them`,
  );
}

/** The warning for a line that was dropped. */
export function describeMalformed(reason: string, line: string): WireError {
  return new WireError(
    reason.startsWith('it is not JSON') ? 'MALFORMED_LINE' : 'MALFORMED_FRAME',
    `A line from the CLI was left out: ${reason}. It begins: ${JSON.stringify(line.slice(0, 200))}`,
  );
}
