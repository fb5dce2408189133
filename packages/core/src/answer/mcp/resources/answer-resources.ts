// Answers the MCP methods about resources. This file is loaded with the first such request.
import { quoteInput } from '../../../util/bounded-text.js';
import { asString } from '../../../util/guards.js';
import { refuseWith, replyWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import type { OfferRequest } from '../server/offer-request.js';
import { readResource } from './read-resource.js';
import type { ListedResource, RegisteredResourceEntry } from './resources.js';

/** Answers every method that begins with `resources/`; undefined for one that MCP does not have. */
export async function answerResources(request: OfferRequest): Promise<RpcMessage | undefined> {
  const { id, method, catalog } = request;
  const enabled = [...catalog.resources].filter((entry) => entry.enabled);
  switch (method) {
    case 'resources/list':
      return replyWith(id, { resources: await listResources(enabled, request) });
    case 'resources/templates/list': {
      const resourceTemplates = enabled
        .filter((entry) => entry.isTemplate)
        .map(({ listing: { uri: uriTemplate, ...rest } }) => ({ uriTemplate, ...rest }));
      return replyWith(id, { resourceTemplates });
    }
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return await answerUri(request, enabled);
  }
  return undefined;
}

async function listResources(
  entries: readonly RegisteredResourceEntry[],
  { context }: OfferRequest,
): Promise<ListedResource[]> {
  const lists = entries.map(async (entry): Promise<readonly ListedResource[]> => {
    if (!entry.isTemplate) return [entry.listing];
    const { uri: _uri, ...common } = entry.listing;
    return ((await entry.list?.(context)) ?? []).map((listed) => ({ ...common, ...listed }));
  });
  return (await Promise.all(lists)).flat();
}

async function answerUri(
  { id, method, params, catalog, context, watched }: OfferRequest,
  entries: readonly RegisteredResourceEntry[],
): Promise<RpcMessage> {
  const uri = asString(params?.['uri']);
  if (uri === undefined) {
    return refuseWith(id, RPC_CODES.invalidParams, `${method} needs params with the "uri" as a string`);
  }
  if (method === 'resources/unsubscribe') {
    watched.delete(uri);
    return replyWith(id, {});
  }
  const entry = entries.find((candidate) => candidate.match(uri) !== null);
  if (!entry) {
    const problem = `The server "${catalog.options.name}" has no resource ${quoteInput(uri)}`;
    return refuseWith(id, RPC_CODES.resourceNotFound, problem);
  }
  if (method === 'resources/subscribe') {
    watched.add(uri);
    return replyWith(id, {});
  }
  return replyWith(id, await readResource(entry, uri, context));
}
