// Decides when a prompt may be written, and what happens if a prompt fails. The failure ends the CLI, except for an unsupported
// message whose sender is waiting. The pump moves the messages, and the input's lifetime ends the input.
import { InvalidOptionsError, SessionClosedError, UnsupportedOptionError } from '../errors.js';
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { Handshake } from './handshake.js';
import type { InputLifetime } from './input/input-lifetime.js';
import { leaveSource, type PromptPump } from './input/prompt-pump.js';
import { readPrompt, type Prompt } from './input/prompt-source.js';
import type { FirstPrompt } from './input/input-state.js';
import type { EndView, ProgressView } from './live-state.js';

export interface PromptFeedOptions {
  prompt: FirstPrompt;
  progress: ProgressView;
  end: EndView;
  pump: PromptPump;
  lifetime: InputLifetime;
  handshake: Handshake;
  /** Whether a hook has `onFailure: "block"`, so that nothing may run unless the CLI promises to honour it. */
  mustHonourHooks: boolean;
}

/** One per live CLI. */
export class PromptFeed {
  readonly #given: PromptFeedOptions;

  constructor(given: PromptFeedOptions) {
    this.#given = given;
  }

  /**
   * Feeds the first prompt after the handshake request. If hooks must be honoured, the prompt waits until the CLI has
   * answered the handshake. If `ready()` holds the prompt back, it waits for that too.
   */
  async open(source: AsyncIterator<SDKUserMessage>): Promise<void> {
    const { prompt, handshake, mustHonourHooks } = this.#given;
    if (mustHonourHooks) await handshake.reply.catch(() => {});
    // If nothing holds the prompt back, it does not wait even for a microtask, so that streamed messages come after
    // it.
    if (prompt.isHeld) await prompt.released();
    prompt.noteOpened();
    const feeding = this.#run(source, false).catch(() => {});
    // A source that has a message at hand gives it within this round of the event loop. Any other may take for ever.
    const look = (): void => {
      if (!prompt.isAtHand) prompt.noteBegun();
    };
    if (!prompt.isAtHand) setImmediate(look);
    await feeding;
  }

  /** Feeds more messages. Resolves when they are written, and rejects if they cannot be. */
  async stream(prompt: Prompt): Promise<void> {
    const source = readPrompt(prompt);
    const { progress } = this.#given;
    try {
      // A source that the pump has taken keeps the input from ending. If the CLI is launched, nothing is awaited before that,
      // because the input may be about to end.
      if (!progress.isLaunched) await progress.launched;
      if (this.#given.lifetime.inputEnded)
        throw new SessionClosedError(
          'The session’s input has ended; start a new query, or resume this session',
        );
    } catch (error) {
      leaveSource(source);
      throw error;
    }
    await this.#run(source, true);
  }

  async #run(source: AsyncIterator<SDKUserMessage>, isAwaited: boolean): Promise<void> {
    const { end, pump, lifetime } = this.#given;
    if (end.isEnding) {
      leaveSource(source);
      throw new SessionClosedError();
    }
    let isComplete: boolean;
    try {
      isComplete = await pump.run(source);
    } catch (thrown) {
      // A bare `throw undefined` would otherwise look like a clean end.
      const error = thrown ?? new InvalidOptionsError(['prompt'], `The prompt threw ${String(thrown)}`);
      // A message that this CLI would misread does not end the CLI if its sender is waiting and gets the error.
      if (isAwaited && error instanceof UnsupportedOptionError) lifetime.reconsider();
      else end.request({ kind: 'failed', error });
      throw error;
    }
    if (!isComplete) throw new SessionClosedError('The session ended before all messages had been written');
    lifetime.reconsider();
  }
}
