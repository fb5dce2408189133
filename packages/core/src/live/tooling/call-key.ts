// The key of a tool call: a digest of everything that stays the same when the call is made again after a restart.
import { canonicalJson } from '../../util/canonical-json.js';
import { digest } from '../../util/digest.js';

/** What equal calls of one message have in common. */
export interface CallFamily {
  readonly conversation: string;
  /** Names the user's message whose turn makes the call. */
  readonly message: string;
  readonly toolName: string;
  /** Of `digestInput`. */
  readonly input: string;
}

/** How the first message of a conversation is called in keys: it may go to the CLI without an id. */
export const FIRST_MESSAGE = 'first';

/** How the message of a turn is called in keys, as its transcript tells it. */
export function nameTurn({ isFirst, firstUuid }: { isFirst: boolean; firstUuid: string }): string {
  return isFirst ? FIRST_MESSAGE : firstUuid;
}

/** Stands for the input of a call. */
export function digestInput(input: unknown): string {
  return digest(canonicalJson(input));
}

/** Letters, digits and `_` only, always of about the same length: fit for file names and for idempotency keys. */
export function createCallKey(
  { conversation, message, toolName, input }: CallFamily,
  ordinal: number,
): string {
  return `call_${digest(JSON.stringify([conversation, message, toolName, input]))}_${ordinal}`;
}

/** What the keys of equal calls of one message have in common. */
export function familyOfKey(callKey: string): string {
  return callKey.slice(0, callKey.lastIndexOf('_'));
}
