// One reading of a resource, from its request to its one answer; cancelled like a tool's call.
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { onAbort } from '../../../util/on-abort.js';
import { asError, describeFailure } from '../result/describe-failure.js';
import { readResource, type ReadResourceResult, type RegisteredResourceEntry } from './resources.js';
import { refuseWith, replyWith, RPC_CODES } from './rpc-reply.js';
import type { CallHost, OpenCall } from '../call/call-host.js';

interface ReadInput {
  host: CallHost;
  entries: readonly RegisteredResourceEntry[];
  id: JSONRPCId;
  uri: string;
  carrier: AnswerContext | undefined;
}

/** Reads the resource with the uri; a promise of the wrapped reply that never rejects. */
export function answerRead({ host, entries, id, uri, carrier }: ReadInput): unknown {
  const controller = new AbortController();
  const context = {
    signal: controller.signal,
    sessionId: host.sessionId,
    server: host.name,
    context: host.context,
  };
  const reading = host.scope.runInAsyncScope(() => startReading(entries, uri, context));
  if (!reading) {
    return host.wrap(
      refuseWith(id, RPC_CODES.resourceNotFound, `The server "${host.name}" has no resource "${uri}"`),
    );
  }
  return new Promise((resolve) => {
    const settle = (reply: object): void => {
      host.calls.delete(call);
      stopWatching?.();
      resolve(host.wrap(reply));
    };
    const call: OpenCall = {
      id,
      cancel(reason) {
        controller.abort(reason);
        settle(refuseWith(id, RPC_CODES.internalError, `Reading "${uri}" was cancelled: ${reason.message}`));
      },
    };
    const stopWatching =
      carrier && onAbort(carrier.signal, () => call.cancel(asError(carrier.signal.reason)));
    host.calls.add(call);
    reading.then(
      (result) => settle(replyWith(id, result)),
      (error: unknown) =>
        settle(refuseWith(id, RPC_CODES.internalError, `Reading "${uri}" failed: ${describeFailure(error)}`)),
    );
  });
}

function startReading(
  entries: readonly RegisteredResourceEntry[],
  uri: string,
  context: Parameters<typeof readResource>[2],
): Promise<ReadResourceResult> | undefined {
  for (const entry of entries) {
    const reading = readResource(entry, uri, context);
    if (reading) return reading;
  }
  return undefined;
}
