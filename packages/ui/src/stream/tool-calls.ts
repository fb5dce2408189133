// The tool calls of one answer. Each call is begun before it is changed, and ended once. Nothing is sent for a call that the
// page does not know, or that is over.
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { UiApprovalDescriptor, UiChunk, UiProviderMetadata } from './ui-chunk.js';
import { describeAnswer } from './answer-facts.js';
import { readToolOutput } from './tool-output.js';

type Emit = (chunk: UiChunk) => void;

/** `streaming`: the input comes in pieces. `ready`: all of the input was sent. `over`: the call has ended. */
type CallState = 'streaming' | 'ready' | 'over';

interface OpenCall {
  name: string;
  state: CallState;
  /** The model's message that has the call. Undefined for a call of a subagent. */
  message?: object | undefined;
  isProviderExecuted: boolean;
  /** Whether a person said no. An error of the call is then a denial. */
  isDenied: boolean;
  /** The id of the question that was answered with no, as long as the page has not been told of the answer. */
  deniedAs?: string | undefined;
  /** Whether the call waits for a person. */
  isAsked: boolean;
  /** Whether this is not a call, but the part of a question that belongs to no call. */
  isQuestion: boolean;
}

/** A call as the model makes it. */
export interface CallFacts {
  id: string;
  name: string;
  message?: object | undefined;
  isProviderExecuted?: boolean | undefined;
}

/** A question to a person about a call. */
export interface ApprovalFacts {
  approvalId: string;
  /** Undefined for a question outside any call. Such a question gets its own part. */
  toolCallId: string | undefined;
  toolName: string;
  input: unknown;
  reason?: string | undefined;
  descriptor: UiApprovalDescriptor;
}

/** The answer of a person to a question. */
export interface AnswerFacts {
  approvalId: string;
  approved: boolean;
  reason?: string | undefined;
  /** The input that the tool gets in place of the model's input. */
  input?: unknown;
  /** Whether that input says something else. */
  isEdited?: boolean | undefined;
  /** Who answered, if that is known. */
  by?: string | undefined;
}

/** The calls of one answer, by id. */
export class ToolCalls {
  readonly #emit: Emit;
  readonly #calls = new Map<string, OpenCall>();
  /** For each open question, by its id: the call, and whether the tool's handler asks instead of the CLI. */
  readonly #asked = new Map<string, { toolCallId: string; isHeld: boolean }>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  get size(): number {
    return this.#calls.size;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** Whether the input of some call is still being streamed. */
  get isStreaming(): boolean {
    return [...this.#calls.values()].some(({ state }) => state === 'streaming');
  }

  /** Whether some call goes on without waiting for a person. Its result, or another question, may then come soon. */
  get isAtWork(): boolean {
    return [...this.#calls.values()].some(
      ({ state, isAsked, isProviderExecuted }) => state !== 'over' && !isAsked && !isProviderExecuted,
    );
  }

  start(facts: CallFacts): void {
    if (this.#calls.has(facts.id)) return;
    this.#add(facts, 'streaming');
    this.#emit({
      type: 'tool-input-start',
      toolCallId: facts.id,
      toolName: facts.name,
      dynamic: true,
      ...(facts.isProviderExecuted === true && { providerExecuted: true }),
    });
  }

  addInput(id: string, inputTextDelta: string): void {
    if (this.#calls.get(id)?.state !== 'streaming' || inputTextDelta === '') return;
    this.#emit({ type: 'tool-input-delta', toolCallId: id, inputTextDelta });
  }

  /** Sends the whole input of a call, once. */
  ready(facts: CallFacts, input: unknown): void {
    const call = this.#calls.get(facts.id) ?? this.#add(facts, 'streaming');
    if (call.state !== 'streaming') return;
    call.state = 'ready';
    this.#sendInput(facts.id, call, input);
  }

  /**
   * Notes that a call that was cut off is being completed. Its result comes next. Nothing is sent for a call that is over,
   * because it has already been shown.
   */
  complete({ callKey, toolUseId, toolName, input, ranInput, how, by }: CompletedCall): void {
    const call = this.#calls.get(toolUseId) ?? this.#add({ id: toolUseId, name: toolName }, 'streaming');
    if (call.state === 'over') return;
    call.state = 'ready';
    call.isAsked = false;
    if (how === 'denied' && !call.isDenied) call.deniedAs = callKey;
    call.isDenied = how === 'denied';
    const isEdited = ranInput === undefined ? undefined : true;
    const completed = withoutUndefined({ how, by, isEdited });
    this.#sendInput(toolUseId, call, ranInput ?? input, { inboard: { completed } });
  }

  /** Takes the result of a call, as the CLI reports it. */
  result(id: string, content: unknown, isError: boolean): void {
    const call = this.#calls.get(id);
    if (!call || call.state === 'over') return;
    const { text, files } = readToolOutput(content);
    if (isError && call.isDenied) this.#deny(id, call, text);
    else if (isError) this.fail(id, text || 'The tool failed.');
    else this.#finish(id, call, text);
    for (const file of files)
      this.#emit({ type: 'file', ...file, providerMetadata: { inboard: { toolCallId: id } } });
  }

  /** Takes the result of a call that the API ran itself. The result may be any value. */
  output(id: string, output: unknown): void {
    const call = this.#calls.get(id);
    if (call && call.state !== 'over') this.#finish(id, call, output);
  }

  /** Sends the output that a call has so far. */
  preliminary(id: string, output: string): void {
    if (this.#calls.get(id)?.state !== 'ready') return;
    this.#emit({
      type: 'tool-output-available',
      toolCallId: id,
      output,
      dynamic: true,
      preliminary: true,
    });
  }

  fail(id: string, errorText: string): void {
    const call = this.#calls.get(id);
    if (!call || call.state === 'over') return;
    if (call.state === 'ready')
      this.#end(id, { type: 'tool-output-error', toolCallId: id, errorText, dynamic: true });
    else
      this.#end(id, {
        type: 'tool-input-error',
        toolCallId: id,
        toolName: call.name,
        input: {},
        errorText,
        dynamic: true,
      });
  }

  ask({ approvalId, toolCallId = approvalId, toolName, input, reason, descriptor }: ApprovalFacts): void {
    const isQuestion = toolCallId === approvalId;
    // The call may not be shown yet. A subagent's call is shown only when it is asked about, and the CLI may ask before the
    // model's message is complete.
    this.ready({ id: toolCallId, name: toolName }, input);
    const call = this.#calls.get(toolCallId);
    if (!call || call.state === 'over') return;
    call.isQuestion ||= isQuestion;
    call.isAsked = true;
    // A question that is asked again, because its CLI was ended meanwhile, is the same question for the page.
    if (this.#asked.get(approvalId)?.toolCallId === toolCallId) return;
    this.#asked.set(approvalId, { toolCallId, isHeld: descriptor.kind === 'held' });
    this.#emit({
      type: 'tool-approval-request',
      approvalId,
      toolCallId,
      ...(reason !== undefined && { reason }),
      approvalDescriptor: descriptor,
    });
  }

  answered(facts: AnswerFacts): void {
    const { approvalId, approved, reason, input } = facts;
    const asked = this.#asked.get(approvalId);
    const call = asked && this.#calls.get(asked.toolCallId);
    if (!call || call.state === 'over') return;
    this.#asked.delete(approvalId);
    this.#emit({
      type: 'tool-approval-response',
      approvalId,
      approved,
      ...(reason !== undefined && { reason }),
    });
    call.isAsked = false;
    call.deniedAs = undefined;
    // A question of a handler has its own input, so its answer does not change the input of the call.
    if (!asked.isHeld) {
      call.isDenied = !approved;
      if (approved && input !== undefined)
        this.#sendInput(asked.toolCallId, call, input, describeAnswer(facts));
    }
    if (!call.isQuestion) return;
    if (approved) this.#finish(asked.toolCallId, call, 'approved');
    else this.#end(asked.toolCallId, { type: 'tool-output-denied', toolCallId: asked.toolCallId });
  }

  /** Forgets the calls of a message that was taken back with its step. */
  forget(message: object): void {
    for (const [id, call] of this.#calls) if (call.message === message) this.#calls.delete(id);
  }

  /**
   * Ends the calls that have no result with an error, because nothing more comes. `except` names calls that go on elsewhere.
   */
  close(errorText: string, except: ReadonlySet<string> = new Set()): void {
    for (const [id, call] of this.#calls) {
      if (call.state !== 'over' && !(except.has(id) && call.state === 'ready')) this.fail(id, errorText);
    }
  }

  #add({ id, name, message, isProviderExecuted = false }: CallFacts, state: CallState): OpenCall {
    const call = {
      name,
      state,
      message,
      isProviderExecuted,
      isDenied: false,
      isAsked: false,
      isQuestion: false,
    };
    this.#calls.set(id, call);
    return call;
  }

  #sendInput(
    toolCallId: string,
    call: OpenCall,
    input: unknown,
    providerMetadata?: UiProviderMetadata,
  ): void {
    this.#emit({
      type: 'tool-input-available',
      toolCallId,
      toolName: call.name,
      input,
      dynamic: true,
      ...(call.isProviderExecuted && { providerExecuted: true }),
      ...(providerMetadata && { providerMetadata }),
    });
  }

  #finish(toolCallId: string, call: OpenCall, output: unknown): void {
    // If the result came before the input was complete, an empty input is sent. The page accepts no output for a call without
    // an input.
    if (call.state === 'streaming') this.ready({ id: toolCallId, name: call.name }, {});
    this.#end(toolCallId, {
      type: 'tool-output-available',
      toolCallId,
      output,
      dynamic: true,
      ...(call.isProviderExecuted && { providerExecuted: true }),
    });
  }

  /** A page that was loaded after the answer learns its reason from the result. */
  #deny(toolCallId: string, { deniedAs: approvalId }: OpenCall, reason: string): void {
    if (approvalId !== undefined) {
      if (!this.#asked.has(approvalId)) this.#emit({ type: 'tool-approval-request', approvalId, toolCallId });
      this.#asked.delete(approvalId);
      this.#emit({ type: 'tool-approval-response', approvalId, approved: false, ...(reason && { reason }) });
    }
    this.#end(toolCallId, { type: 'tool-output-denied', toolCallId });
  }

  #end(id: string, chunk: UiChunk): void {
    const call = this.#calls.get(id);
    if (call) call.state = 'over';
    this.#emit(chunk);
  }
}
