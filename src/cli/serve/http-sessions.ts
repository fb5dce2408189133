// Sessions of clients that speak the 2025 protocol: a transport and a server for each.
import { randomUUID } from 'node:crypto';
import type { Bridge } from './bridge.js';
import type { HttpTransport, McpLibrary } from './mcp-library.js';

// Clients may leave without closing their session, so that the oldest must go at some time.
const MAX_SESSIONS = 256;

/** The open sessions. Whoever creates them closes them. */
export class HttpSessions {
  readonly #bridge: Bridge;
  readonly #library: McpLibrary;
  readonly #open = new Map<string, HttpTransport>();

  constructor(bridge: Bridge, library: McpLibrary) {
    this.#bridge = bridge;
    this.#library = library;
  }

  /** Answers within the session that a request names, or in a new one when it names none. */
  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.#open.get(id);
    if (known) return known.handleRequest(request);
    if (id === null) return this.#answerInNew(request);
    const error = { code: -32001, message: 'Session not found' };
    return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((transport) => transport.close()));
  }

  async #answerInNew(request: Request): Promise<Response> {
    const transport = new this.#library.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => {
        this.#forgetOldest();
        this.#open.set(session, transport);
      },
      onsessionclosed: (session) => void this.#open.delete(session),
    });
    const server = this.#bridge.createServer();
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // Without a handshake it has no id, so that no later request can belong to it.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #forgetOldest(): void {
    const [oldest] = this.#open;
    if (this.#open.size < MAX_SESSIONS || !oldest) return;
    this.#open.delete(oldest[0]);
    oldest[1].close().catch(() => {});
  }
}
