// What a message asks for that the CLI at hand does not know: an old CLI would do the opposite without a word.
import { UnsupportedOptionError } from '../../errors.js';
import { reaches } from '../../options/launch/option-versions.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** Found by trying: 2.1.109 asks the model. */
const SHOULD_QUERY_SINCE = '2.1.110';

/** Throws an UnsupportedOptionError for a message this version would misread. */
export function checkMessage(message: SDKUserMessage, version: string | undefined): void {
  if (message.shouldQuery !== false || reaches(version, SHOULD_QUERY_SINCE)) return;
  throw new UnsupportedOptionError(
    'shouldQuery: false (of a message)',
    String(version),
    SHOULD_QUERY_SINCE,
    'It would ask the model all the same.',
  );
}
