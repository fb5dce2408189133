// Builds the story of a session from its events: prompts, thoughts, texts, calls and answers in order, with subagents inside
// the calls that started them. The time for an event does not grow with the length of the story.
import { readEnd, readStep, TimeReader } from '@inboard/core/record/trace/timeline/readable-step.js';
import {
  readWireAnswer,
  readCancel,
  readWireQuestion,
} from '@inboard/core/record/trace/timeline/wire-question.js';
import type { TraceEnd, TraceStep } from '@inboard/core/record/trace/trace-event.js';
import { asString } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { InspectorEvent, NumberedEvent } from '../../stream/inspector-event.js';
import { useFacts, type KnownFacts } from '../facts/known-facts.js';
import { notice, readEndNotice, readHeaderNotice, readSuspendedNotice, type Notice } from './read-notice.js';
import { StoryCalls } from './story-calls.js';
import type { StoryItem } from './story-item.js';
import { StoryList, type EventPlace } from './story-list.js';
import { StoryMessages } from './story-messages.js';
import { StoryRequests } from './story-requests.js';

/** The story of one session. */
export class Story {
  readonly #list = new StoryList();
  readonly #calls = new StoryCalls();
  readonly #messages: StoryMessages;
  readonly #requests: StoryRequests;
  readonly #times = new TimeReader();
  #starts = 0;
  #isTerminated = false;
  #sessionId: string | undefined;

  readonly #facts: KnownFacts;
  readonly #pushFacts: (event: InspectorEvent) => void;

  /** With `facts`, the caller gives each event to them first. */
  constructor(facts?: KnownFacts) {
    const use = useFacts(facts);
    this.#facts = use.facts;
    this.#pushFacts = use.push;
    this.#messages = new StoryMessages(this.#list, this.#calls, this.#facts);
    this.#requests = new StoryRequests(this.#calls, this.#facts, {
      beginCall: (id, name, input, place) => this.#messages.beginCall(id, name, input, place),
      question: (item) => this.#list.add(item),
      notice: (told, place) => this.#list.mark(told, place),
      interrupted: (place) => this.#messages.interrupt(place),
      changed: (what, value, place) => this.#messages.change(what, value, place),
    });
  }

  get items(): readonly StoryItem[] {
    return this.#list.items;
  }

  /** Grows when an item is added anywhere, so that lists need not be rebuilt for every piece of text. */
  get additions(): number {
    return this.#list.additions;
  }

  push(numbered: NumberedEvent): void {
    this.#pushFacts(numbered.event);
    this.#take(numbered);
    const { calls } = this.#facts;
    for (const id of calls.changed) this.#calls.setFate(id, calls.fateOf(id) ?? 'open');
    for (const id of calls.ended) this.#calls.close(id, this.#times.last);
    this.#messages.numberTurn();
  }

  #take({ n, event, isCut }: NumberedEvent): void {
    switch (event.type) {
      case 'frame':
      case 'completed':
      case 'fault':
      case 'gap':
      case 'input-end':
      case 'terminate':
        this.#step(readStep(event, this.#times), n, isCut);
        return;
      case 'header': {
        this.#starts += 1;
        const t = this.#times.readOf(event);
        if (this.#starts > 1) {
          this.#cut(t);
          this.#isTerminated = false;
        }
        this.#list.mark(readHeaderNotice(event, this.#starts > 1), { n, t });
        return;
      }
      case 'end': {
        const end = readEnd(event, this.#times);
        this.#cut(end.t);
        const isExpected = this.#isTerminated || this.#messages.hasFailed;
        this.#markEnd(readEndNotice(end, isExpected), end, { n, t: end.t });
        return;
      }
      default:
    }
    const t = this.#times.readOf(event);
    switch (event.type) {
      case 'pieces':
        this.#messages.addPieces(event, { n, t });
        break;
      case 'asked':
        this.#requests.asked(event, { n, t });
        break;
      case 'settled':
        this.#requests.settled(event, t);
        break;
      case 'warning':
        this.#list.mark(notice(event.what ?? 'warning', event.message, { detail: event.code }), { n, t });
        break;
      case 'suspended':
        this.#list.mark(readSuspendedNotice(event), { n, t });
        break;
      case 'over':
        this.#cut(t, true);
        if (event.error) {
          const { code, message } = event.error;
          const isError = !this.#messages.hasFailed;
          this.#markOver(notice('end', message, { detail: code, isError }), event.error, { n, t });
        }
        break;
      default:
    }
  }

  /** Marks an end; one that nobody asked for is a crash, with all that is known of it. */
  #markEnd(told: Notice, { signal, stderrTail, error }: Partial<TraceEnd>, place: EventPlace): void {
    const call = this.#list.items.findLast((item) => item.kind === 'call');
    const crash = { signal, stderrTail, error, call, sessionId: this.#sessionId };
    this.#list.mark({ ...told, ...(told.isError && { crash }) }, place);
  }

  /** The error that follows from a crash belongs to its card. */
  #markOver(told: Notice, error: { code: string; message: string }, place: EventPlace): void {
    const last = this.#list.items.at(-1);
    if (last?.kind === 'mark' && last.crash) last.crash = { ...last.crash, error };
    else this.#markEnd(told, { error }, place);
  }

  /** Ends the story of a recording that has no end. Open items stay without a result. */
  cutOff(): void {
    this.push({ n: 0, s: '', event: { type: 'over', t: this.#times.last } });
  }

  #step(step: TraceStep, n: number, isCut: boolean | undefined): void {
    const place = { n, t: step.t, isCut };
    switch (step.type) {
      case 'frame':
        if (step.frame) this.#frame(step.dir, step.frame, place);
        break;
      case 'completed':
        if (step.frame) this.#messages.take('in', step.frame, place);
        break;
      case 'fault':
        this.#list.mark(notice('fault', step.message, { detail: step.code, isError: true }), place);
        break;
      case 'gap':
        this.#list.mark(notice('gap', `Events are missing: ${step.reason}`), place);
        break;
      case 'terminate':
        this.#isTerminated = true;
        break;
      default:
    }
  }

  #frame(dir: 'in' | 'out', frame: WireObject, place: EventPlace): void {
    switch (frame['type']) {
      case 'control_request': {
        const question = readWireQuestion(frame);
        if (question) this.#requests.ask(dir, question, place);
        break;
      }
      case 'control_response': {
        const answer = readWireAnswer(frame);
        // An answer in one direction belongs to a request in the other.
        if (answer) this.#requests.answer(dir === 'in' ? 'out' : 'in', answer.requestId, answer.value, place);
        break;
      }
      case 'control_cancel_request':
        this.#requests.cancel(dir, readCancel(frame) ?? '', place.t);
        break;
      default:
        // What the host sends names no session, or '': the CLI has the id, and a new one after a reset.
        if (dir === 'in') this.#sessionId = asString(frame['session_id']) || this.#sessionId;
        this.#messages.take(dir, frame, place);
    }
  }

  #cut(t: number, isOver = false): void {
    this.#messages.cutAll(t);
    this.#requests.cutAll(t, isOver);
  }
}
