// Decides what became of each call of a session, and when it is over. Every view and every total that says that a call runs, ran,
// failed, was denied or was cut off takes it from here.
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { completedOf, hasRun } from '../../../wire/protocol/messages/completed-call.js';
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import type { TimedEvent } from './activity.js';
import { isCallBlock, wireToolName, type CallFate } from './fated-call.js';
import { FatedCalls } from './fated-calls.js';
import { isStartedOnly, readOutcomes } from './tool-outcome.js';
import { isDenial, isHookDenial, readCancel, readWireAnswer, readWireQuestion } from './wire-question.js';

/** The calls of one session, each with what became of it. It must get each event of the session in order. */
export class CallFates {
  readonly #table = new FatedCalls();
  /** The calls that open requests of the CLI are about, by the id of the request. */
  readonly #requests = new Map<string, { kind: 'permission' | 'hook'; toolUseId: string }>();
  /** The calls that requests to run a tool are for, by the id of the request. */
  readonly #handlers = new Map<string, string>();
  /** What questions of the inspector are about, by the id of the question. They end when the inspector says so. */
  readonly #asked = new Map<string, { toolUseId: string; decides: boolean }>();
  /** The calls that the end of the last CLI cut off. */
  readonly #cutWithCli = new Set<string>();
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
        if (isRecord(event.frame)) this.#readUser(event.frame);
        break;
      case 'pieces':
        this.#needParent(event.parent);
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
      case 'assistant':
        this.#readAssistant(frame);
        break;
      case 'stream_event':
        this.#readStream(frame);
        break;
      case 'user':
        this.#readUser(frame);
        break;
      case 'result':
        this.#endTurn(frame);
        break;
      case 'system':
        if (frame['subtype'] === 'task_notification') this.#endTask(frame);
        break;
      default:
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
    if (open.kind === 'permission') this.#decide(open.toolUseId, isDenial(answer.value));
    else if (isHookDenial(answer.value)) this.#decide(open.toolUseId, true);
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
    if (decides && outcome === 'denied') this.#decide(toolUseId, true);
    else if (decides && (outcome === 'allowed' || outcome === 'allowed-always'))
      this.#decide(toolUseId, false);
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
    this.#cutWithCli.clear();
    for (const id of this.#table.open) {
      if (waiting.has(id)) continue;
      if (type === 'end' && this.fateOf(id) === 'open') this.#cutWithCli.add(id);
      this.#table.giveUp(id);
    }
    this.#requests.clear();
    this.#handlers.clear();
  }

  /** Opens the calls again that ended with the last CLI, because their turn waits for them without a CLI. */
  #reopen(): void {
    for (const id of this.#cutWithCli) if (this.fateOf(id) === 'cut') this.#table.set(id, 'open');
    this.#cutWithCli.clear();
  }

  #readAssistant(frame: WireObject): void {
    const parent = this.#needParent(frame['parent_tool_use_id']);
    for (const block of blocksOf(frame)) {
      const { type, id, tool_use_id: resultOf } = block;
      if (isCallBlock(type) && typeof id === 'string')
        this.#table.begin(id, asString(block['name']) ?? '', parent).isWritten = true;
      // The result of a tool that the API runs itself is in the same message.
      else if (typeof resultOf === 'string' && this.#table.has(resultOf))
        this.#table.takeResult(resultOf, 'done');
    }
  }

  #readStream(frame: WireObject): void {
    const event = isRecord(frame['event']) ? frame['event'] : {};
    const parent = this.#needParent(frame['parent_tool_use_id']);
    if (event['type'] !== 'content_block_start' || !isRecord(event['content_block'])) return;
    const { type, id, name } = event['content_block'];
    if (isCallBlock(type) && typeof id === 'string') this.#table.begin(id, asString(name) ?? '', parent);
  }

  #readUser(frame: WireObject): void {
    const outcomes = readOutcomes(frame, blocksOf(frame));
    const completed = completedOf(frame);
    if (completed) {
      const { toolUseId, toolName } = completed;
      this.#cutWithCli.delete(toolUseId);
      const call = this.#table.begin(toolUseId, toolName, null);
      call.isWritten = true;
      const [outcome] = outcomes;
      if (completed.how === 'denied') this.#table.set(toolUseId, 'denied');
      else if (!hasRun(completed)) this.#table.set(toolUseId, 'cut');
      else if (outcome) this.#table.set(toolUseId, outcome.isError ? 'failed' : 'done');
      else if (call.fate === 'open') this.#table.set(toolUseId, 'cut');
      this.#table.end(toolUseId);
      return;
    }
    for (const { toolUseId, isError, isRefused, isCut } of outcomes) {
      const call = this.#table.get(toolUseId);
      if (!call) continue;
      if (isStartedOnly(frame)) call.isBackground = true;
      else if (!isError) this.#table.takeResult(toolUseId, 'done');
      else
        this.#table.takeResult(toolUseId, isRefused || call.isDenied ? 'denied' : isCut ? 'cut' : 'failed');
    }
  }

  /** Reads the end of a turn. It lists refusals that no question shows, and cuts off calls that have no result. */
  #endTurn({ permission_denials: denials }: WireObject): void {
    for (const denial of Array.isArray(denials) ? denials.filter(isRecord) : []) {
      const id = asString(denial['tool_use_id']);
      if (id !== undefined && this.#table.has(id)) this.#decide(id, true);
    }
    for (const id of this.#table.open) {
      const call = this.#table.get(id);
      if (call?.parent === null && !call.isBackground) this.#table.giveUp(id);
    }
  }

  #endTask({ tool_use_id: toolUseId, status }: WireObject): void {
    const call = typeof toolUseId === 'string' ? this.#table.get(toolUseId) : undefined;
    if (typeof toolUseId !== 'string' || !call) return;
    if (!call.isBackground) this.#table.giveUpCallsOf(toolUseId);
    else if (!call.isOver)
      this.#table.takeResult(
        toolUseId,
        status === 'completed' ? 'done' : status === 'failed' ? 'failed' : 'cut',
      );
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

  #decide(toolUseId: string, isDenied: boolean): void {
    const call = this.#table.get(toolUseId);
    if (!call || (call.isOver && !isDenied)) return;
    call.isDenied = isDenied;
    if (isDenied && call.fate !== 'done') this.#table.set(toolUseId, 'denied');
    else if (!isDenied && call.fate === 'denied') this.#table.set(toolUseId, 'open');
  }

  /** The call of a subagent that writes. If no event showed the call, it is added. */
  #needParent(parent: unknown): string | null {
    if (typeof parent !== 'string') return null;
    this.#table.begin(parent, 'Task', null);
    return parent;
  }
}
