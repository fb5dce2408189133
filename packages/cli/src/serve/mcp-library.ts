// Loads the official MCP library, an optional peer dependency, when something is served. The library's types are
// repeated here as far as they are used, so that a program compiles without the library.
import { createRequire } from 'node:module';
import { CommandError } from '../terminal/usage-error.js';

/** What we know of a client over HTTP. The library passes it on to the handlers of the client's requests. */
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

/** The library's low-level server. Each serves one client. */
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

/** The parts of `@modelcontextprotocol/server` that are used. */
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

/** The parts of `@modelcontextprotocol/server/stdio` that are used. */
export interface McpStdio {
  StdioServerTransport: new (stdin: unknown, stdout: unknown, options: { maxBufferSize: number }) => object;
  serveStdio: (
    factory: () => McpServer,
    options: { transport: object; onerror?: (error: Error) => void },
  ) => { close(): Promise<void> };
}

const NAME = '@modelcontextprotocol/server';

/**
 * Loads the library as the tools file would find it, or else as this package finds it. Throws a CommandError if there
 * is none.
 */
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
