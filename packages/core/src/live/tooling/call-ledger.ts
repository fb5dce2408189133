// Identifies calls across restarts. It counts the equal calls of one message, and the attempts at each. A call that
// was cut off and is made again keeps its place, and therefore its key. A key is computed only if someone asks for it.
import { randomUUID } from '../../util/random-uuid.js';
import type { Options } from '../../options/options.js';
import type { CallIdentity, NamedCall } from '../../wire/protocol/call-identity.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { blocksOf, isOutcomeUnknown } from '../../wire/protocol/messages/message-content.js';
import { createCallKey, digestInput, FIRST_MESSAGE } from './call-key.js';
import { MessageNames } from './message-names.js';

/** If a turn has this many calls, those that have ended are no longer held, but still counted. */
const MAX_HELD_CALLS = 256;

/** The equal calls of a message. A turn may have thousands of them, so they are searched only if one may be free. */
interface Family {
  readonly places: Place[];
  mayHaveFree: boolean;
}

/** One of several equal calls of a message. */
interface Place {
  readonly family: Family;
  readonly ordinal: number;
  attempts: number;
  /** Whether the last attempt was cut off. The next equal call then takes this place. */
  isFree: boolean;
}

interface HeldCall extends NamedCall {
  /** Undefined until the call gets its place among equal calls. */
  place?: Place;
  identity?: CallIdentity;
  hasEnded: boolean;
  /** Whether the model of the conversation itself made it, and no subagent, whose calls are in another transcript. */
  isOwn?: boolean;
}

/** A turn that was cut off, as read from its transcript. */
export interface CutTurn {
  /** The name of the turn's message in keys. */
  message: string;
  /** The calls in the order in which they were made. */
  calls: readonly CutTurnCall[];
}

/** A call of a turn that was cut off. */
interface CutTurnCall {
  toolName: string;
  input: unknown;
  hasEnded: boolean;
  /** Whether the model may make the call again. Default: true if the call has not ended. */
  mayComeAgain?: boolean | undefined;
}

/** One per conversation or query. It outlives the CLIs of a conversation. */
export class CallLedger {
  readonly names: MessageNames;
  #conversation: string = randomUUID();
  /** The message whose calls are held. */
  #message: string | undefined;
  readonly #calls = new Map<string, HeldCall>();
  /** The places of the calls of this message that were cut off, by the ids of the calls. */
  readonly #cut = new Map<string, Place>();
  /** The places of its calls that had ended when their CLI was gone, by the ids of the calls. */
  readonly #ended = new Map<string, Place>();
  /** The held calls that have no place yet, in the order in which they were made. */
  #unplaced: HeldCall[] = [];
  /**
   * How many calls may be held before those that ended are dropped. It is at least twice the number left after the last
   * drop, so that the search costs little per call.
   */
  #heldLimit = MAX_HELD_CALLS;
  /** The families by tool and digest of the input. */
  readonly #families = new Map<string, Family>();

  /** `nameOfFirst` names the first message that is written, if that is the first message of the conversation. */
  constructor(nameOfFirst?: string) {
    this.names = new MessageNames(nameOfFirst);
  }

  observe(message: WireObject): void {
    switch (message['type']) {
      case 'assistant':
        for (const block of blocksOf(message)) {
          if (block['type'] !== 'tool_use') continue;
          const held = this.#hold(String(block['id']), String(block['name']), block['input']);
          held.isOwn = typeof message['parent_tool_use_id'] !== 'string';
        }
        return;
      case 'user':
        for (const block of blocksOf(message)) if (block['type'] === 'tool_result') this.#end(block);
        return;
      case 'system':
        if (message['subtype'] === 'init' && typeof message['session_id'] === 'string') {
          this.#conversation = message['session_id'];
        }
    }
    this.names.observe(message);
  }

  /** Returns a call's identity. The permission question about a call and the call itself get the same one. */
  identify({ toolUseId, toolName, input }: NamedCall): CallIdentity {
    const id = toolUseId ?? randomUUID();
    this.#turnTo(this.names.current);
    const held = this.#calls.get(id) ?? this.#hold(id, toolName, input);
    if (!held.identity) {
      this.#placeAll();
      held.identity = this.#describe(held);
    }
    return held.identity;
  }

  /** Notes that the CLI is gone, which cut off its open calls. */
  cut(): void {
    this.#placeAll();
    for (const [id, { place, hasEnded, isOwn }] of this.#calls) {
      if (!place) continue;
      if (hasEnded && isOwn === true) this.#ended.set(id, place);
      if (hasEnded) continue;
      free(place);
      this.#cut.set(id, place);
    }
    this.#calls.clear();
    this.names.cut();
  }

  /** Notes that a call which was cut off got its result after all. An equal call that the model makes now is another call. */
  complete(toolUseId: string): void {
    const place = this.#cut.get(toolUseId);
    if (place) place.isFree = false;
  }

  /**
   * Notes which calls of the turn its transcript has. A CLI that is killed shortly after a call has not saved it, and its model makes it
   * again.
   */
  keepSaved(toolUseIds: ReadonlySet<string>): void {
    for (const [id, place] of this.#ended) if (!toolUseIds.has(id)) free(place);
    this.#ended.clear();
  }

  /** Takes over the calls of a turn that is continued, as read from its transcript. */
  restore({ message, calls }: CutTurn): void {
    this.#turnTo(message);
    for (const { toolName, input, hasEnded, mayComeAgain = !hasEnded } of calls) {
      const place = this.#take(toolName, input);
      if (mayComeAgain) free(place);
    }
  }

  /** Identifies all calls of a turn from its transcript, by their ids, as they were identified when they were made. */
  static identifyAll(
    conversation: string,
    message: string,
    calls: readonly (CutTurnCall & { toolUseId: string })[],
  ): Map<string, CallIdentity> {
    const ledger = new CallLedger();
    ledger.#conversation = conversation;
    ledger.#turnTo(message);
    return new Map(
      calls.map((call) => {
        const place = ledger.#take(call.toolName, call.input);
        const identity = ledger.#describe({ ...call, place: { ...place } });
        if (call.mayComeAgain ?? !call.hasEnded) free(place);
        return [call.toolUseId, identity];
      }),
    );
  }

  /** Starts a new count if the calls belong to another message. */
  #turnTo(message: string): void {
    if (this.#message === message) return;
    this.#message = message;
    this.#families.clear();
    this.#cut.clear();
    this.#ended.clear();
    this.#calls.clear();
    this.#unplaced = [];
    this.#heldLimit = MAX_HELD_CALLS;
  }

  #hold(toolUseId: string, toolName: string, input: unknown): HeldCall {
    this.#turnTo(this.names.current);
    const known = this.#calls.get(toolUseId);
    if (known) return known;
    if (this.#calls.size >= this.#heldLimit) this.#dropEnded();
    const held: HeldCall = { toolUseId, toolName, input, hasEnded: false };
    this.#calls.set(toolUseId, held);
    this.#unplaced.push(held);
    return held;
  }

  #end(block: WireObject): void {
    const held = this.#calls.get(String(block['tool_use_id']));
    if (!held || held.hasEnded) return;
    held.hasEnded = true;
    if (isOutcomeUnknown(block)) {
      this.#placeAll();
      if (held.place) free(held.place);
    }
  }

  #dropEnded(): void {
    this.#placeAll();
    for (const [id, { hasEnded }] of this.#calls) if (hasEnded) this.#calls.delete(id);
    this.#heldLimit = Math.max(MAX_HELD_CALLS, 2 * this.#calls.size);
  }

  /** Gives places in the order in which the calls were made, not in the order in which their keys are asked for. */
  #placeAll(): void {
    for (const held of this.#unplaced.splice(0)) held.place = this.#take(held.toolName, held.input);
  }

  #take(toolName: string, input: unknown): Place {
    const name = `${toolName} ${digestInput(input)}`;
    let family = this.#families.get(name);
    if (!family) this.#families.set(name, (family = { places: [], mayHaveFree: false }));
    const { places } = family;
    let place = family.mayHaveFree ? places.find(({ isFree }) => isFree) : undefined;
    family.mayHaveFree = place !== undefined;
    if (!place) places.push((place = { family, ordinal: places.length + 1, attempts: 0, isFree: false }));
    place.attempts += 1;
    place.isFree = false;
    return place;
  }

  #describe({ toolName, input, place }: HeldCall): CallIdentity {
    const { ordinal, attempts } = place as Place;
    const family = {
      conversation: this.#conversation,
      message: String(this.#message),
      toolName,
      input: digestInput(input),
    };
    return { callKey: createCallKey(family, ordinal), attempt: attempts };
  }
}

/** Frees a place, so that the next equal call takes it. */
function free(place: Place): void {
  place.isFree = true;
  place.family.mayHaveFree = true;
}

/** The ledger of a CLI that is started with these options. */
export function createCallLedger({
  resume,
  continue: isContinued,
}: Pick<Options, 'resume' | 'continue'>): CallLedger {
  return new CallLedger(resume === undefined && isContinued !== true ? FIRST_MESSAGE : undefined);
}
