// Writes waiting turns to the CLI in order. A turn is written when the CLI is ready, the turns before it allow that, and the
// limits of its session group leave room.
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

  /** Writes the turns that may be written now. Call it whenever another turn might be allowed. */
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

  /** A CLI that does not report on single messages gets one at a time. Otherwise its results could not be told apart. */
  #mayWrite(): boolean {
    const { turns, oneByOne, gate } = this.#parts;
    // A message that comes while a turn waits is sent after that turn. It needs neither a CLI nor a place in the group before.
    if (turns.isClosed || this.#cli.state === 'waiting') return false;
    return turns.written.size === 0 || (turns.written.reports && !oneByOne && !gate);
  }

  /**
   * Keeps the first name of a message that is sent again under another id, if calls may be known under that. Otherwise it has the name
   * that another process would read in the transcript.
   */
  #nameMessage({ uuid, message, toolsUsed }: OpenTurn): void {
    const { names } = this.#parts.calls;
    const name = names.nameOf(uuid);
    const isNamed = names.nameOf(message.uuid) !== message.uuid;
    if (message.uuid !== uuid && !isNamed && (name !== uuid || toolsUsed)) names.rename(message.uuid, name);
  }

  async #write(turn: OpenTurn): Promise<void> {
    const { turns, admission, recording } = this.#parts;
    const cli = this.#cli;
    // A turn that was cut off before goes on first, in a place of its own. Where there can be none, nothing is awaited here,
    // because the group serves turns in the order in which they ask for a place.
    if (cli.mayHaveCutOff && (await cli.takeUpCutOff())) return;
    await admission.enter(turn);
    if (turn.isOver) return;
    // The records are opened while the CLI starts, not after it.
    const preparing = recording.prepare(cli.knownId);
    const live = await cli.whenReady().catch(() => undefined);
    if (preparing) await preparing;
    if (live && dependsOnVersion(turn.message)) await live.learnVersion();
    // During the waits above, the CLI may have ended or the message may have been withdrawn.
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
    // If the message cannot be written, its CLI is ending, and the turn is cut off with it.
    await cli.write(live, turn.message).catch(() => {});
  }
}
