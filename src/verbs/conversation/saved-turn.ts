// Waits until the CLI has written down how far a turn has got. What it has not written is gone with it, and nobody could go on
// with the turn.
import { sleep } from '../../util/timers.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { ConversationCli } from './conversation-cli.js';

/** The CLI writes every tenth of a second; this is for a machine that is busy. */
const PATIENCE_MS = 2000;
const LOOK_EVERY_MS = 20;

/** One per conversation. */
export class SavedTurn {
  readonly #options: QueryOptions;
  /** The newest message of the model in this turn, by its id, which is also that of its entry. */
  #newest: string | undefined;

  constructor(options: QueryOptions) {
    this.#options = options;
  }

  observe(message: SDKMessage): void {
    if (message.type === 'assistant' && message.parent_tool_use_id === null) this.#newest = message.uuid;
    else if (message.type === 'result') this.#newest = undefined;
  }

  /** Waits until the transcript has the turn of this message, for two seconds at most, and not where it is no file of this machine. Never rejects. */
  async wait(message: string, { live, sessionId }: ConversationCli): Promise<void> {
    const { cwd, env, extendEnv, persistSession, sessionStore, transport, spawnClaudeCodeProcess } =
      this.#options;
    if (persistSession === false || sessionStore || transport || spawnClaudeCodeProcess) return;
    if (live?.pid === undefined || sessionId === undefined) return;
    const place = { dir: cwd ?? process.cwd(), env: env ?? { ...process.env, ...extendEnv } };
    const { isEntrySaved } = await import('../../record/history/sessions/saved-entry.js');
    const until = performance.now() + PATIENCE_MS;
    while (!(await isEntrySaved(sessionId, this.#newest ?? message, place)) && performance.now() < until)
      await sleep(LOOK_EVERY_MS);
  }
}
