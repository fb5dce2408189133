// Makes the key of a tool call: a digest of everything that stays the same when the call is made again after a
// restart.
import { canonicalJson } from '../../util/canonical-json.js';
import { digest } from '../../util/digest.js';

/** The properties that equal calls of one message share. */
export interface CallFamily {
  readonly conversation: string;
  /** The name of the user's message whose turn makes the call. */
  readonly message: string;
  readonly toolName: string;
  /** The digest that `digestInput` made. */
  readonly input: string;
}

/** The name of a conversation's first message in keys. That message may be sent to the CLI without an id. */
export const FIRST_MESSAGE = 'first';

/**
 * The name that keys use for the message of a turn that was read from the transcript. `isFirst` says that it is the first turn
 * of the conversation. `firstUuid` is the id of the first message of the turn, because a turn may answer several together.
 */
export function nameTurn({ isFirst, firstUuid }: { isFirst: boolean; firstUuid: string }): string {
  return isFirst ? FIRST_MESSAGE : firstUuid;
}

/** Makes the digest that stands for the input of a call. */
export function digestInput(input: unknown): string {
  return digest(canonicalJson(input));
}

/**
 * Makes the key. It has only letters, digits and `_`, and always about the same length, so it suits file names and
 * idempotency keys.
 */
export function createCallKey(
  { conversation, message, toolName, input }: CallFamily,
  ordinal: number,
): string {
  return `call_${digest(JSON.stringify([conversation, message, toolName, input]))}_${ordinal}`;
}

/** The part of a key that equal calls of one message share. */
export function familyOfKey(callKey: string): string {
  return callKey.slice(0, callKey.lastIndexOf('_'));
}
