// Loads the official MCP library, an optional peer, when something is served. The types that are used of it are restated
// here, so that a program compiles without the library.
import { createRequire } from 'node:module';
import { CommandError } from '../terminal/usage-error.js';

/** What we know of a client over HTTP; the library passes it on to the handlers of its requests. */
export interface McpAuth {
  token: string;
  clientId: string;
  scopes: string[];
  extra: { context: unknown };
}

/** What a handler receives besides its request. */
export interface McpContext {
  http?: { authInfo?: McpAuth };
  mcpReq: {
    _meta?: Record<string, unknown>;
    signal: AbortSignal;
    notify(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
    send(request: { method: string; params?: Record<string, unknown> }): Promise<Record<string, unknown>>;
    log(level: string, data: unknown, logger?: string): Promise<void>;
  };
}

/** A request as the library gives it to a handler. */
export interface McpRequest {
  method: string;
  params?: Record<string, unknown>;
}

/** The library's low-level server: one per client. */
export interface McpServer {
  onclose?: (() => void) | undefined;
  setRequestHandler(
    method: string,
    handler: (request: McpRequest, context: McpContext) => Promise<Record<string, unknown>>,
  ): void;
  connect(transport: object): Promise<void>;
  notification(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
  close(): Promise<void>;
}

/** A transport of the library for streamable HTTP with sessions. */
export interface HttpTransport {
  sessionId?: string;
  onclose?: (() => void) | undefined;
  handleRequest(request: Request, options?: { authInfo?: McpAuth }): Promise<Response>;
  close(): Promise<void>;
}

/** What is used of `@modelcontextprotocol/server`. */
export interface McpLibrary {
  Server: new (info: object, options: { capabilities: object; instructions?: string }) => McpServer;
  ProtocolError: new (code: number, message: string, data?: unknown) => Error;
  WebStandardStreamableHTTPServerTransport: new (options: {
    sessionIdGenerator: () => string;
    onsessioninitialized: (sessionId: string) => void;
    onsessionclosed: (sessionId: string) => void;
  }) => HttpTransport;
  createMcpHandler: (
    factory: () => McpServer,
    options: { legacy: 'reject'; onerror?: (error: Error) => void },
  ) => {
    fetch: (request: Request, options?: { authInfo?: McpAuth }) => Promise<Response>;
    close: () => Promise<void>;
    notify: {
      toolsChanged(): void;
      resourcesChanged(): void;
      promptsChanged(): void;
      resourceUpdated(uri: string): void;
    };
  };
  isLegacyRequest: (request: Request) => Promise<boolean>;
  localhostAllowedHostnames: () => string[];
  hostHeaderValidationResponse: (request: Request, allowed: string[]) => Response | undefined;
  originValidationResponse: (request: Request, allowed: string[]) => Response | undefined;
}

/** What is used of `@modelcontextprotocol/server/stdio`. */
export interface McpStdio {
  StdioServerTransport: new (stdin: unknown, stdout: unknown, options: { maxBufferSize: number }) => object;
  serveStdio: (
    factory: () => McpServer,
    options: { transport: object; onerror?: (error: Error) => void },
  ) => { close(): Promise<void> };
}

const NAME = '@modelcontextprotocol/server';

/** Loads the library from the project of the tools file, or else from beside this package. Throws a CommandError if there is none. */
export function loadMcpLibrary(file: string): { library: McpLibrary; stdio: McpStdio } {
  const failures: unknown[] = [];
  for (const from of [file, import.meta.url]) {
    const require = createRequire(from);
    try {
      return { library: require(NAME) as McpLibrary, stdio: require(`${NAME}/stdio`) as McpStdio };
    } catch (error) {
      failures.push(error);
    }
  }
  const broken = failures.find((error) => (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND');
  throw new CommandError(
    'MCP_LIBRARY_MISSING',
    broken === undefined
      ? `Serving needs the official MCP library. Install it with "npm install ${NAME}@^2.4.0".`
      : `The official MCP library could not be loaded: ${broken instanceof Error ? broken.message : 'it is broken'}. Install it again with "npm install ${NAME}@^2.4.0".`,
    { cause: failures[0] },
  );
}
