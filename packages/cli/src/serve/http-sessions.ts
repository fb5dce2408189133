// Sessions of clients that speak the 2025 protocol. Each has a transport and a server. Clients may leave without
// closing their session, so a new session may replace an old one, unless the old one is answering a request.
import { randomUUID } from 'node:crypto';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { Bridge } from './bridge.js';
import { isSameSecret } from '@inboard/core/util/loopback-http.js';
import { refuseWithError, type HttpAnswer } from './http-answer.js';
import type { HttpTransport, McpAuth, McpLibrary } from './mcp-library.js';

/** How many sessions are kept. */
const MAX_SESSIONS = 256;
/** After how many seconds a client should try again when all sessions are busy. */
const RETRY_AFTER = '5';
const SESSION_NOT_FOUND = -32001;
const SERVER_BUSY = -32000;

interface Session {
  readonly transport: HttpTransport;
  /**
   * The token of the client that opened the session, if the tools file has `toolContext`. Other clients may not use the
   * session.
   */
  readonly token: string | undefined;
  /** Requests that are being answered. */
  running: number;
  /** Streams on which the client waits for notifications. */
  listening: number;
}

/** The open sessions, in the order of their last use. Whoever creates this object closes the sessions with it. */
export class HttpSessions {
  readonly #bridge: Bridge;
  readonly #library: McpLibrary;
  readonly #open = new Map<string, Session>();
  /** Sessions whose handshake is being answered. */
  #opening = 0;

  constructor(bridge: Bridge, library: McpLibrary) {
    this.#bridge = bridge;
    this.#library = library;
  }

  /** How many sessions are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Answers a request in the session that it names, or in a new session if it names none. */
  async answer(request: Request, authInfo?: McpAuth): Promise<HttpAnswer> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#answerInNew(request, authInfo);
    const known = this.#open.get(id);
    if (known && isOwner(known, authInfo)) return this.#answerIn(known, { id, request, authInfo });
    return { response: refuseWithError(404, SESSION_NOT_FOUND, 'Session not found') };
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ transport }) => transport.close()));
  }

  async #answerIn(
    session: Session,
    { id, request, authInfo }: { id: string; request: Request; authInfo: McpAuth | undefined },
  ): Promise<HttpAnswer> {
    // Move the session to the end, because the sessions are in the order of their last use.
    this.#open.delete(id);
    this.#open.set(id, session);
    const kind = request.method === 'GET' ? 'listening' : 'running';
    session[kind] += 1;
    const done = (): void => void (session[kind] -= 1);
    try {
      return {
        response: await session.transport.handleRequest(request, withoutUndefined({ authInfo })),
        done,
      };
    } catch (error) {
      done();
      throw error;
    }
  }

  async #answerInNew(request: Request, authInfo: McpAuth | undefined): Promise<HttpAnswer> {
    if (!this.#hasRoom()) {
      const problem = `All ${MAX_SESSIONS} sessions of this server are at work. Try again in ${RETRY_AFTER} seconds`;
      return { response: refuseWithError(503, SERVER_BUSY, problem, { 'retry-after': RETRY_AFTER }) };
    }
    this.#opening += 1;
    const transport = new this.#library.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#makeRoom();
        session.running += 1;
        this.#open.set(id, session);
      },
      onsessionclosed: (id) => void this.#open.delete(id),
    });
    const session: Session = { transport, token: authInfo?.token, running: 0, listening: 0 };
    const server = this.#bridge.createServer();
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(request, withoutUndefined({ authInfo }));
      // A session without a handshake has no id, so no later request can belong to it.
      if (transport.sessionId === undefined) await server.close();
      return { response, done: () => void (session.running -= 1) };
    } catch (error) {
      await server.close().catch(() => {});
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  // Whether another session may be opened. Sessions that are being opened count too.
  #hasRoom(): boolean {
    const idle = [...this.#open.values()].filter(({ running }) => running === 0).length;
    return this.#open.size - idle + this.#opening < MAX_SESSIONS;
  }

  // If there are too many sessions, closes the one that has been idle the longest. Sessions whose clients do not listen
  // for notifications are closed first.
  #makeRoom(): void {
    if (this.#open.size < MAX_SESSIONS) return;
    const idle = [...this.#open].filter(([, { running }]) => running === 0);
    const [chosen = idle[0]] = idle.filter(([, { listening }]) => listening === 0);
    if (chosen === undefined) return;
    this.#open.delete(chosen[0]);
    chosen[1].transport.close().catch(() => {});
  }
}

function isOwner({ token }: Session, authInfo: McpAuth | undefined): boolean {
  return token === undefined || isSameSecret(authInfo?.token ?? '', token);
}
