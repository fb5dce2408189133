// Holds a conversation with a person at the terminal, who can type another message after each answer. Ctrl-C interrupts
// a turn. At the prompt, Ctrl-C and Ctrl-D end the conversation.
import { AbortError } from '@inboard/core/errors.js';
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { LineEditor } from '../terminal/line-editor.js';
import { EXIT_CODES } from '../terminal/usage-error.js';
import { checkAccount, type RunSetup } from './run-once.js';
import type { RunView } from './run-view.js';

const PROMPT = 'you> ';

/** Talks until the person leaves, and then returns exit code 0. Throws if the session ends by itself. */
export async function runConversation(
  first: string | undefined,
  { terminal, options, view }: RunSetup,
): Promise<number> {
  const { signal } = terminal;
  const editor = new LineEditor(terminal);
  view.writeThrough((write) => editor.aside(write));
  const session = openSession({ options });
  const close = (): void => void session.close().catch(() => {});
  signal.addEventListener('abort', close, { once: true });
  const turns = new Turns(session, view);
  try {
    view.wait('Starting the Claude CLI');
    if (first === undefined) await turns.ready();
    else {
      editor.remember(first);
      await turns.take(first, terminal.takeInterrupt);
    }
    view.endWait();
    view.note('Press Ctrl-C or Ctrl-D at the prompt to leave.');
    for (;;) {
      const text = await editor.read(PROMPT, signal);
      signal.throwIfAborted();
      if (text === undefined) return EXIT_CODES.ok;
      if (text.trim() === '') continue;
      view.wait('Waiting for the model');
      await turns.take(text, terminal.takeInterrupt);
    }
  } finally {
    view.endWait();
    signal.removeEventListener('abort', close);
    await session.close();
  }
}

/** Sends messages to a session, and shows what the session answers or reports, also between turns. */
class Turns {
  readonly #session: Session;
  readonly #view: RunView;
  readonly #ended: Promise<void>;
  /** The turn that runs; `shown` settles when the turn's result has been shown. */
  #current: { turn: Turn; shown: Deferred<void> } | undefined;

  constructor(session: Session, view: RunView) {
    this.#session = session;
    this.#view = view;
    this.#ended = this.#follow();
    // The turn reports this failure, so here it only ends the wait for the turn's result.
    this.#ended.catch(() => this.#current?.shown.resolve());
  }

  /** Resolves when the CLI has started. Throws the reason if it does not start. */
  async ready(): Promise<void> {
    try {
      await this.#session.initializationResult();
    } catch (error) {
      // The error that ended the messages is the reason, and is thrown here. The caught error only follows from it.
      await this.#ended;
      throw error;
    }
  }

  /** Sends a message and waits for its answer. Returns early if the person withdraws the message. */
  async take(text: string, takeInterrupt: RunSetup['terminal']['takeInterrupt']): Promise<void> {
    const interruption = new AbortController();
    const release = takeInterrupt(() => {
      // A second Ctrl-C ends the session, because the CLI has not reacted to the first.
      if (interruption.signal.aborted) return false;
      this.#view.note('Interrupting. Ctrl-C again ends the session.');
      interruption.abort();
      return true;
    });
    try {
      const turn = this.#session.send(text, { signal: interruption.signal });
      const shown = createDeferred<void>();
      this.#current = { turn, shown };
      const outcome = await turn.outcome();
      await shown.promise;
      this.#view.showOutcome(outcome);
      checkAccount(outcome);
    } catch (error) {
      if (!interruption.signal.aborted || !(error instanceof AbortError)) throw error;
      this.#view.endWait();
      this.#view.note('Withdrawn before it began.');
    } finally {
      this.#current = undefined;
      release();
    }
  }

  async #follow(): Promise<void> {
    for await (const message of this.#session.messages()) {
      // Between turns, a background task may report something. Its text is shown only when it is complete, so that the
      // prompt is redrawn once.
      if (!this.#current && message.type === 'stream_event') continue;
      this.#view.showMessage(message);
      if (message.type === 'result' && this.#current?.turn.state === 'over') this.#current.shown.resolve();
    }
    this.#current?.shown.resolve();
  }
}
