// The context object that a handler gets. It reads everything from the call that it is made for.
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { LogLevel, ToolProgress } from './tool-events.js';
import type {
  ServerNotification,
  ServerRequest,
  ServerRequestOptions,
  ResultParser,
  HandlerExtra,
} from './handler-extra.js';

/** The call behind a context. */
export interface ContextCall {
  readonly id: JSONRPCId;
  readonly toolUseId: string | undefined;
  readonly identity: CallIdentity;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly server: string;
  readonly toolName: string;
  readonly meta: Record<string, unknown> | undefined;
  readonly context: unknown;
  readonly signal: AbortSignal;
  /** Called when the handler reads a context that is not set. */
  noteMissingContext(): void;
  reportProgress(update: number | string | ToolProgress): void;
  writeLog(level: LogLevel, data: unknown): void;
  wait<T>(answer: PromiseLike<T>): Promise<T>;
  sendNotification(notification: ServerNotification): Promise<void>;
  sendRequest(request: ServerRequest, options: ServerRequestOptions): Promise<unknown>;
}

/** The context of one call. */
export class HandlerContext implements HandlerExtra {
  declare readonly signal: AbortSignal;
  declare readonly callKey: string;
  declare readonly attempt: number;
  declare readonly context: unknown;
  readonly requestId: JSONRPCId;
  readonly toolUseId: string | undefined;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly server: string;
  readonly tool: string;
  readonly _meta: Record<string, unknown> | undefined;
  readonly authInfo = undefined;
  readonly requestInfo = undefined;
  readonly #call: ContextCall;

  // These properties are own and enumerable, so that `{ ...extra }` keeps them. They are getters, because each value costs
  // as much as the rest of a call, and most handlers never read it. The descriptors are made once, and the constructor
  // defines the properties one by one, because `defineProperties` takes three times as long.
  static readonly #signal = createGetter((context) => context.#call.signal);
  static readonly #callKey = createGetter((context) => context.#call.identity.callKey);
  static readonly #attempt = createGetter((context) => context.#call.identity.attempt);
  // This one is not enumerable, because `{ ...extra }` would otherwise count as reading the context. The copy loses
  // nothing, because there is no context.
  static readonly #noContext = {
    ...createGetter((context) => {
      context.#call.noteMissingContext();
      return context.#call.context;
    }),
    enumerable: false,
  };

  constructor(call: ContextCall) {
    this.#call = call;
    this.requestId = call.id;
    this.toolUseId = call.toolUseId;
    this.sessionId = call.sessionId;
    this.agentId = call.agentId;
    this.server = call.server;
    this.tool = call.toolName;
    this._meta = call.meta;
    Object.defineProperty(this, 'signal', HandlerContext.#signal);
    Object.defineProperty(this, 'callKey', HandlerContext.#callKey);
    Object.defineProperty(this, 'attempt', HandlerContext.#attempt);
    const { context } = call;
    if (context === undefined || context === null)
      Object.defineProperty(this, 'context', HandlerContext.#noContext);
    else this.context = context;
  }

  readonly progress: HandlerExtra['progress'] = (update) => this.#call.reportProgress(update);

  readonly log: HandlerExtra['log'] = (...line) => {
    if (line.length === 1) this.#call.writeLog('info', line[0]);
    else this.#call.writeLog(line[0], line[1]);
  };

  readonly waitForPerson: HandlerExtra['waitForPerson'] = (answer) => this.#call.wait(answer);

  readonly sendNotification: HandlerExtra['sendNotification'] = (notification) =>
    this.#call.sendNotification(notification);

  readonly sendRequest: HandlerExtra['sendRequest'] = async <T>(
    request: ServerRequest,
    resultSchema?: ResultParser<T>,
    options: ServerRequestOptions = {},
  ): Promise<T> => {
    const answer = await this.#call.sendRequest(request, options);
    return resultSchema ? resultSchema.parse(answer) : (answer as T);
  };
}

function createGetter(read: (context: HandlerContext) => unknown): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: HandlerContext) {
      return read(this);
    },
  };
}
