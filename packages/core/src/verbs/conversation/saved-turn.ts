// Waits until the CLI has saved how far a turn has got. What the CLI has not saved is lost when it ends, and no later CLI
// could go on with the turn.
import { loadPart } from '../../util/load-part.js';
import type { PartLoadError } from '../../errors.js';
import type { isEntrySaved } from '../../record/history/sessions/saved-entry.js';
import { sleep } from '../../util/timers.js';
import { warnOnce } from '../../util/warn-once.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { clock } from '../../util/system/clock.js';
import type { Environment } from '../../wire/process/operating-system.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { ConversationCli } from './conversation-cli.js';

/** The CLI writes every tenth of a second. This time is longer because the machine may be busy. */
const PATIENCE_MS = 2000;
const LOOK_EVERY_MS = 20;

/** One per conversation. */
export class SavedTurn {
  readonly #options: QueryOptions;
  /** The id of the newest message of the model in this turn. Its entry in the transcript has the same id. */
  #newest: string | undefined;

  constructor(options: QueryOptions) {
    this.#options = options;
  }

  observe(message: SDKMessage): void {
    if (message.type === 'assistant' && message.parent_tool_use_id === null) this.#newest = message.uuid;
    else if (message.type === 'result') this.#newest = undefined;
  }

  /**
   * Waits until the transcript has the turn of this message, for two seconds at most. Returns undefined where there is nothing
   * to wait for, because the transcript is not a file on this machine. Never rejects.
   */
  wait(message: string, { live, sessionId }: ConversationCli): Promise<void> | undefined {
    const { cwd, env, extendEnv, persistSession, sessionStore, transport, spawnClaudeCodeProcess } =
      this.#options;
    if (persistSession === false || sessionStore || transport || spawnClaudeCodeProcess) return undefined;
    if (live?.pid === undefined || sessionId === undefined) return undefined;
    const place = { dir: cwd ?? process.cwd(), env: env ?? { ...process.env, ...extendEnv } };
    return this.#look(sessionId, this.#newest ?? message, place);
  }

  async #look(sessionId: string, entry: string, place: { dir: string; env: Environment }): Promise<void> {
    const until = clock.performance.now() + PATIENCE_MS;
    const isSaved = await loadLook();
    while (!(await isSaved(sessionId, entry, place)) && clock.performance.now() < until)
      await sleep(LOOK_EVERY_MS);
  }
}

/** Loads the code that reads the transcript. Where it cannot be loaded, the CLI gets the whole time to write. */
async function loadLook(): Promise<typeof isEntrySaved> {
  try {
    return (await loadPart(() => import('../../record/history/sessions/saved-entry.js'))).isEntrySaved;
  } catch (error) {
    const { code, message } = error as PartLoadError;
    warnOnce(message, code);
    return async () => false;
  }
}
