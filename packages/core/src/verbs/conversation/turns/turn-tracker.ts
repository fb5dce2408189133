// Decides which of the messages written to the CLI is being answered, and by which result. Newer CLIs report when each message
// starts and ends. An older one gets a single message at a time, so its next result is the answer. No I/O: callers report what
// they write and read.
import type { SDKMessage, SDKResultMessage } from '../../../wire/protocol/messages/messages.js';
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { TurnMeter, type TurnSpending } from '../../../record/usage/turn-meter.js';
import type { ModelShare } from '../../../record/usage/usage-totals.js';
import { MessageIgnoredError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import { withdrawalError, type OpenTurn } from './turn.js';

/** A result, and what its turn used. */
interface Answer {
  result: SDKResultMessage;
  spent: TurnSpending;
}

/** The turns that were written to the CLI and are not over. */
export class TurnTracker {
  /** The turns in the order in which they were written, by the ids of the messages that were written. */
  readonly #open = new Map<string, OpenTurn>();
  /** Turns that the CLI reported as finished, but whose common result has not come yet. */
  readonly #awaitingResult = new Set<OpenTurn>();
  /** Turns of an earlier CLI that this one goes on with. */
  readonly #resumed = new Set<OpenTurn>();
  /** A result that named no message, kept until the next message or turn begins. */
  #namelessResult: Answer | undefined;
  readonly #meter = new TurnMeter();
  #reports = false;
  #isInTurn = false;

  /** Whether the CLI reports on each message, so that several can be written at a time. */
  get reports(): boolean {
    return this.#reports;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whether the CLI is in the middle of a turn, including one that it began by itself. */
  get isInTurn(): boolean {
    return this.#isInTurn || this.#open.size > 0;
  }

  /** The turn that the CLI begins next. Undefined while it is in a turn. */
  get next(): OpenTurn | undefined {
    const [turn] = this.#open.values();
    return this.#isInTurn || this.running ? undefined : turn;
  }

  /** The oldest turn that the CLI has begun. */
  get running(): OpenTurn | undefined {
    return [...this.#open.values()].find(({ state }) => state === 'running');
  }

  /** Whether a turn may still be waiting in the CLI's own queue. */
  isWritten(turn: OpenTurn): boolean {
    return this.#open.get(turn.message.uuid) === turn;
  }

  wrote(turn: OpenTurn): void {
    turn.state = 'sent';
    this.#open.set(turn.message.uuid, turn);
  }

  /** Notes that another CLI answers from now on. */
  startOver(): void {
    this.#meter.startOver();
  }

  /** Adds what the running turn used on a CLI that is let go. */
  carry(used: Record<string, ModelShare>): void {
    this.#meter.carry(used);
  }

  /** What a turn used that was stopped while there was no CLI. `result` tells that, and reports no usage. */
  measureStopped(result: SDKResultMessage): TurnSpending {
    return this.#meter.measure(result);
  }

  /** Notes that the CLI goes on with this turn by itself. The next result answers it. */
  resume(turn: OpenTurn): void {
    this.wrote(turn);
    turn.begin();
    this.#resumed.add(turn);
  }

  /** Removes and returns all open turns in order, because the CLI is gone. */
  drain(): OpenTurn[] {
    const turns = [...this.#open.values()];
    this.#open.clear();
    this.#awaitingResult.clear();
    this.#resumed.clear();
    this.#namelessResult = undefined;
    this.#isInTurn = false;
    return turns;
  }

  /** Removes a turn that has ended or is about to. */
  forget(turn: OpenTurn): void {
    if (this.isWritten(turn)) this.#open.delete(turn.message.uuid);
    this.#awaitingResult.delete(turn);
    this.#resumed.delete(turn);
  }

  /** Fails the turn of a message that the CLI has not taken up although it is idle. */
  ignore(uuid: string): void {
    const turn = this.#open.get(uuid);
    if (!turn) return;
    this.forget(turn);
    turn.fail(turn.withdrawal ?? new MessageIgnoredError(turn.uuid));
  }

  /**
   * Passes a message to the turns it belongs to, and ends those it answers. A hidden message goes only to their text streams.
   * Returns how many turns ended.
   */
  observe(message: SDKMessage, encode: () => string, isHidden = false): number {
    const before = this.#open.size;
    const wire = message as unknown as WireObject;
    if (wire['type'] === 'command_lifecycle') this.#observeCommand(wire);
    if (wire['type'] === 'system' && wire['subtype'] === 'init') {
      this.#isInTurn = true;
      this.#namelessResult = undefined;
      this.#beginUnreported();
    }
    if (wire['type'] === 'result') this.#beginUnreported();
    for (const turn of this.#open.values()) {
      if (turn.state !== 'running') continue;
      turn.toolsUsed ||= asksForTool(wire);
      turn.texts.observe(message);
      if (!isHidden) turn.deliver(message, encode);
    }
    if (message.type === 'result') this.#observeResult(message);
    return before - this.#open.size;
  }

  /** Marks turns as begun on a CLI without reports. The first message of a turn shows there that it has begun. */
  #beginUnreported(): void {
    if (!this.#reports) for (const turn of this.#open.values()) turn.begin();
  }

  #observeCommand(message: WireObject): void {
    this.#reports = true;
    const turn = this.#open.get(String(message['command_uuid']));
    if (!turn) return;
    switch (message['state']) {
      case 'queued':
        return;
      case 'started':
        turn.begin();
        this.#namelessResult = undefined;
        return;
      default:
        this.#close(turn, message['state'] === 'cancelled');
    }
  }

  /**
   * Handles the report that the CLI has finished a message. Its result may have come already or may still come. It never comes
   * if the message was cancelled before its turn began.
   */
  #close(turn: OpenTurn, isCancelled: boolean): void {
    if (isCancelled && turn.state !== 'running') {
      this.forget(turn);
      turn.fail(turn.withdrawal ?? withdrawalError());
    } else if (this.#namelessResult) this.#succeed([turn], this.#namelessResult);
    else this.#awaitingResult.add(turn);
  }

  #observeResult(result: SDKResultMessage): void {
    this.#isInTurn = false;
    const wire = result as unknown as WireObject;
    const answer = { result, spent: this.#meter.measure(wire) };
    const named = wire['user_message_uuids'] ?? wire['user_message_uuid'];
    const uuids: unknown[] = Array.isArray(named) ? named : [named];
    const answered = uuids.flatMap((uuid) => this.#open.get(String(uuid)) ?? []);
    for (const turn of [...this.#resumed, ...this.#awaitingResult])
      if (!answered.includes(turn)) answered.push(turn);
    if (uuids.every((uuid) => uuid === undefined) && !isOfCliItself(wire)) {
      if (!this.#reports) answered.push(...this.#open.values());
      else this.#namelessResult = answer;
    }
    this.#succeed(answered, answer);
  }

  #succeed(turns: readonly OpenTurn[], { result, spent }: Answer): void {
    const uuids = turns.map((turn) => turn.uuid);
    for (const turn of turns) {
      turn.mergedWith = uuids.filter((uuid) => uuid !== turn.uuid);
      this.forget(turn);
      turn.succeed(result, spent);
    }
  }
}

/** Whether the CLI began the turn by itself, when a background task ended. */
function isOfCliItself({ origin }: WireObject): boolean {
  return isRecord(origin) && origin['kind'] === 'task-notification';
}

function asksForTool(message: WireObject): boolean {
  return message['type'] === 'assistant' && blocksOf(message).some((block) => block['type'] === 'tool_use');
}
