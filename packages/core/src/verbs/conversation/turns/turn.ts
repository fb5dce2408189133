// Owns one user message and its answer: the messages of the turn, and then its outcome. `turn-tracker` decides which messages
// belong to a turn.
import { AbortError } from '../../../errors.js';
import type {
  SDKMessage,
  SDKResultMessage,
  SDKUserMessage,
} from '../../../wire/protocol/messages/messages.js';
import {
  createSharedQueue,
  type BroadcastOptions,
  type SharedQueue,
} from '../../../util/queues/broadcast.js';
import { createDeferred, createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { settleQuietly } from '../../../util/settle-quietly.js';
import { measuredOutcomeOf, outputOrThrow, runErrorOf, type Outcome } from '../../../live/output/outcome.js';
import type { TurnSpending } from '../../../record/usage/turn-meter.js';
import { TextFeed, type TextStream, type TextStreamOptions } from '../../../live/output/text-feed.js';
import { missingOutput, type OutputReader } from '../../../live/output/structured-output.js';
import type { CompletedCall } from '../../../wire/protocol/messages/completed-call.js';
import type { OutputReading } from '../../../live/output/read-output.js';

/** How far a turn has got: `waiting` in this process, `sent` to the CLI, `running`, or `over`. */
export type TurnState = 'waiting' | 'sent' | 'running' | 'over';

/**
 * A message that was sent, and its answer. Iterate it to read the messages of the turn, up to its result; this works once.
 * Leaving the loop only stops reading. If the CLI takes several sent messages together, they share a turn. From then on, each
 * of them receives the messages of that turn, and all end with the same result.
 */
export interface Turn<Output = unknown> extends AsyncIterable<SDKMessage> {
  /** The id of the user message. */
  readonly uuid: string;
  /** Whether the turn is waiting, sent, running or over. */
  readonly state: TurnState;
  /** The ids of other messages that the same result answers. The list is complete once the turn is over. */
  readonly mergedWith: readonly string[];
  /**
   * How the turn ended. Rejects if it has no result: with a SessionClosedError when the session was closed, a
   * TurnLostError when the CLI ended, an AbortError when the message was withdrawn, and a MessageIgnoredError when the
   * CLI already knew its uuid and dropped it.
   */
  outcome(): Promise<Outcome>;
  /** The answer's text. Rejects with a RunError when the turn did not succeed. */
  text(): Promise<string>;
  /**
   * A new reader of the turn's text from now on. The text comes in pieces if the CLI streams it (see the option `streamText`),
   * otherwise one whole text at a time. Ends and throws as the iteration does. Leaving its loop only stops reading.
   */
  textStream(options?: TextStreamOptions): TextStream;
  /**
   * The answer, parsed with the schema in the option `output`. Rejects with an OutputValidationError if it does not match, with a
   * RunError if the turn failed or was interrupted, and as `outcome` does.
   */
  output(): Promise<Output>;
  /** Withdraws the message if its turn has not begun. Resolves with false if it is too late. */
  cancel(reason?: unknown): Promise<boolean>;
}

/** Frees the temporary file of a turn that was not read, once the program no longer holds the turn. */
const abandoned = new FinalizationRegistry<{ close(): void }>((buffer) => buffer.close());

export interface OpenTurnOptions extends BroadcastOptions {
  message: SDKUserMessage & { uuid: string };
  onCancel: (turn: OpenTurn, reason: unknown) => Promise<boolean>;
  /** Called when a reader asks for a text stream. */
  onTextStream: () => void;
  /** Parses the answer with the schema in the option `output`. */
  output?: OutputReader<unknown> | undefined;
}

/** A turn as the conversation handles it. */
export class OpenTurn implements Turn {
  readonly uuid: string;
  /** The message for the CLI. It gets another id when it is sent again. */
  message: SDKUserMessage & { uuid: string };
  state: TurnState = 'waiting';
  mergedWith: string[] = [];
  /** Whether the model asked for a tool. */
  toolsUsed = false;
  resent = false;
  /** Why the message is being withdrawn from the CLI's own queue. */
  withdrawal: Error | undefined;
  /** Calls of this turn that were cut off and completed afterwards. */
  readonly completed: CompletedCall[] = [];
  /** The error that the turn failed with. */
  failure: unknown;
  /** Called once when the turn is over, however it ended. */
  onOver: (() => void) | undefined;
  readonly texts: TextFeed;
  readonly #queue: SharedQueue<SDKMessage>;
  readonly #outcome: Deferred<Outcome> = createQuietDeferred();
  readonly #reader: OutputReader<unknown> | undefined;
  #reading: Promise<OutputReading<unknown>> | undefined;
  #begun: Deferred<void> | undefined;
  readonly #onCancel: OpenTurnOptions['onCancel'];
  readonly #onTextStream: () => void;

  constructor({ message, onCancel, onTextStream, output, ...buffering }: OpenTurnOptions) {
    this.#reader = output;
    this.uuid = message.uuid;
    this.message = message;
    this.#onCancel = onCancel;
    this.#onTextStream = onTextStream;
    this.texts = new TextFeed(buffering);
    const { queue, buffer } = createSharedQueue<SDKMessage>(buffering);
    this.#queue = queue;
    abandoned.register(this, buffer);
  }

  get isOver(): boolean {
    return this.state === 'over';
  }

  outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  text(): Promise<string> {
    return settleQuietly(this.#outcome.promise.then(textOrThrow));
  }

  textStream(options?: TextStreamOptions): TextStream {
    this.#onTextStream();
    return this.texts.read(options);
  }

  output(): Promise<unknown> {
    return settleQuietly(this.#readOutput());
  }

  cancel(reason?: unknown): Promise<boolean> {
    return this.isOver ? Promise.resolve(false) : settleQuietly(this.#onCancel(this, reason));
  }

  [Symbol.asyncIterator](): AsyncIterator<SDKMessage, undefined> {
    // The iterator holds the turn. Without that, the buffer could be freed while a loop still reads it.
    return { next: () => this.#queue.next(), return: () => this.#queue.return() };
  }

  /** Resolves when the turn begins or is over. */
  whenBegun(): Promise<void> {
    this.#begun ??= createDeferred();
    return this.#begun.promise;
  }

  /** Notes that the CLI has begun the turn. */
  begin(): void {
    this.state = 'running';
    this.#begun?.resolve();
    // The message may be sent again after a crash.
    this.#begun = undefined;
  }

  deliver(message: SDKMessage, encode: () => string): void {
    this.#queue.push(message, encode);
  }

  succeed(result: SDKResultMessage, spent: TurnSpending): void {
    if (this.isOver) return;
    this.state = 'over';
    this.#queue.end();
    this.texts.end();
    this.#reading = this.#reader?.read(result);
    const outcome = measuredOutcomeOf(result, spent);
    this.#outcome.resolve(
      this.completed.length === 0 ? outcome : { ...outcome, completedCalls: this.completed },
    );
    this.#tellOver();
  }

  #tellOver(): void {
    this.#begun?.resolve();
    this.onOver?.();
  }

  async #readOutput(): Promise<unknown> {
    if (!this.#reader) throw missingOutput();
    const outcome = await this.#outcome.promise;
    const reading = await this.#reading;
    return reading && outputOrThrow(outcome, reading);
  }

  fail(error: unknown): void {
    if (this.isOver) return;
    this.state = 'over';
    this.failure = error;
    this.#queue.fail(error);
    this.texts.fail(error);
    this.#outcome.reject(error);
    this.#tellOver();
  }
}

/** The error of a turn whose message was withdrawn before the turn began. */
export function withdrawalError(reason?: unknown): AbortError {
  return new AbortError(
    'The message was withdrawn before its turn began',
    withoutUndefined({ cause: reason }),
  );
}

function textOrThrow(outcome: Outcome): string {
  if (outcome.ok) return outcome.text;
  throw runErrorOf('turn', outcome);
}
