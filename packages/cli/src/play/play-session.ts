// The conversation of `inboard play` with its CLI: shows what it answers, here or to a page, and opens it again after its
// CLI was killed.
import { AbortError, TurnLostError } from '@inboard/core/errors.js';
import { outcomeOf } from '@inboard/core/live/output/outcome.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { CONTINUATION_START } from '@inboard/core/record/history/transcript/transcript-state.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { RunView } from '../run/run-view.js';
import type { Terminal } from '../terminal/terminal.js';
import { killOnceSaved } from './kill-once-saved.js';

/** What a conversation needs. */
export interface PlaySetup {
  terminal: Terminal;
  view: RunView;
  options: QueryOptions;
}

/** A session, and what is read of it. */
interface OpenPlay {
  session: Session;
  /** Resolves when there are no more messages. It rejects with the error that ended the session. */
  ended: Promise<void>;
}

export class PlaySession {
  readonly #setup: PlaySetup;
  #open: OpenPlay | undefined;
  #isCut = false;
  /** The turn that is shown here while it runs; `shown` settles when its result was shown. */
  #current: { turn: Turn; shown: Deferred<void> } | undefined;
  /** The texts that were sent from here, until they are on the wire. All others come from a page. */
  readonly #sent: string[] = [];

  constructor(setup: PlaySetup) {
    this.#setup = setup;
  }

  /** Whether the CLI has ended, so that the conversation has to be resumed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Starts the CLI, and with a session id goes on with that conversation. Throws if the CLI does not start. */
  async start(resume?: string): Promise<void> {
    const { options, terminal } = this.#setup;
    const session = openSession({
      options: {
        ...options,
        resume,
        onWireLine: (direction, line) => {
          if (direction === 'out') this.#noticePage(line);
        },
      },
      oneByOne: true,
      interrupted: resume === undefined ? undefined : 'continue',
    });
    const ended = this.#follow(session);
    ended.catch(() => this.#current?.shown.resolve());
    this.#open = { session, ended };
    this.#isCut = false;
    try {
      const turn = await session.continued;
      if (turn) await this.#show(turn, () => void session.interrupt().catch(() => {}));
      else await session.initializationResult();
    } catch (error) {
      terminal.signal.throwIfAborted();
      // The error that ended the messages is the reason. The other one only follows from it.
      await ended;
      throw error;
    }
    ended.catch((error) => this.#noteEnd(error));
  }

  /** Opens the conversation again, with what is left of the turn that was cut off. */
  async resume(): Promise<void> {
    const id = this.#open?.session.sessionId;
    this.#setup.view.note('On the page, it is a second session: choose it beside the title.');
    await this.#open?.session.close();
    await this.start(id);
  }

  /** Sends a text, and shows the answer. Returns early if the person interrupts, or the CLI dies. */
  async take(text: string): Promise<void> {
    const interruption = new AbortController();
    this.#sent.push(text);
    const turn = this.#open?.session.send(text, { signal: interruption.signal });
    if (turn) await this.#show(turn, () => interruption.abort());
  }

  /** Kills the CLI as soon as it has saved the call that runs. */
  async crash(): Promise<void> {
    const { session } = this.#open ?? {};
    const { env, cwd } = this.#setup.options;
    if (session) await killOnceSaved(session, { env, dir: cwd });
  }

  async close(): Promise<void> {
    await this.#open?.session.close();
  }

  async #show(turn: Turn, interrupt: () => void): Promise<void> {
    const { view, terminal } = this.#setup;
    let isInterrupted = false;
    const release = terminal.takeInterrupt(() => {
      // A second Ctrl-C ends the command, because the CLI has not reacted to the first.
      if (isInterrupted) return false;
      isInterrupted = true;
      view.note('Interrupting. Ctrl-C again leaves.');
      interrupt();
      return true;
    });
    const shown = createDeferred<void>();
    this.#current = { turn, shown };
    view.wait('Waiting for the model');
    try {
      const { ok, kind, text } = await turn.outcome();
      await shown.promise;
      if (kind === 'interrupted') view.note('Interrupted.');
      else if (!ok) view.warn(text);
    } catch (error) {
      if (isInterrupted && error instanceof AbortError) view.note('Withdrawn before it began.');
      else if (!(error instanceof TurnLostError)) throw error;
      // The end of the session, which has the reason, is told by `#noteEnd`.
      else await shown.promise;
    } finally {
      view.endWait();
      this.#current = undefined;
      release();
    }
  }

  async #follow(session: Session): Promise<void> {
    const { view } = this.#setup;
    for await (const message of session.messages()) {
      // The answers to a page are shown when they are complete, so that the prompt is redrawn once.
      if (this.#current || message.type !== 'stream_event') view.showMessage(message);
      if (message.type !== 'result') continue;
      if (this.#current?.turn.state === 'over') this.#current.shown.resolve();
      else if (!this.#current && !outcomeOf(message).ok) view.note('The turn of the page failed.');
    }
    this.#current?.shown.resolve();
  }

  #noteEnd(error: unknown): void {
    const { view, terminal } = this.#setup;
    if (terminal.signal.aborted) return;
    this.#isCut = true;
    view.endWait();
    view.warn(`${messageOf(error)} The page has a card about it.`);
    view.note('Type resume here: another CLI goes on with the same conversation.');
  }

  #noticePage(line: string): void {
    const { type, message } = parseRecord(line) ?? {};
    if (type !== 'user' || !isRecord(message)) return;
    const text = textOf(message['content']);
    // Older CLIs are told to go on in a message of this package.
    if (text.startsWith(CONTINUATION_START)) return;
    const at = this.#sent.indexOf(text);
    if (at === -1) this.#setup.view.note(`page> ${text}`);
    else this.#sent.splice(at, 1);
  }
}
