// Keeps what a session's CLI said of itself in its handshake: modes, models and slash commands. Before there is a CLI, only the
// options of the agent are known.
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import { listLogins } from '@inboard/core/wire/protocol/control/logins.js';
import type { SDKControlInitializeResponse } from '@inboard/core/wire/protocol/control/initialize-reply.js';
import type { AcpOptions } from './acp-options.js';
import { AcpRefusal, EDITOR_LOGIN_ADVICE } from './acp-refusal.js';
import { SessionConfig } from './session-config.js';

/** One per session of the editor. */
export class CliFacts {
  readonly #options: AcpOptions;
  /** What can be chosen for the session, and what is chosen. */
  config: SessionConfig;
  commands: readonly unknown[] = [];

  constructor(options: AcpOptions) {
    this.#options = options;
    this.config = this.#describe({});
  }

  /**
   * Waits for the handshake, and starts a CLI if there is none. Throws the error that keeps the CLI from starting; `followed`
   * rejects with the same. With `needsLogin`, throws an AcpRefusal if the CLI has no login.
   */
  async learn(session: Session, followed: Promise<void>, needsLogin: boolean): Promise<void> {
    let facts: SDKControlInitializeResponse;
    try {
      facts = await session.initializationResult();
    } catch (error) {
      // The error that ended the messages is the cause. The failed request only follows from it.
      await followed;
      throw error;
    }
    const { account, commands } = facts;
    this.commands = commands ?? [];
    if (needsLogin && account?.tokenSource === 'none' && listLogins(account).length === 0) {
      throw new AcpRefusal('loginNeeded', `The Claude CLI has no login. ${EDITOR_LOGIN_ADVICE}`);
    }
    this.config = this.#describe(facts);
  }

  #describe({ models, current_permission_mode: mode }: Partial<SDKControlInitializeResponse>): SessionConfig {
    const { permissionMode = 'default', allowDangerouslySkipPermissions, model } = this.#options;
    return new SessionConfig({
      mode: mode ?? permissionMode,
      mayBypass: allowDangerouslySkipPermissions === true,
      models: models ?? [],
      model,
    });
  }
}
