// Decides whether a conversation is idle, so that nothing is lost if its CLI is suspended. Suspends the CLI once that has been so for long
// enough.
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import { TaskLedger } from '../../live/input/task-ledger.js';
import type { ConversationCli } from './conversation-cli.js';
import type { ConversationControls } from './conversation-controls.js';
import type { ConversationParts } from './conversation-parts.js';
import { IdleWatch } from './idle-watch.js';

interface ConversationIdlenessInput {
  readonly parts: ConversationParts;
  readonly cli: ConversationCli;
  readonly controls: ConversationControls;
  /** Milliseconds without activity after which the CLI is suspended. Default: never. */
  readonly afterMs: number | undefined;
}

/** One per conversation. It is told of everything that happens in it. */
export class ConversationIdleness {
  readonly #input: ConversationIdlenessInput;
  readonly #watch: IdleWatch;
  #tasks = new TaskLedger();

  constructor(input: ConversationIdlenessInput) {
    this.#input = input;
    this.#watch = new IdleWatch(input.afterMs, () => this.#suspendIfIdle());
  }

  /** Whether suspending the CLI would cost nothing but the time of the next start. Turns may be waiting. */
  get isQuiet(): boolean {
    return this.#isBetweenTurns && this.taskCount === 0;
  }

  /** The number of background tasks that run. */
  get taskCount(): number {
    return this.#tasks.agents + this.#tasks.shells;
  }

  /** How many milliseconds ago something last happened. 0 while there is other work than background tasks. */
  get silentMs(): number {
    return this.#isBetweenTurns ? this.#watch.silentMs : 0;
  }

  get #isBetweenTurns(): boolean {
    const { parts, controls } = this.#input;
    const { persistSession, transport } = parts.options;
    // Without a transcript nothing can be resumed. A single transport object cannot be started again.
    if (persistSession === false || typeof transport === 'object') return false;
    return !parts.turns.written.isInTurn && !controls.isAsked;
  }

  get #isIdle(): boolean {
    return this.isQuiet && this.#input.parts.turns.waiting.length === 0;
  }

  /** Ends the CLI until it is needed again. Returns false, and ends nothing, when that would lose something. */
  async suspend(): Promise<boolean> {
    const { parts, cli } = this.#input;
    if (parts.turns.isClosed || !this.#isIdle) return false;
    return await cli.suspend();
  }

  observe(message: SDKMessage): void {
    this.#watch.touch();
    this.#tasks.observe(message);
  }

  /** Notes that something happened. */
  touch(): void {
    this.#watch.touch();
  }

  /** Notes that another CLI is there, which has no background tasks. */
  startOver(): void {
    this.#tasks = new TaskLedger();
  }

  /** Watches for idleness. May be called again. */
  start(): void {
    this.#watch.start();
  }

  stop(): void {
    this.#watch.stop();
  }

  #suspendIfIdle(): boolean {
    if (this.#input.cli.state === 'suspended') return true;
    if (!this.#isIdle) return false;
    void this.suspend();
    return true;
  }
}
