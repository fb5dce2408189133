// Owns the turn with which a loaded session goes on: one that was cut off while it waited for an answer. No prompt of the editor
// belongs to it, so the editor sees it by its updates alone.
import { UnsupportedOptionError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { CliFacts } from './cli-facts.js';
import type { EditorLink } from './questions/editor-link.js';
import { tellPerson } from './questions/tell-person.js';
import { stopReasonOf } from './stop-reason.js';
import type { MessageUpdates } from './updates/message-updates.js';
import { listCommands } from './updates/notices.js';

/** What a turn needs of its session. */
export interface ContinuedTurnInput {
  readonly session: Session;
  /** Rejects with the error that ended the session. */
  readonly followed: Promise<void>;
  readonly facts: CliFacts;
  readonly link: EditorLink;
  readonly updates: MessageUpdates;
  /** Called instead of telling the person if the CLI is too old for questions of MCP servers. */
  readonly onTooOld: () => void;
}

/** One per loaded session that waits for an answer. */
export class ContinuedTurn {
  readonly stop = new AbortController();
  /** Resolves when the turn is over. Never rejects: the person is told why a turn could not go on. */
  readonly over: Promise<void>;
  readonly #input: ContinuedTurnInput;

  /** Goes on with the turn. Its question is asked first, and a CLI is started once there is an answer. */
  constructor(input: ContinuedTurnInput) {
    this.#input = input;
    this.over = this.#run();
  }

  async #run(): Promise<void> {
    const { session, link, updates, onTooOld } = this.#input;
    const { signal } = this.stop;
    const interrupt = (): void => {
      if (signal.aborted) session.interrupt().catch(() => {});
    };
    const release = onAbort(signal, interrupt);
    try {
      const outcome = this.#awaitOutcome(interrupt);
      // The cause of a failed start is found first, and the turn fails with it.
      outcome.catch(() => {});
      await this.#showFacts();
      await outcome;
    } catch (error) {
      if (lacksElicitation(error)) {
        onTooOld();
        return;
      }
      await link.update(updates.abandonCalls());
      if (!signal.aborted) await tellPerson(link, CANNOT_GO_ON, messageOf(error));
    } finally {
      release();
    }
  }

  async #awaitOutcome(interrupt: () => void): Promise<void> {
    const turn = await this.#input.session.continued;
    // The turn may have been stopped before there was anything to interrupt.
    interrupt();
    const outcome = await turn?.outcome();
    if (outcome && !this.stop.signal.aborted) stopReasonOf(outcome);
  }

  /** Tells the editor what the new CLI offers. The answer to the editor's request could not, because there was no CLI yet. */
  async #showFacts(): Promise<void> {
    const { session, followed, facts, link } = this.#input;
    await facts.learn(session, followed, false);
    void link.update([
      { sessionUpdate: 'config_option_update', configOptions: facts.config.options },
      listCommands(facts.commands),
    ]);
  }
}

const CANNOT_GO_ON = 'The turn that waited for an answer could not go on';

/** Whether the CLI is too old for questions of MCP servers. */
export function lacksElicitation(error: unknown): boolean {
  return error instanceof UnsupportedOptionError && error.option === 'onElicitation';
}
