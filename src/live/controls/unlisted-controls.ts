// Controls that the official SDK's query object has at run time and its types leave out. Real programs look for them
// and use them where they are there, so they are here too, each one control request. The CLI's answers are passed on
// as they come: nobody promises their shapes.
import { settleQuietly } from './controls.js';

/** An answer of the CLI that has no promised shape. */
export type LooseReply = Record<string, unknown>;

/** What else can be asked of a running session. An old CLI rejects what it does not know. */
export interface UnlistedControls {
  /** Has a model make a title for a session about `description`; `persist` also writes it down. Null when none came of it. */
  generateSessionTitle(description: string, options?: { persist?: boolean }): Promise<string | null>;
  /** Asks about the conversation without becoming part of it. Null when there is no answer. */
  askSideQuestion(question: string): Promise<{ response: string; synthetic: boolean } | null>;
  /** Takes back a user message that still waits, by its `uuid`; false when it was too late. */
  cancelAsyncMessage(messageUuid: string): Promise<boolean>;
  getStatus(): Promise<LooseReply>;
  getPlan(): Promise<LooseReply>;
  exportConversation(): Promise<LooseReply>;
  setCwd(path: string): Promise<LooseReply>;
  setPromptSuggestionsPaused(paused: boolean): Promise<void>;
  /** Starts the login at an MCP server; the reply may hold an address to open. */
  mcpAuthenticate(serverName: string, redirectUri?: string): Promise<LooseReply>;
  mcpSubmitOAuthCallbackUrl(serverName: string, callbackUrl: string): Promise<LooseReply>;
  mcpClearAuth(serverName: string): Promise<LooseReply>;
  enableChannel(serverName: string): Promise<void>;
  enableRemoteControl(enabled: boolean, name?: string): Promise<LooseReply>;
  claudeAuthenticate(loginWithClaudeAi: boolean): Promise<LooseReply>;
  claudeOAuthCallback(authorizationCode: string, state: string): Promise<LooseReply>;
  claudeOAuthWaitForCompletion(): Promise<LooseReply>;
}

/** What they are made on. */
export interface UnlistedSource {
  request(request: { subtype: string }): Promise<unknown>;
}

/** Makes them for a session. */
export function createUnlistedControls(source: UnlistedSource): UnlistedControls {
  const ask = <Reply = LooseReply>(subtype: string, fields: object = {}): Promise<Reply> => {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return settleQuietly(source.request({ subtype, ...Object.fromEntries(given) }) as Promise<Reply>);
  };
  const pick = <Reply, T>(reply: Promise<Reply>, read: (reply: Reply) => T): Promise<T> =>
    settleQuietly(reply.then(read));
  const tell = (subtype: string, fields: object): Promise<void> =>
    pick(ask(subtype, fields), () => undefined);

  return {
    generateSessionTitle: (description, options) =>
      pick(
        ask<{ title?: string | null } | undefined>('generate_session_title', {
          description,
          persist: options?.persist,
        }),
        (reply) => reply?.title ?? null,
      ),
    askSideQuestion: (question) =>
      pick(
        ask<{ response?: string | null; synthetic?: boolean } | undefined>('side_question', { question }),
        (reply) =>
          typeof reply?.response === 'string'
            ? { response: reply.response, synthetic: reply.synthetic ?? false }
            : null,
      ),
    cancelAsyncMessage: (messageUuid) =>
      pick(
        ask<{ cancelled?: boolean } | undefined>('cancel_async_message', { message_uuid: messageUuid }),
        (reply) => reply?.cancelled === true,
      ),
    getStatus: () => ask('get_status'),
    getPlan: () => ask('get_plan'),
    exportConversation: () => ask('export_conversation'),
    setCwd: (path) => ask('set_cwd', { path }),
    setPromptSuggestionsPaused: (paused) => tell('set_prompt_suggestions_paused', { paused }),
    mcpAuthenticate: (serverName, redirectUri) => ask('mcp_authenticate', { serverName, redirectUri }),
    mcpSubmitOAuthCallbackUrl: (serverName, callbackUrl) =>
      ask('mcp_oauth_callback_url', { serverName, callbackUrl }),
    mcpClearAuth: (serverName) => ask('mcp_clear_auth', { serverName }),
    enableChannel: (serverName) => tell('channel_enable', { serverName }),
    enableRemoteControl: (enabled, name) => ask('remote_control', { enabled, name }),
    claudeAuthenticate: (loginWithClaudeAi) => ask('claude_authenticate', { loginWithClaudeAi }),
    claudeOAuthCallback: (authorizationCode, state) =>
      ask('claude_oauth_callback', { authorizationCode, state }),
    claudeOAuthWaitForCompletion: () => ask('claude_oauth_wait_for_completion'),
  };
}
