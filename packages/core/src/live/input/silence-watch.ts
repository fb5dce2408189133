// Detects a CLI that has stalled in the middle of a turn. Silence does not count between turns, before there is
// anything to answer, or while a tool, a hook, a permission or a control request is pending.
import { StalledError } from '../../errors.js';
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { blocksOf } from '../../wire/protocol/messages/message-content.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { TurnLedger } from './turn-ledger.js';

/** The time source. Tests give their own. */
export interface WatchClock {
  /** A number of milliseconds that never goes down. */
  now(): number;
  /** Calls `callback` once after `ms`. Returns a function that cancels the call. */
  schedule(callback: () => void, ms: number): () => void;
}

export interface SilenceWatchOptions {
  /** The allowed silence in milliseconds. With 0 or undefined nothing is watched. */
  idleTimeoutMs: number | undefined;
  /** Whether a request is open in either direction, including those that were left open for later. */
  isBusy(): boolean;
  /** Called at most once. */
  onStall(error: StalledError): void;
  clock?: WatchClock;
}

/** A timer that fires this late shows that this process slept or was blocked. Lines may still be unread then. */
const LATE_MS = 1_000;

const SYSTEM_CLOCK: WatchClock = {
  now: () => performance.now(),
  schedule: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    // The child keeps the host alive; the timer alone must not.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** One per live CLI. It is told of everything that is written and read, and of every request that is settled. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #clock: WatchClock;
  readonly #timeoutMs: number;
  readonly #turns = new TurnLedger();
  readonly #tools = new Set<string>();
  readonly #hooks = new Set<string>();
  /** When the silence began. If the CLI announced a wait, this is the end of that wait. */
  #silentSince = 0;
  #lastEvent = 'nothing yet';
  #isReady = false;
  #isStopped: boolean;
  #dueAt = 0;
  #forget: (() => void) | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#timeoutMs = options.idleTimeoutMs ?? 0;
    this.#isStopped = !(this.#timeoutMs > 0);
  }

  /** Notes that the handshake was answered. From now on the CLI is expected to send something. */
  ready(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#restart();
  }

  wrote(message: SDKUserMessage): void {
    if (this.#isStopped) return;
    // Writing a message into a turn under way is not a sign of life from the CLI.
    const wasOwing = this.#isOwing();
    this.#turns.wrote(message);
    if (!wasOwing) this.#restart();
  }

  observe(message: WireObject): void {
    if (this.#isStopped) return;
    this.#isReady = true;
    this.#lastEvent = describeMessage(message);
    this.#turns.observe(message);
    this.#follow(message);
    this.#restart(readAnnouncedWait(message));
  }

  /** Notes that the CLI sent a message like the one before it. */
  heard(): void {
    this.#restart();
  }

  /** Notes that a request was settled, withdrawn or left open. Silence counts from now. */
  settled(): void {
    this.#restart();
  }

  /** Stops watching. May be called more than once. */
  stop(): void {
    this.#isStopped = true;
    this.#disarm();
  }

  #follow(message: WireObject): void {
    switch (message['type']) {
      case 'assistant':
        for (const block of blocksOf(message))
          if (block['type'] === 'tool_use') this.#tools.add(String(block['id']));
        return;
      case 'user':
        for (const block of blocksOf(message))
          if (block['type'] === 'tool_result') this.#tools.delete(String(block['tool_use_id']));
        return;
      case 'result':
        // The end of a tool or hook in an interrupted turn may never be reported.
        this.#tools.clear();
        this.#hooks.clear();
        return;
      case 'system':
        if (message['subtype'] === 'hook_started') this.#hooks.add(String(message['hook_id']));
        else if (message['subtype'] === 'hook_response') this.#hooks.delete(String(message['hook_id']));
    }
  }

  /** Whether a turn is under way, or a message waits for one. */
  #isOwing(): boolean {
    const { isInTurn, unanswered, resultSinceWrite, state } = this.#turns;
    if (state === 'requires_action') return false;
    return isInTurn || (unanswered > 0 && !resultSinceWrite);
  }

  /** Whether silence would mean something now. Open requests are checked only when the timer fires. */
  #isWatching(): boolean {
    return this.#isReady && this.#isOwing() && this.#tools.size === 0 && this.#hooks.size === 0;
  }

  #restart(announcedMs = 0): void {
    if (this.#isStopped) return;
    this.#silentSince = this.#clock.now() + announcedMs;
    if (!this.#isWatching()) this.#disarm();
    // A timer that is set is not moved, because that would cost time on every line. The timer checks the silence when
    // it fires.
    else if (this.#forget === undefined) this.#arm();
  }

  #arm(): void {
    const waitMs = Math.max(1, this.#silentSince + this.#timeoutMs - this.#clock.now());
    this.#dueAt = this.#clock.now() + waitMs;
    this.#forget = this.#clock.schedule(() => this.#expire(), waitMs);
  }

  #disarm(): void {
    this.#forget?.();
    this.#forget = undefined;
  }

  #expire(): void {
    this.#forget = undefined;
    if (this.#isStopped || !this.#isWatching()) return;
    // The CLI is waiting for us. When the open request is settled, the timer starts again.
    if (this.#options.isBusy()) return;
    const now = this.#clock.now();
    if (now - this.#dueAt > LATE_MS) {
      this.#restart();
      return;
    }
    const silentMs = Math.round(now - this.#silentSince);
    if (silentMs < this.#timeoutMs) {
      this.#arm();
      return;
    }
    this.stop();
    this.#options.onStall(new StalledError({ silentMs, lastEvent: this.#lastEvent }));
  }
}

/** How long the CLI said it would wait before it tries again. */
function readAnnouncedWait(message: WireObject): number {
  if (message['type'] !== 'system' || message['subtype'] !== 'api_retry') return 0;
  const delay = message['retry_delay_ms'];
  return typeof delay === 'number' && delay > 0 ? delay : 0;
}

function describeMessage(message: WireObject): string {
  const type = String(message['type']);
  const event = message['event'];
  const detail = isRecord(event) ? event['type'] : message['subtype'];
  if (typeof detail === 'string') return `${type} (${detail})`;
  const blocks = blocksOf(message).map(({ type: kind, name }) =>
    typeof name === 'string' ? `${String(kind)} ${name}` : String(kind),
  );
  return blocks.length === 0 ? type : `${type} (${blocks.join(', ')})`;
}
