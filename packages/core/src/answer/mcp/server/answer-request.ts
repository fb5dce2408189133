// Answers the MCP requests to a server that `createSdkMcpServer` made. `running-tool-call` runs a tool, and `answer-offer`
// answers requests about prompts and resources.
import { quoteInput } from '../../../util/bounded-text.js';
import { isRecord } from '../../../util/guards.js';
import { findNearestName } from '../../../util/nearest-name.js';
import type { RpcAnswer, RpcRequest } from '../binding/route-message.js';
import { readParams, refuseWith, replyWith, RPC_CODES } from '../binding/rpc-message.js';
import { RunningToolCall } from '../call/running-tool-call.js';
import { errorResult } from '../result/content-helpers.js';
import { answerOffer } from './answer-offer.js';
import type { BoundCatalog } from './bound-catalog.js';

/** Answers one request. Returns the reply now or later. A promise never rejects. */
export function answerRequest(server: BoundCatalog, request: RpcRequest): RpcAnswer {
  const { id, method } = request;
  const { catalog, link } = server;
  const params = readParams(request);
  switch (method) {
    case 'tools/call':
      return callTool(server, request, params);
    case 'initialize':
      server.noteHandshake(params);
      return replyWith(id, catalog.describe(params?.['protocolVersion']));
    case 'ping':
      return replyWith(id, {});
    case 'tools/list': {
      const cursor = params?.['cursor'];
      const page = server.listTools(cursor);
      if (page) return replyWith(id, page);
      const problem = `There is no page of tools for the cursor ${quoteInput(cursor)}`;
      return refuseWith(id, RPC_CODES.invalidParams, problem);
    }
  }
  const offered = answerOffer(server, request);
  if (offered) return offered;
  const problem = `Method not found: the server "${link.name}" does not know ${quoteInput(method)}`;
  return refuseWith(id, RPC_CODES.methodNotFound, problem);
}

function callTool(
  { link, catalog }: BoundCatalog,
  { id, carrier }: RpcRequest,
  params: Record<string, unknown> | undefined,
): RpcAnswer {
  const name = params?.['name'];
  if (typeof name !== 'string') {
    const problem = 'tools/call needs params with the "name" of the tool as a string';
    return refuseWith(id, RPC_CODES.invalidParams, problem);
  }
  const tool = catalog.findTool(name);
  if (!tool) return replyWith(id, errorResult(explainMissing(link.name, name, catalog.toolNames)));
  if (!tool.enabled) {
    return replyWith(id, errorResult(`The tool "${name}" of the server "${link.name}" is disabled`));
  }
  const meta = params?.['_meta'];
  const call = new RunningToolCall({ link, tool, id, meta: isRecord(meta) ? meta : undefined, carrier });
  return call.answer(params?.['arguments']);
}

function explainMissing(server: string, name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return `The server "${server}" has no tool named ${quoteInput(name)}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}
