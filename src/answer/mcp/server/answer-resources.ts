// The MCP methods about resources. One reading of a resource has one reply and is cancelled like a tool's call.
import { onAbort } from '../../../util/on-abort.js';
import type { CliLink, OpenCall } from '../binding/cli-link.js';
import type { RpcRequest } from '../binding/route-message.js';
import { refuseWith, replyWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import { asError, describeFailure } from '../result/describe-failure.js';
import type { ReadResourceResult, RegisteredResourceEntry, ResourceContext } from './resources.js';
import { readResource } from './compile-resource.js';
import type { ServerCatalog } from './server-catalog.js';

/** Answers `resources/list`, `resources/templates/list` and `resources/read`. */
export function answerResources(
  { link, catalog }: { link: CliLink; catalog: ServerCatalog },
  request: RpcRequest,
  params: Record<string, unknown> | undefined,
): RpcMessage | Promise<RpcMessage> {
  const { id, method } = request;
  const enabled = [...catalog.resources].filter((entry) => entry.enabled);
  if (method === 'resources/list') {
    const resources = enabled.filter((entry) => !entry.isTemplate).map((entry) => entry.listing);
    return replyWith(id, { resources });
  }
  if (method === 'resources/templates/list') {
    const resourceTemplates = enabled
      .filter((entry) => entry.isTemplate)
      .map(({ listing: { uri: uriTemplate, ...rest } }) => ({ uriTemplate, ...rest }));
    return replyWith(id, { resourceTemplates });
  }
  const uri = params?.['uri'];
  if (typeof uri !== 'string') {
    return refuseWith(id, RPC_CODES.invalidParams, 'resources/read needs params with the "uri" as a string');
  }
  return readEntry(link, request, { entries: enabled, uri });
}

function readEntry(
  link: CliLink,
  { id, carrier }: RpcRequest,
  { entries, uri }: { entries: readonly RegisteredResourceEntry[]; uri: string },
): RpcMessage | Promise<RpcMessage> {
  const controller = new AbortController();
  const context: ResourceContext = {
    signal: controller.signal,
    sessionId: link.port.sessionId(),
    server: link.name,
    context: link.context,
  };
  const reading = link.port.scope.runInAsyncScope(() => startReading(entries, uri, context));
  if (!reading) {
    const problem = `The server "${link.name}" has no resource "${uri}"`;
    return refuseWith(id, RPC_CODES.resourceNotFound, problem);
  }
  return new Promise((resolve) => {
    const settle = (reply: RpcMessage): void => {
      link.calls.delete(call);
      stopWatching?.();
      resolve(reply);
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
    link.calls.add(call);
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
  context: ResourceContext,
): Promise<ReadResourceResult> | undefined {
  for (const entry of entries) {
    const reading = readResource(entry, uri, context);
    if (reading) return reading;
  }
  return undefined;
}
