// Sends our control requests: after the handshake request and in order, only what the CLI's version knows, and none
// once its input has ended. Waiting for the reply is left to the channel.
import { SessionClosedError } from '../errors.js';
import type { Channel, RequestOptions } from '../wire/channel/channel.js';
import { checkControl, explainRefusal } from './controls/control-versions.js';
import type { InputLifetime } from './input/input-lifetime.js';
import type { LiveState } from './live-state.js';

/** Resolves with the CLI's reply; rejects with a typed error when there will be none. */
export type RequestSender = (request: { subtype: string }, options?: RequestOptions) => Promise<unknown>;

/** Makes the sender of one live CLI. */
export function createRequestSender(
  state: LiveState,
  channel: Channel,
  lifetime: InputLifetime,
): RequestSender {
  return async (request, options) => {
    await state.launched.promise;
    if (lifetime.inputEnded)
      throw new SessionClosedError('The session’s input has ended; the CLI takes no more requests');
    checkControl(request.subtype, state.version);
    return await channel.request(request, options).catch((error: unknown) => {
      throw explainRefusal(error, state.version);
    });
  };
}
