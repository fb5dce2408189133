// The agent's side of a connection to an editor. Answers the editor's requests, and keeps its sessions.
import type {
  AgentApp,
  AgentConnection,
  AgentContext,
  AuthMethod,
  ClientCapabilities,
  InitializeResponse,
  ListSessionsResponse,
  Stream,
} from '@agentclientprotocol/sdk';
import { SessionNotFoundError } from '@inboard/core/errors.js';
import { deleteSession } from '@inboard/core/record/history/sessions/change-session.js';
import { getSessionInfo, listSessions } from '@inboard/core/record/history/sessions/list-sessions.js';
import { getSessionMessages } from '@inboard/core/record/history/sessions/session-messages.js';
import { INBOARD_VERSION } from '@inboard/core/record/trace/trace-event.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { SessionMutationOptions } from '@inboard/core/wire/protocol/config/past-sessions.js';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { AcpLibrary } from './acp-library.js';
import type { AcpOptions } from './acp-options.js';
import { checkFolders, readCursor } from './check-request.js';
import { EditorSession, type SessionRequest, type SessionSetup } from './editor-session.js';
import { EDITOR_LOGIN_ADVICE, AcpRefusal, refusalOf } from './acp-refusal.js';
import { canResume } from './session-options.js';
import { findWaitingCalls } from './waiting-calls.js';

/** The parts that an agent is made of. */
export interface AcpAgentInput {
  library: AcpLibrary;
  options: AcpOptions;
  servers: Readonly<Record<string, McpServerConfig>>;
  name: string;
  suspendAfterMs: number | undefined;
  idleAfterMs: number;
  cancelGraceMs: number;
  note: (line: string) => void;
}

/** How many sessions one page of the session list has. */
const PAGE = 50;
/** The only way to log in is the login of the CLI, which this agent does not handle itself. */
const LOGIN: AuthMethod = {
  id: 'claude',
  name: 'Log in to the Claude CLI',
  description: EDITOR_LOGIN_ADVICE,
};

/** One agent on one connection. */
export class AcpAgent {
  readonly #input: AcpAgentInput;
  readonly #sessions = new Map<string, EditorSession>();
  /** Sessions that are being opened. The end of the connection waits for them too. */
  readonly #opening = new Set<Promise<unknown>>();
  #servers: Readonly<Record<string, McpServerConfig>>;
  #capabilities: ClientCapabilities = {};
  #isOver = false;

  constructor(input: AcpAgentInput) {
    this.#input = input;
    this.#servers = input.servers;
  }

  /** Answers the requests on a stream until it ends. Sessions stay open until `close`. */
  connect(stream: Stream): AgentConnection {
    return this.#createApp().connect(stream);
  }

  /** Replaces the agent's servers in all sessions, including later ones. The servers of the editor stay. */
  async replaceServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<void> {
    this.#servers = servers;
    await Promise.all([...this.#sessions.values()].map((session) => session.refreshServers()));
  }

  /** Ends all sessions and their CLIs. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#opening);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map((session) => session.close()));
  }

  #createApp(): AgentApp {
    const { library } = this.#input;
    const { agent: methods } = library.methods;
    const { session } = methods;
    // Turns the failure of a handler into an answer that says what to do.
    const answer =
      <Context, Answer>(handle: (context: Context) => Promise<Answer> | Answer) =>
      async (context: Context): Promise<Answer> => {
        try {
          return await handle(context);
        } catch (error) {
          const { code, message, data } = refusalOf(error);
          throw new library.RequestError(code, message, data);
        }
      };
    return library
      .agent({ name: this.#input.name })
      .onRequest(methods.initialize, ({ params }) => this.#initialize(params.clientCapabilities ?? {}))
      .onRequest(
        methods.authenticate,
        answer(({ client }) => this.#authenticate(client)),
      )
      .onRequest(
        session.new,
        answer(async ({ params, client }) => {
          const opened = await this.#open(client, params);
          return { sessionId: opened.id, ...opened.describe() };
        }),
      )
      .onRequest(
        session.load,
        answer(({ params, client }) => this.#reopen(client, params, true)),
      )
      .onRequest(
        session.resume,
        answer(({ params, client }) => this.#reopen(client, params, false)),
      )
      .onRequest(
        session.list,
        answer(({ params }) => this.#list(params)),
      )
      .onRequest(
        session.delete,
        answer(async ({ params }) => {
          await this.#close(params.sessionId);
          await this.#forget(params.sessionId);
          return {};
        }),
      )
      .onRequest(
        session.close,
        answer(async ({ params }) => {
          this.#find(params.sessionId);
          await this.#close(params.sessionId);
          return {};
        }),
      )
      .onRequest(
        session.setMode,
        answer(async ({ params }) => {
          await this.#find(params.sessionId).setMode(params.modeId);
          return {};
        }),
      )
      .onRequest(
        session.setConfigOption,
        answer(async ({ params }) => ({
          configOptions: await this.#find(params.sessionId).setOption(params.configId, params.value),
        })),
      )
      .onRequest(
        session.prompt,
        answer(({ params, signal }) => this.#find(params.sessionId).prompt(params.prompt, signal)),
      )
      .onNotification(session.cancel, ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
  }

  #initialize(capabilities: ClientCapabilities): InitializeResponse {
    const { library, name, options } = this.#input;
    this.#capabilities = capabilities;
    const isKept = canResume(options);
    return {
      protocolVersion: library.PROTOCOL_VERSION,
      agentInfo: { name, version: INBOARD_VERSION },
      authMethods: [LOGIN],
      agentCapabilities: {
        loadSession: isKept,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: {
          close: {},
          additionalDirectories: {},
          ...(isKept ? { list: {}, resume: {}, delete: {} } : {}),
        },
      },
    };
  }

  // The CLI has its own login. Starting a CLI is the only way to learn whether there is one now.
  async #authenticate(client: AgentContext): Promise<Record<string, never>> {
    const probe = await EditorSession.open(this.#setupFor(client), { cwd: process.cwd() });
    await probe.close();
    return {};
  }

  #setupFor(client: AgentContext): SessionSetup {
    const { servers: _, ...input } = this.#input;
    return { ...input, client, capabilities: this.#capabilities, servers: () => this.#servers };
  }

  async #open(client: AgentContext, request: SessionRequest): Promise<EditorSession> {
    checkFolders(request);
    if (this.#isOver) throw new AcpRefusal('internal', 'The agent is shutting down.');
    const opening = EditorSession.open(this.#setupFor(client), request);
    this.#opening.add(opening);
    try {
      const session = await opening;
      // An editor may ask for the same session twice at a time. It can reach only the later one, so the earlier one is closed
      // here.
      const replaced = this.#sessions.get(session.id);
      this.#sessions.set(session.id, session);
      await replaced?.close();
      // The session is announced after the answer, because the answer tells the editor that the session exists.
      setImmediate(() => session.announce());
      return session;
    } finally {
      this.#opening.delete(opening);
    }
  }

  async #reopen(
    client: AgentContext,
    { sessionId, ...request }: SessionRequest & { sessionId: string },
    isShown: boolean,
  ): Promise<ReturnType<EditorSession['describe']>> {
    checkFolders(request);
    const place = this.#placeOf(request.cwd);
    if ((await getSessionInfo(sessionId, place)) === undefined) {
      throw new SessionNotFoundError(
        sessionId,
        `There is no session ${sessionId} in ${request.cwd}. Start a new one.`,
        { phase: 'options' },
      );
    }
    await this.#close(sessionId);
    const messages = isShown ? await getSessionMessages(sessionId, place) : [];
    const waiting = await this.#findWaiting(sessionId, request.cwd);
    const session = await this.#open(client, { ...request, resume: sessionId, waiting });
    await session.replay(messages);
    // The question is asked after the answer, because the answer tells the editor that the session exists.
    setImmediate(() => session.goOn());
    return session.describe();
  }

  async #findWaiting(sessionId: string, cwd: string): Promise<ReadonlySet<string>> {
    const { options, note } = this.#input;
    try {
      return await findWaitingCalls(sessionId, { ...options, mcpServers: undefined, cwd });
    } catch (error) {
      note(`Whether the session ${sessionId} waits for an answer could not be read: ${messageOf(error)}`);
      return new Set();
    }
  }

  async #list({
    cwd,
    cursor,
  }: {
    cwd?: string | null;
    cursor?: string | null;
  }): Promise<ListSessionsResponse> {
    const offset = readCursor(cursor);
    const found = await listSessions({ ...this.#placeOf(cwd ?? undefined), offset, limit: PAGE + 1 });
    const sessions = found.slice(0, PAGE).map(({ sessionId, cwd: folder, summary, lastModified }) => ({
      sessionId,
      cwd: folder ?? cwd ?? '',
      title: summary,
      updatedAt: new Date(lastModified).toISOString(),
    }));
    return found.length > PAGE ? { sessions, nextCursor: String(offset + PAGE) } : { sessions };
  }

  // Deletes a session. A session that no longer exists counts as deleted.
  async #forget(sessionId: string): Promise<void> {
    try {
      await deleteSession(sessionId, this.#placeOf(undefined));
    } catch (error) {
      if (!(error instanceof SessionNotFoundError)) throw error;
    }
  }

  #placeOf(dir: string | undefined): SessionMutationOptions {
    const { sessionStore, projectKey, env, extendEnv } = this.#input.options;
    return { dir, sessionStore, projectKey, env: { ...(env ?? process.env), ...extendEnv } };
  }

  #find(sessionId: string): EditorSession {
    const session = this.#sessions.get(sessionId);
    if (session) return session;
    throw new AcpRefusal(
      'notFound',
      `The session ${sessionId} is not open here. Load it with session/load, or start a new one.`,
    );
  }

  async #close(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await session?.close();
  }
}
