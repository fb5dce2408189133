// Collects the servers, tools and calls of a session, and how questions about calls ended.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import {
  readWireAnswer,
  readMcpAnswer,
  readWireQuestion,
  type WireQuestion,
} from '@inboard/core/record/trace/timeline/wire-question.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { bodyOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { InspectorEvent, NumberedEvent, QuestionSettled } from '../../stream/inspector-event.js';
import { useFacts, type KnownFacts } from '../facts/known-facts.js';
import { ObservedCalls, type Moment } from './observed-calls.js';
import type { listToolEntries, ToolOverview } from './list-entries.js';
import type { ModelChoice, ObservedCall } from './tool-entry.js';
import { ToolListings } from './tool-listings.js';

/** A request, of either side, that has no response yet. */
interface OpenRequest {
  question: WireQuestion;
  moment: Moment;
  call: ObservedCall | undefined;
}

/** The tools of one session. */
export class ToolLedger {
  readonly #listings = new ToolListings();
  readonly #calls: ObservedCalls;
  readonly #facts: KnownFacts;
  readonly #pushFacts: (event: InspectorEvent) => void;
  readonly #open = new Map<string, OpenRequest>();
  /** The ids of the calls that questions are about, by the id of the question. */
  readonly #asked = new Map<string, string | undefined>();
  readonly #mentioned = new Set<string>();
  #overview: ToolOverview | undefined;
  /** How questions ended, by their id. */
  readonly settlements = new Map<string, QuestionSettled>();

  /** With `facts`, the caller gives each event to them first. */
  constructor(given?: KnownFacts) {
    const { facts, push } = useFacts(given);
    this.#facts = facts;
    this.#calls = new ObservedCalls(facts.calls);
    this.#pushFacts = push;
  }

  /** The models the session can change to, as the handshake named them. */
  get models(): readonly ModelChoice[] {
    return this.#listings.models;
  }

  /**
   * The overview as of the last event, as `list` makes it. It is the same object until an event comes that may change it.
   * The function is given, so that a page loads it only with the view that needs it.
   */
  read(list: typeof listToolEntries): ToolOverview {
    this.#overview ??= list(this.#listings, this.#calls, (name) => this.#mentioned.has(name));
    return this.#overview;
  }

  push({ n, event }: NumberedEvent): void {
    this.#pushFacts(event);
    const { t } = this.#facts;
    if (this.#calls.update({ n, t })) this.#overview = undefined;
    switch (event.type) {
      case 'frame':
        if (event.frame) this.#readFrame(event.frame, event.dir, { n, t });
        return;
      case 'completed':
        if (event.frame) this.#readMessage(event.frame, 'in', { n, t });
        return;
      case 'asked':
        this.#asked.set(event.question.id, event.question.toolUseId);
        return;
      case 'settled':
        this.#settle(event);
        return;
      default:
    }
  }

  #settle(event: QuestionSettled): void {
    this.settlements.set(event.id, event);
    const toolUseId = this.#asked.get(event.id);
    if (event.outcome !== 'denied' || toolUseId === undefined) return;
    this.#calls.deny(toolUseId, event.message ?? '');
    this.#overview = undefined;
  }

  #readFrame(frame: WireObject, dir: 'in' | 'out', moment: Moment): void {
    switch (frame['type']) {
      // The pieces of a streamed answer are not needed here.
      case 'stream_event':
        return;
      case 'control_request':
        this.#readRequest(frame, moment);
        return;
      case 'control_response':
        this.#readResponse(frame, moment);
        return;
      default:
        this.#readMessage(frame, dir, moment);
    }
  }

  #readRequest(frame: WireObject, moment: Moment): void {
    const question = readWireQuestion(frame);
    if (!question) return;
    if (question.subtype === 'initialize') this.#listings.readHandshake(question.request);
    const call = question.kind === 'tool' ? this.#calls.begin(question.requestId, moment) : undefined;
    this.#open.set(question.requestId, { question, moment, call });
    this.#overview = undefined;
  }

  #readResponse(frame: WireObject, moment: Moment): void {
    const answer = readWireAnswer(frame);
    const open = answer && this.#open.get(answer.requestId);
    if (!open) return;
    this.#open.delete(answer.requestId);
    this.#overview = undefined;
    const { question, call } = open;
    if (call) this.#calls.answer(call, open.moment.t, moment);
    else if (question.mcp) this.#readServerAnswer(question.mcp, readMcpAnswer(answer.value));
    else if (question.subtype === 'initialize') this.#listings.readHandshakeAnswer(answer.value);
    else if (question.kind === 'permission') this.#readPermission(question, answer.value);
  }

  #readServerAnswer({ server, message }: NonNullable<WireQuestion['mcp']>, value: unknown): void {
    const result = isRecord(value) ? value['result'] : undefined;
    if (!isRecord(result)) return;
    const params = isRecord(message['params']) ? message['params'] : {};
    if (message['method'] === 'initialize') this.#listings.readServerInfo(server, result);
    if (message['method'] === 'tools/list')
      this.#listings.readTools(server, result, params['cursor'] !== undefined);
  }

  #readPermission({ toolUseId }: WireQuestion, value: unknown): void {
    if (toolUseId === undefined || !isRecord(value) || value['behavior'] !== 'deny') return;
    this.#calls.deny(toolUseId, asString(value['message']) ?? '');
  }

  #readMessage(message: WireObject, dir: 'in' | 'out', moment: Moment): void {
    this.#overview = undefined;
    switch (message['type']) {
      case 'system':
        if (message['subtype'] === 'init') this.#listings.readInit(message);
        return;
      case 'assistant':
        this.#calls.readCalls(message, moment);
        this.#noteNames(message);
        return;
      case 'user':
        this.#calls.readResults(message);
        if (dir === 'out') this.#noteNames(message);
        return;
      default:
    }
  }

  /** Notes the tools that a message to or from the model mentions. */
  #noteNames(message: WireObject): void {
    const { content } = bodyOf(message);
    const text = textOf(content).toLowerCase();
    if (text === '') return;
    for (const { name } of this.#listings.tools.values())
      if (!this.#mentioned.has(name) && text.includes(name.toLowerCase())) this.#mentioned.add(name);
  }
}
