// Lets other sessions of a group run in the place of a call's session while the call waits for a person or for its result.
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { CliLink } from '../binding/cli-link.js';

/** Waits for the answer without the session's place. The gate of the tool is not left. */
export async function lendPlace<T>(
  { port }: CliLink,
  carrier: AnswerContext | undefined,
  answer: PromiseLike<T>,
): Promise<T> {
  return await (port.wait && carrier ? port.wait(carrier.requestId, answer) : answer);
}

/** Waits for a person on behalf of a handler. The wait is recorded where the session records its calls. */
export async function waitForPerson<T>(
  link: CliLink,
  carrier: AnswerContext | undefined,
  { answer, isOver }: { answer: PromiseLike<T>; isOver: () => boolean },
): Promise<T> {
  const { recordWait } = link.port;
  const lent = lendPlace(link, carrier, answer);
  if (!recordWait || !carrier) return await lent;
  return await recordWait(carrier.requestId, { answer: lent, isOver });
}
