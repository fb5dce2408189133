// Makes the ids of a copied reply and its calls. When the CLI has given the calls of a reply false results, the reply is
// written into the transcript again, on a branch of its own. A call and its copy count as one call, so this file also
// tells which ids belong together.
import { digest } from '../../../util/digest.js';

const CALL_PREFIX = 'toolu_copy_';
const REPLY_PREFIX = 'msg_copy_';
const DIGITS = 24;

/** The id of a call in the copy of its reply. It is always the same for the same call. */
export function copiedCallId(toolUseId: string): string {
  return `${CALL_PREFIX}${digest(toolUseId).slice(0, DIGITS)}`;
}

/** The id of the copy of a reply. */
export function copiedReplyId(messageId: string): string {
  return `${REPLY_PREFIX}${digest(messageId).slice(0, DIGITS)}`;
}

/** Whether `toolUseId` is the id of the copy of the call `original`. */
export function isCopyOfCall(toolUseId: string, original: string): boolean {
  // The prefix is checked first, because digests cost more and copies are rare.
  return toolUseId.startsWith(CALL_PREFIX) && toolUseId === copiedCallId(original);
}

/** Whether `messageId` is the id of the copy of the reply `original`. */
export function isCopyOfReply(messageId: string, original: string): boolean {
  return messageId.startsWith(REPLY_PREFIX) && messageId === copiedReplyId(original);
}
