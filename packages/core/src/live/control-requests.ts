// Sends our control requests in order, after the handshake request. It refuses a request that the CLI's version does
// not know, and any request once the CLI's input has ended. An interrupt is sent after the prompt that it is to stop. The channel waits for the reply. A request to a CLI that
// stays idle and silent for too long fails here.
import { ControlTimeoutError, SessionClosedError } from '../errors.js';
import type { Channel, RequestOptions } from '../wire/channel/channel.js';
import { createRequestId } from '../wire/channel/outbound-requests.js';
import { checkControl, explainRefusal, isKnownToAll, takesLong } from './controls/control-versions.js';
import type { InputLifetime } from './input/input-lifetime.js';
import type { FirstPrompt, InputHolds } from './input/input-state.js';
import type { EndView, ProgressView } from './live-state.js';
import type { VersionView } from './live-version.js';

/** Silence of an idle CLI after which a request counts as unanswered. */
const ANSWER_MS = 60_000;
/** The longer silence for requests that may wait for a person, a model, a tool or the network. */
const LONG_ANSWER_MS = 600_000;

/** Resolves with the CLI's reply. Rejects with a typed error when there will be none. */
export type RequestSender = (request: { subtype: string }, options?: RequestOptions) => Promise<unknown>;

/** The parts of the CLI's state that a sender reads, and the holds with which it keeps the input open. */
interface SenderState {
  progress: ProgressView;
  version: VersionView;
  end: EndView;
  prompt: Pick<FirstPrompt, 'isToBegin' | 'begun'>;
  holds: InputHolds;
}

/** Makes the sender of one live CLI. */
export function createRequestSender(
  state: SenderState,
  channel: Channel,
  lifetime: InputLifetime,
): RequestSender {
  const awaitVersion = createVersionWait(state, lifetime);
  const { progress, prompt, version } = state;
  return async (request, options) => {
    // The request is sent in the caller's own tick where possible, because the input may be about to end.
    if (!progress.isLaunched) await progress.launched;
    // An idle CLI that reads an interrupt together with its prompt, or before it, goes on with the prompt.
    if (request.subtype === 'interrupt' && prompt.isToBegin) await prompt.begun;
    const waiting = awaitVersion(request.subtype);
    if (waiting) await waiting;
    if (lifetime.inputEnded)
      throw new SessionClosedError('The session’s input has ended; the CLI accepts no more requests');
    checkControl(request.subtype, version.known);
    const { subtype } = request;
    const requestId = options?.requestId ?? createRequestId();
    const limitMs = takesLong(subtype) ? LONG_ANSWER_MS : ANSWER_MS;
    const forget = watchSilence(lifetime, limitMs, () =>
      channel.expire(requestId, new ControlTimeoutError(subtype, limitMs, 'of silence while idle')),
    );
    lifetime.asks();
    try {
      return await channel.request(request, { ...options, requestId });
    } catch (error) {
      throw explainRefusal(error, version.known);
    } finally {
      forget();
    }
  };
}

/**
 * Gives a function that returns a promise if a request has to wait until the CLI's version is known. The wait is
 * needed because an old CLI does not answer requests it does not know. Requests that come meanwhile wait too, so the
 * order is kept. The input stays open during the wait.
 */
function createVersionWait(
  { end, version, holds }: SenderState,
  lifetime: InputLifetime,
): (subtype: string) => Promise<void> | undefined {
  let learning: Promise<void> | undefined;
  let waiting = 0;
  return (subtype) => {
    if (waiting === 0) {
      const isNeeded = !end.isEnding && !lifetime.inputEnded && !isKnownToAll(subtype);
      learning = isNeeded ? version.learn() : undefined;
    }
    if (!learning) return undefined;
    waiting += 1;
    const release = holds.hold();
    return learning.then(() => {
      waiting -= 1;
      release();
      // By the next round of the event loop the request is open or has failed.
      setImmediate(() => lifetime.reconsider());
    });
  };
}

/** Calls back once the CLI has been idle and silent for `limitMs`. Gives the function that ends the watch. */
function watchSilence(lifetime: InputLifetime, limitMs: number, onSilent: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (ms: number): void => {
    // The child keeps the host alive; the timer alone must not.
    timer = setTimeout(expire, ms).unref();
  };
  const expire = (): void => {
    const missingMs = lifetime.isBetweenTurns ? limitMs - lifetime.silentMs : limitMs;
    if (missingMs > 1) arm(missingMs);
    else onSilent();
  };
  arm(limitMs);
  return () => clearTimeout(timer);
}
