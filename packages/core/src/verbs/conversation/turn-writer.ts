// Writes waiting turns to the CLI, in order, as soon as each may be written: when the CLI is ready, the turns before
// allow it, and the limits of its group leave room.
import { checkMessage, dependsOnVersion } from '../../live/input/user-message.js';
import type { ConversationCli } from './conversation-cli.js';
import type { RecordingParts } from './recording-parts.js';
import type { OpenTurn } from './turns/turn.js';

/** One per conversation. */
export class TurnWriter {
  readonly #parts: RecordingParts;
  readonly #cli: ConversationCli;
  #isWriting = false;

  constructor(parts: RecordingParts, cli: ConversationCli) {
    this.#parts = parts;
    this.#cli = cli;
  }

  /** Writes what may be written now; call it whenever that could have changed. */
  async writeWaiting(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const { turns } = this.#parts;
    try {
      for (let turn = turns.waiting[0]; turn && this.#mayWrite(); turn = turns.waiting[0])
        await this.#write(turn);
    } finally {
      this.#isWriting = false;
    }
  }

  /** A CLI that does not report on single messages gets one at a time: its results could not be told apart. */
  #mayWrite(): boolean {
    const { turns, oneByOne, gate } = this.#parts;
    if (turns.isClosed) return false;
    return turns.written.size === 0 || (turns.written.reports && !oneByOne && !gate);
  }

  /** A message that is sent again under another id is still the same one. */
  #nameMessage({ uuid, message }: OpenTurn): void {
    const { names } = this.#parts.calls;
    const isNamed = names.nameOf(message.uuid) !== message.uuid;
    if (message.uuid !== uuid && !isNamed) names.rename(message.uuid, names.nameOf(uuid));
  }

  async #write(turn: OpenTurn): Promise<void> {
    const { turns, admission, recording } = this.#parts;
    const cli = this.#cli;
    // A turn that was cut off before goes on first, in a place of its own. Otherwise nothing is awaited: keys take turns by
    // who asks first.
    if (cli.mayHaveCutOff && (await cli.takeUpCutOff())) return;
    await admission.enter(turn);
    if (turn.isOver) return;
    // Beside the start of the CLI: a message must not wait for it where the CLI is ready.
    const preparing = recording.prepare(cli.sessionId);
    const live = await cli.whenReady().catch(() => undefined);
    if (preparing) await preparing;
    if (live && dependsOnVersion(turn.message)) await live.learnVersion();
    // Since then the CLI may have ended, or the message been withdrawn.
    const isCurrent = live !== undefined && live === cli.live && cli.state === 'ready';
    if (!isCurrent || turns.waiting[0] !== turn || !this.#mayWrite()) return;
    turns.take(turn);
    try {
      checkMessage(turn.message, live.version);
    } catch (error) {
      turn.fail(error);
      return;
    }
    this.#nameMessage(turn);
    turns.written.wrote(turn);
    const covered = recording.cover(turn.message.uuid, live.pid);
    if (covered) await covered;
    // A message that cannot be written is cut with the CLI it was meant for.
    await cli.write(live, turn.message).catch(() => {});
  }
}
