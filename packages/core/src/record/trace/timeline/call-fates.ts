// Decides what became of each call of a session. Every view and every total that says that a call ran, failed, was denied
// or was cut off takes it from here.
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { completedOf, hasRun } from '../../../wire/protocol/messages/completed-call.js';
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import type { TimedEvent } from './activity.js';
import { createFatedCall, isCallBlock, wireToolName, type CallFate, type FatedCall } from './fated-call.js';
import { isStartedOnly, readOutcomes } from './tool-outcome.js';
import { isDenial, isHookDenial, readCancel, readWireAnswer, readWireQuestion } from './wire-question.js';

/** The calls of one session, each with what became of it. It must get each event of the session in order. */
export class CallFates {
  /** The calls that the last event showed for the first time. */
  begun: string[] = [];
  /** The calls whose fate the last event changed. */
  changed: string[] = [];
  readonly #calls = new Map<string, FatedCall>();
  readonly #open = new Set<string>();
  /** The calls that open requests of the CLI are about, by the id of the request. */
  readonly #requests = new Map<string, { kind: 'permission' | 'hook'; toolUseId: string }>();
  /** The calls that requests to run a tool are for, by the id of the request. */
  readonly #handlers = new Map<string, string>();
  /** What questions of the inspector are about, by the id of the question. They end when the inspector says so. */
  readonly #asked = new Map<string, { toolUseId: string; decides: boolean }>();
  /** The calls that the end of the last CLI cut off. */
  readonly #cutWithCli = new Set<string>();
  #hasCli = true;
  #failed = 0;

  /** The number of calls that failed. */
  get failed(): number {
    return this.#failed;
  }

  /** What became of a call; undefined if it is not known. */
  fateOf(toolUseId: string): CallFate | undefined {
    return this.#calls.get(toolUseId)?.fate;
  }

  /** The name of a call's tool, as the model knows it. */
  toolNameOf(toolUseId: string): string | undefined {
    return this.#calls.get(toolUseId)?.toolName;
  }

  /** The call that a request to run a tool is for, by the id of the request; undefined for other requests. */
  handlerOf(requestId: string): string | undefined {
    return this.#handlers.get(requestId);
  }

  push(event: TimedEvent): void {
    this.begun = [];
    this.changed = [];
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
      this.#begin(id, full, null).hasHandler = true;
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
    else if (outcome === 'withdrawn' && !this.#hasCli && this.#open.has(toolUseId))
      this.#set(toolUseId, 'cut');
  }

  /** Cuts off what ends with a CLI. Calls that the inspector asks about need none, and stay open until the session is over. */
  #changeCli(type: 'header' | 'end' | 'over'): void {
    if (type === 'over') this.#asked.clear();
    const waiting = new Set(Array.from(this.#asked.values(), ({ toolUseId }) => toolUseId));
    this.#hasCli = type === 'header';
    this.#cutWithCli.clear();
    for (const id of this.#open) {
      if (waiting.has(id)) continue;
      this.#set(id, 'cut');
      if (type === 'end') this.#cutWithCli.add(id);
    }
    this.#requests.clear();
    this.#handlers.clear();
  }

  /** Opens the calls again that ended with the last CLI, because their turn waits for them without a CLI. */
  #reopen(): void {
    for (const id of this.#cutWithCli) if (this.fateOf(id) === 'cut') this.#set(id, 'open');
    this.#cutWithCli.clear();
  }

  #readAssistant(frame: WireObject): void {
    const parent = this.#needParent(frame['parent_tool_use_id']);
    for (const block of blocksOf(frame)) {
      const { type, id, tool_use_id: resultOf } = block;
      if (isCallBlock(type) && typeof id === 'string') this.#begin(id, asString(block['name']) ?? '', parent);
      // The result of a tool that the API runs itself is in the same message.
      else if (typeof resultOf === 'string' && this.#calls.has(resultOf)) this.#set(resultOf, 'done');
    }
  }

  #readStream(frame: WireObject): void {
    const event = isRecord(frame['event']) ? frame['event'] : {};
    const parent = this.#needParent(frame['parent_tool_use_id']);
    if (event['type'] !== 'content_block_start' || !isRecord(event['content_block'])) return;
    const { type, id, name } = event['content_block'];
    if (isCallBlock(type) && typeof id === 'string') this.#begin(id, asString(name) ?? '', parent);
  }

  #readUser(frame: WireObject): void {
    const outcomes = readOutcomes(frame, blocksOf(frame));
    const completed = completedOf(frame);
    if (completed) {
      const { toolUseId, toolName } = completed;
      this.#cutWithCli.delete(toolUseId);
      const { fate } = this.#begin(toolUseId, toolName, null);
      const [outcome] = outcomes;
      if (completed.how === 'denied') this.#set(toolUseId, 'denied');
      else if (!hasRun(completed)) this.#set(toolUseId, 'cut');
      else if (outcome) this.#set(toolUseId, outcome.isError ? 'failed' : 'done');
      else if (fate === 'open') this.#set(toolUseId, 'cut');
      return;
    }
    for (const { toolUseId, isError, isRefused, isCut } of outcomes) {
      const call = this.#calls.get(toolUseId);
      if (!call) continue;
      if (isStartedOnly(frame)) call.isBackground = true;
      else if (!isError) this.#set(toolUseId, 'done');
      else this.#set(toolUseId, isRefused || call.isDenied ? 'denied' : isCut ? 'cut' : 'failed');
    }
  }

  /** Reads the end of a turn. It lists refusals that no question shows, and cuts off calls that have no result. */
  #endTurn({ permission_denials: denials }: WireObject): void {
    for (const denial of Array.isArray(denials) ? denials.filter(isRecord) : []) {
      const id = String(denial['tool_use_id']);
      if (this.#calls.has(id)) this.#decide(id, true);
    }
    for (const id of this.#open) {
      const call = this.#calls.get(id);
      if (call?.parent === null && !call.isBackground) this.#set(id, 'cut');
    }
  }

  #endTask({ tool_use_id: toolUseId, status }: WireObject): void {
    const call = typeof toolUseId === 'string' ? this.#calls.get(toolUseId) : undefined;
    if (!call?.isBackground || call.fate !== 'open') return;
    this.#set(String(toolUseId), status === 'completed' ? 'done' : status === 'failed' ? 'failed' : 'cut');
  }

  /** Finds the call of a request that names no call, as those of older CLIs: the oldest that has not begun to run. */
  #findWaiting(toolName: string): string | undefined {
    for (const id of this.#open) {
      const call = this.#calls.get(id);
      if (call?.toolName === toolName && !call.hasHandler) return id;
    }
    return undefined;
  }

  /** Takes a question about a call. One that was cut off or denied is open again if it is asked about again. */
  #ask(toolUseId: string, toolName: string): void {
    const call = this.#begin(toolUseId, toolName, null);
    call.isDenied = false;
    if (call.fate === 'cut' || call.fate === 'denied') this.#set(toolUseId, 'open');
  }

  #decide(toolUseId: string, isDenied: boolean): void {
    const call = this.#calls.get(toolUseId);
    if (!call) return;
    call.isDenied = isDenied;
    if (isDenied && call.fate !== 'done') this.#set(toolUseId, 'denied');
    else if (!isDenied && call.fate === 'denied') this.#set(toolUseId, 'open');
  }

  /** The call of a subagent that writes. If no event showed the call, it is added. */
  #needParent(parent: unknown): string | null {
    if (typeof parent !== 'string') return null;
    this.#begin(parent, 'Task', null);
    return parent;
  }

  #begin(toolUseId: string, toolName: string, parent: string | null): FatedCall {
    const known = this.#calls.get(toolUseId);
    if (known) return known;
    const call = createFatedCall(toolName, parent);
    this.#calls.set(toolUseId, call);
    this.#open.add(toolUseId);
    this.begun.push(toolUseId);
    return call;
  }

  #set(toolUseId: string, fate: CallFate): void {
    const call = this.#calls.get(toolUseId);
    if (!call || call.fate === fate) return;
    if (call.fate === 'failed') this.#failed -= 1;
    if (fate === 'failed') this.#failed += 1;
    call.fate = fate;
    if (fate === 'open') this.#open.add(toolUseId);
    else this.#open.delete(toolUseId);
    this.changed.push(toolUseId);
  }
}
