// Decides what became of each call of a session, and when it is over. Every view and every total that says that a call runs, ran,
// failed, was denied or was cut off takes it from here. `message-fates` reads the messages of the conversation.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { TimedEvent } from './activity.js';
import { wireToolName, type CallFate } from './fated-call.js';
import { FatedCalls } from './fated-calls.js';
import { MessageFates } from './message-fates.js';
import { isDenial, isHookDenial, readCancel, readWireAnswer, readWireQuestion } from './wire-question.js';

/** The calls of one session, each with what became of it. It must get each event of the session in order. */
export class CallFates {
  readonly #table = new FatedCalls();
  readonly #messages = new MessageFates(this.#table);
  /** The calls that open requests of the CLI are about, by the id of the request. */
  readonly #requests = new Map<string, { kind: 'permission' | 'hook'; toolUseId: string }>();
  /** The calls that requests to run a tool are for, by the id of the request. */
  readonly #handlers = new Map<string, string>();
  /** What questions of the inspector are about, by the id of the question. They end when the inspector says so. */
  readonly #asked = new Map<string, { toolUseId: string; decides: boolean }>();
  #hasCli = true;

  /** The calls that the last event showed for the first time. */
  get begun(): readonly string[] {
    return this.#table.begun;
  }

  /** The calls whose fate the last event changed. */
  get changed(): readonly string[] {
    return this.#table.changed;
  }

  /** The calls that the last event ended: their results came, or were given up. */
  get ended(): readonly string[] {
    return this.#table.ended;
  }

  /** The calls that were over, and that the last event opened again. */
  get reopened(): readonly string[] {
    return this.#table.reopened;
  }

  /** The calls whose result the last event brought. A result that comes again is not among them. */
  get answered(): readonly string[] {
    return this.#table.answered;
  }

  /** The number of calls that failed. */
  get failed(): number {
    return this.#table.failed;
  }

  /** What became of a call; undefined if it is not known. */
  fateOf(toolUseId: string): CallFate | undefined {
    return this.#table.get(toolUseId)?.fate;
  }

  /** Whether a call is over. */
  isOver(toolUseId: string): boolean {
    return this.#table.get(toolUseId)?.isOver === true;
  }

  /** The calls that are open and written whole, except those that the conversation does not wait for. */
  get running(): string[] {
    return [...this.#table.open].filter((id) => {
      const call = this.#table.get(id);
      return call?.fate === 'open' && call.isWritten && !call.isBackground;
    });
  }

  /** The name of a call's tool, as the model knows it. */
  toolNameOf(toolUseId: string): string | undefined {
    return this.#table.get(toolUseId)?.toolName;
  }

  /** The call that a request to run a tool is for, by the id of the request; undefined for other requests. */
  handlerOf(requestId: string): string | undefined {
    return this.#handlers.get(requestId);
  }

  push(event: TimedEvent): void {
    this.#table.startEvent();
    switch (event.type) {
      case 'frame':
        if (isRecord(event.frame)) this.#observe(event.frame, event.dir === 'out' ? 'out' : 'in');
        break;
      case 'completed':
        if (isRecord(event.frame)) this.#messages.readUser(event.frame);
        break;
      case 'pieces':
        this.#messages.needParent(event.parent);
        break;
      case 'asked':
        this.#readAsked(event.question);
        break;
      case 'settled':
        this.#readSettled(event.id, event.outcome);
        break;
      case 'suspended':
        if (event.waitsFor.length > 0) this.#reopen();
        break;
      case 'header':
      case 'end':
      case 'over':
        this.#changeCli(event.type);
        break;
      default:
    }
  }

  #observe(frame: WireObject, dir: 'in' | 'out'): void {
    switch (frame['type']) {
      case 'control_request':
        if (dir === 'in') this.#readRequest(frame);
        break;
      case 'control_response':
        if (dir === 'out') this.#readAnswer(frame);
        break;
      case 'control_cancel_request':
        if (dir === 'in') this.#requests.delete(readCancel(frame) ?? '');
        break;
      default:
        this.#messages.observe(frame);
    }
  }

  #readRequest(frame: WireObject): void {
    const question = readWireQuestion(frame);
    if (!question) return;
    const { kind, requestId, toolUseId, name, mcp } = question;
    if (kind === 'permission') {
      const id = toolUseId ?? requestId;
      this.#ask(id, name);
      this.#requests.set(requestId, { kind, toolUseId: id });
    } else if (kind === 'hook' && name === 'PreToolUse' && toolUseId !== undefined)
      this.#requests.set(requestId, { kind, toolUseId });
    else if (kind === 'tool' && mcp) {
      const full = wireToolName(mcp.server, name);
      const id = toolUseId ?? this.#findWaiting(full) ?? requestId;
      const call = this.#table.begin(id, full, null);
      call.hasHandler = true;
      call.isWritten = true;
      this.#handlers.set(requestId, id);
    }
  }

  #readAnswer(frame: WireObject): void {
    const answer = readWireAnswer(frame);
    const open = answer && this.#requests.get(answer.requestId);
    if (!open) return;
    this.#requests.delete(answer.requestId);
    if (open.kind === 'permission') this.#table.decide(open.toolUseId, isDenial(answer.value));
    else if (isHookDenial(answer.value)) this.#table.decide(open.toolUseId, true);
  }

  #readAsked({ id, kind, subject, toolUseId }: Extract<TimedEvent, { type: 'asked' }>['question']): void {
    if (toolUseId === undefined) return;
    const decides = kind === 'permission' || kind === 'ask-user';
    if (decides || kind === 'pending') this.#ask(toolUseId, subject);
    this.#asked.set(id, { toolUseId, decides });
  }

  #readSettled(id: string, outcome: string | undefined): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (!asked) return;
    const { toolUseId, decides } = asked;
    if (decides && outcome === 'denied') this.#table.decide(toolUseId, true);
    else if (decides && (outcome === 'allowed' || outcome === 'allowed-always'))
      this.#table.decide(toolUseId, false);
    // Without a CLI, a call stays open only for its question.
    else if (outcome === 'withdrawn' && !this.#hasCli) this.#table.giveUp(toolUseId);
  }

  /** Cuts off what ends with a CLI. Calls that the inspector asks about need none, and stay open until the session is over. */
  #changeCli(type: 'header' | 'end' | 'over'): void {
    if (type === 'over') this.#asked.clear();
    const waiting = new Set(Array.from(this.#asked.values(), ({ toolUseId }) => toolUseId));
    // What a subagent asks is open as long as the call that started it.
    for (const id of waiting) {
      const parent = this.#table.get(id)?.parent ?? null;
      if (parent !== null) waiting.add(parent);
    }
    this.#hasCli = type === 'header';
    this.#table.cutWithCli.clear();
    for (const id of this.#table.open) {
      if (waiting.has(id)) continue;
      if (type === 'end' && this.fateOf(id) === 'open') this.#table.cutWithCli.add(id);
      this.#table.giveUp(id);
    }
    this.#requests.clear();
    this.#handlers.clear();
  }

  /** Opens the calls again that ended with the last CLI, because their turn waits for them without a CLI. */
  #reopen(): void {
    for (const id of this.#table.cutWithCli) if (this.fateOf(id) === 'cut') this.#table.set(id, 'open');
    this.#table.cutWithCli.clear();
  }

  /** Finds the call of a request that names no call, as those of older CLIs: the oldest that may run and has not begun to. */
  #findWaiting(toolName: string): string | undefined {
    const asked = new Set([...this.#requests.values(), ...this.#asked.values()].map((one) => one.toolUseId));
    for (const id of this.#table.open) {
      const call = this.#table.get(id);
      if (call?.toolName === toolName && call.fate === 'open' && !call.hasHandler && !asked.has(id))
        return id;
    }
    return undefined;
  }

  /** Takes a question about a call. One that was cut off or denied is open again if it is asked about again. */
  #ask(toolUseId: string, toolName: string): void {
    const call = this.#table.begin(toolUseId, toolName, null);
    call.isDenied = false;
    call.isWritten = true;
    if (call.fate === 'cut' || call.fate === 'denied') this.#table.set(toolUseId, 'open');
  }
}
