// The warnings about malformed lines and messages.
import { WireError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';

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

/** The warning for a message with parts that cannot be read, such as an object in the place of a text. */
export function describeUnread(error: unknown, line: string): WireError {
  return new WireError(
    'MALFORMED_FRAME',
    `A message from the CLI could not be read in all its parts: ${messageOf(error)}. It begins: ${JSON.stringify(line.slice(0, 200))}`,
    { cause: error },
  );
}
