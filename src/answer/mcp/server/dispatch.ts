// JSON-RPC routing of a server of ours: which message gets which answer. Knows the methods; running tools
// and carrying answers is others' business.
import { isRecord } from '../../../util/guards.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { findNearestName } from '../../../util/nearest-name.js';
import { answerRead } from './read-call.js';
import {
  readCancellation,
  readParams,
  refuseWith,
  replyWith,
  routeMessage,
  RPC_CODES,
  type RpcMessage,
} from './rpc-reply.js';
import type { ServerCatalog } from './server-catalog.js';
import type { CallHost } from '../call/call-host.js';
import { ToolCall } from '../call/tool-call.js';
import { errorResult } from '../result/tool-content.js';

/** The session on whose behalf messages are answered. */
export interface DispatchHost extends CallHost {
  readonly catalog: ServerCatalog;
  /** The other side has learnt what the server is; from now on it wants to hear of changes. */
  noteHandshake(params: Record<string, unknown> | undefined): void;
  noteInitialized(): void;
  /** An answer to a request of ours came in. */
  settleRequest(id: JSONRPCId, message: RpcMessage): void;
}

/**
 * Answers one message: the wrapped reply, a promise of it that does not reject, or undefined when
 * JSON-RPC has no answer to it. Throws a WireError for what is no message at all.
 */
export function dispatch(host: DispatchHost, message: unknown, carrier?: AnswerContext): unknown {
  const routing = routeMessage(message);
  switch (routing.kind) {
    case 'request':
      return answerRequest(host, {
        id: routing.id,
        method: routing.method,
        message: message as RpcMessage,
        carrier,
      });
    case 'notification':
      takeNotification(host, routing.method, message as RpcMessage);
      return undefined;
    case 'response':
      host.settleRequest(routing.id, message as RpcMessage);
      return undefined;
    case 'invalid':
      return host.wrap(routing.reply);
    case 'batch':
      // MCP has had no batches since 2025-06-18 and the CLI sends none; running one unasked would be worse.
      host.warn({
        code: 'BATCH_IGNORED',
        message: `A batch of JSON-RPC messages came for the server "${host.name}" and was not run: MCP has no batches`,
      });
      return undefined;
    default:
      return undefined;
  }
}

interface Asked {
  id: JSONRPCId;
  method: string;
  message: RpcMessage;
  carrier: AnswerContext | undefined;
}

function answerRequest(host: DispatchHost, asked: Asked): unknown {
  const { id, method, message } = asked;
  const { catalog } = host;
  const params = readParams(message);
  switch (method) {
    case 'tools/call':
      return callTool(host, asked, params);
    case 'initialize':
      host.noteHandshake(params);
      return host.wrap(replyWith(id, catalog.describe(params?.['protocolVersion'])));
    case 'ping':
      return host.wrap(replyWith(id, {}));
    case 'tools/list': {
      const page = catalog.listTools(params?.['cursor']);
      return host.wrap(
        page
          ? replyWith(id, page)
          : refuseWith(
              id,
              RPC_CODES.invalidParams,
              `There is no page of tools at the cursor "${String(params?.['cursor'])}"`,
            ),
      );
    }
    case 'resources/list':
    case 'resources/templates/list':
    case 'resources/read':
      if (catalog.hasResources) return answerResources(host, asked, params);
  }
  return host.wrap(
    refuseWith(
      id,
      RPC_CODES.methodNotFound,
      `Method not found: the server "${host.name}" does not know "${method}"`,
    ),
  );
}

function callTool(
  host: DispatchHost,
  { id, carrier }: Asked,
  params: Record<string, unknown> | undefined,
): unknown {
  const name = params?.['name'];
  if (typeof name !== 'string') {
    return host.wrap(
      refuseWith(
        id,
        RPC_CODES.internalError,
        'tools/call needs params with the "name" of the tool as a string',
      ),
    );
  }
  const tool = host.catalog.findTool(name);
  if (!tool?.enabled)
    return host.wrap(replyWith(id, errorResult(explainMissing(host, name, tool !== undefined))));
  const meta = params?.['_meta'];
  const call = new ToolCall({ host, tool, id, meta: isRecord(meta) ? meta : undefined, carrier });
  return call.answer(params?.['arguments']);
}

function explainMissing(host: DispatchHost, name: string, isDisabled: boolean): string {
  if (isDisabled) return `The tool "${name}" of the server "${host.name}" is disabled`;
  const nearest = findNearestName(name, host.catalog.toolNames);
  return `The server "${host.name}" has no tool named "${name}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

function answerResources(
  host: DispatchHost,
  asked: Asked,
  params: Record<string, unknown> | undefined,
): unknown {
  const { id, method, carrier } = asked;
  const enabled = [...host.catalog.resources].filter((entry) => entry.enabled);
  if (method === 'resources/list') {
    const resources = enabled.filter((entry) => !entry.isTemplate).map((entry) => entry.listing);
    return host.wrap(replyWith(id, { resources }));
  }
  if (method === 'resources/templates/list') {
    const resourceTemplates = enabled
      .filter((entry) => entry.isTemplate)
      .map(({ listing: { uri: uriTemplate, ...rest } }) => ({ uriTemplate, ...rest }));
    return host.wrap(replyWith(id, { resourceTemplates }));
  }
  const uri = params?.['uri'];
  if (typeof uri !== 'string') {
    return host.wrap(
      refuseWith(id, RPC_CODES.invalidParams, 'resources/read needs params with the "uri" as a string'),
    );
  }
  return answerRead({ host, entries: enabled, id, uri, carrier });
}

function takeNotification(host: DispatchHost, method: string, message: RpcMessage): void {
  if (method === 'notifications/initialized') host.noteInitialized();
  if (method !== 'notifications/cancelled') return;
  const { requestId, reason } = readCancellation(message);
  for (const call of host.calls) if (call.id === requestId) call.cancel(reason);
}
