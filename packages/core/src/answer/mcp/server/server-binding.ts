// Binds one server that `createSdkMcpServer` made to one live CLI. It knows what the CLI was told of the server, and notifies
// the CLI of changes. The server itself knows no live CLI.
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { CliLink, type LinkInput } from '../binding/cli-link.js';
import {
  routeMessage,
  type MessageTarget,
  type RpcAnswer,
  type RpcReply,
  type RpcRequest,
} from '../binding/route-message.js';
import type { RpcMessage } from '../binding/rpc-message.js';
import type { ServerNotification } from '../tool/handler-extra.js';
import type { ToolListing } from '../tool/compiled-tool.js';
import { markParallel } from '../tool/parallel-mark.js';
import { loadAtOnce } from '../tool/tool-loading.js';
import { toolName } from '../tool/tool-name.js';
import { answerRequest } from './answer-request.js';
import type { BoundCatalog } from './bound-catalog.js';
import type { CatalogSubscriber, ListKind, ServerCatalog, ToolPage } from './server-catalog.js';

/** A server, bound to a live CLI. Its owner calls `close`. */
export class ServerBinding implements MessageTarget, BoundCatalog, CatalogSubscriber {
  readonly catalog: ServerCatalog;
  readonly link: CliLink;
  readonly watched = new Set<string>();
  /** The params of the CLI's MCP handshake. Undefined before it, and for a CLI that got a manifest instead. */
  handshakeParams: Record<string, unknown> | undefined;
  #announced: { tools: boolean } | undefined;

  constructor(catalog: ServerCatalog, input: LinkInput) {
    this.catalog = catalog;
    this.link = new CliLink(input, catalog.options.context);
    catalog.subscribers.add(this);
  }

  /** The reply to a message, if it has one. */
  answer(message: unknown, carrier?: AnswerContext): RpcReply {
    return routeMessage(this, message, carrier);
  }

  answerRequest(request: RpcRequest): RpcAnswer {
    return answerRequest(this, request);
  }

  takeNotification(method: string): void {
    // The server is ready as soon as it exists, so it only passes this notification on to the program.
    if (method === 'notifications/initialized') this.catalog.connections?.initialized();
  }

  takeResponse(id: JSONRPCId, message: RpcMessage): void {
    this.link.settleRequest(id, message);
  }

  /** One page of the tools. Those that the model shall see from the start are marked, and so are those that are parallel. */
  listTools(cursor?: unknown): ToolPage | undefined {
    const page = this.catalog.listTools(cursor);
    const loaded = this.link.port.chooseLoaded?.();
    if (!page || !(loaded?.size || this.catalog.hasParallelTools)) return page;
    const { name } = this.link;
    const tools = page.tools.map((tool) => {
      const marked = this.#mayMarkParallel(tool) ? markParallel(tool) : tool;
      return loaded?.has(toolName(name, tool)) ? loadAtOnce(marked) : marked;
    });
    return { ...page, tools };
  }

  /** Whether the CLI gets a hint that is not true for this tool. */
  isMarkedParallel(tool: string): boolean {
    const isParallel = this.catalog.findTool(tool)?.parallel === true;
    return isParallel && this.link.port.mayHint?.(toolName(this.link.name, tool)) === true;
  }

  #mayMarkParallel({ name }: ToolListing): boolean {
    if (this.isMarkedParallel(name)) return true;
    if (this.link.port.mayHint && this.catalog.findTool(name)?.parallel)
      this.link.warn({
        code: 'PARALLEL_TOOL_LATE',
        tool: name,
        message: `The tool "${name}" is parallel, but it was added after the session began: the CLI runs its calls one after another`,
      });
    return false;
  }

  noteHandshake(params?: Record<string, unknown>): void {
    this.#announced = { tools: this.catalog.listings.length > 0 || this.catalog.options.toolsMayChange };
    if (params) this.handshakeParams = params;
  }

  noteListChange(kind: ListKind): void {
    if (!this.#announced || this.link.closedBy) return;
    if (kind === 'tools' && !this.#announced.tools) {
      this.link.warn({
        code: 'TOOLS_NOT_ANNOUNCED',
        message: `Tools were added to the server "${this.link.name}", which had none when the session began; the CLI does not ask such a server for its tools. Create it with a tool, or with toolsMayChange: true`,
      });
    }
    this.notify({ method: `notifications/${kind}/list_changed` }).catch(() => {});
  }

  noteUpdate(uri: string): void {
    const isWanted = this.watched.has(uri) || this.link.port.hearsAllUpdates === true;
    if (!isWanted || this.link.closedBy) return;
    this.notify({ method: 'notifications/resources/updated', params: { uri } }).catch(() => {});
  }

  notify(notification: ServerNotification): Promise<void> {
    return this.link.notify(notification);
  }

  get isIdle(): boolean {
    return this.link.calls.size === 0;
  }

  /** Stops notifications of changes. Running calls may finish. */
  retire(): void {
    this.catalog.subscribers.delete(this);
  }

  /** Cancels the running calls. Later messages are refused with `reason`. */
  close(reason: Error): void {
    const isOpen = this.link.closedBy === undefined;
    this.retire();
    this.link.close(reason);
    if (isOpen) this.catalog.connections?.closed();
  }
}
