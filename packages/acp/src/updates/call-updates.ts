// Shows the tool calls of a session in the editor, each from its announcement to its result. Calls that only change the plan
// are shown as the plan.
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { isRecord } from '@inboard/core/util/guards.js';
import type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { describeTool, type ToolDescription } from './describe-tool.js';
import { PlanLedger } from './plan.js';
import { contentOfResult, type ToolResult } from './tool-result.js';

interface OpenCall {
  description: ToolDescription;
  input: Record<string, unknown>;
  /** Whether a person was asked about the call. The call is then shown as running only after the answer. */
  isAsked: boolean;
  /** Whether the editor shows the call as running. */
  isRunning: boolean;
  isAnnounced: boolean;
  /** Whether the input of the call is known and shown. */
  isDescribed: boolean;
}

/** The open calls of one session, by the id of their tool use. */
export class CallUpdates {
  /** Whether the messages that are taken now come from an earlier run. */
  isPast = false;
  readonly #cwd: string;
  /** The calls of the earlier run that still wait for an answer, by the ids of their tool uses. */
  readonly #waiting: ReadonlySet<string>;
  readonly #open = new Map<string, OpenCall>();
  readonly #plan = new PlanLedger();

  constructor(cwd: string, waiting: ReadonlySet<string> = new Set()) {
    this.#cwd = cwd;
    this.#waiting = waiting;
  }

  /** Announces a call whose input is still being written. `block` is the block of the model's answer that begins the call. */
  announce(block: unknown): SessionUpdate[] {
    if (!isRecord(block) || block['type'] !== 'tool_use') return [];
    const name = String(block['name']);
    if (PlanLedger.isAbout(name)) return [];
    const toolCallId = String(block['id']);
    if (this.#open.has(toolCallId)) return [];
    const description = describeTool(name, {}, { cwd: this.#cwd });
    this.#open.set(toolCallId, {
      description,
      input: {},
      isAsked: false,
      isRunning: false,
      isAnnounced: true,
      isDescribed: false,
    });
    const { title, kind } = description;
    return [{ sessionUpdate: 'tool_call', toolCallId, title, kind, name, status: 'pending' }];
  }

  /** Shows the input of a call. The call runs, unless a person is asked about it. */
  begin(id: string, name: string, input: Record<string, unknown>, parent: string): SessionUpdate[] {
    const updates = this.#describe(id, name, input, parent);
    const open = this.#open.get(id);
    return open?.isAnnounced === true && !open.isAsked ? [...updates, ...this.running(id)] : updates;
  }

  /**
   * Notes that a person is asked about a call. Returns the call as it is shown. If the call was not announced yet, also returns
   * the update that announces it.
   */
  ask(
    id: string,
    name: string,
    input: Record<string, unknown>,
  ): { call: ToolCallUpdate; updates: SessionUpdate[] } {
    const updates = this.#describe(id, name, input);
    const open = this.#open.get(id);
    // The message with the call may come before the question. Nothing runs until there is an answer.
    if (open?.isRunning === true)
      updates.push({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'pending' });
    if (open) Object.assign(open, { isAsked: true, isRunning: false });
    // The call is described again, because a hook may have changed the input.
    const { title, kind, locations, content } = describeTool(name, input, { cwd: this.#cwd });
    const call: ToolCallUpdate = { toolCallId: id, title, kind, name, status: 'pending', rawInput: input };
    if (locations.length > 0) call.locations = locations;
    if (content.length > 0) call.content = content;
    return { call, updates };
  }

  running(toolCallId: string): SessionUpdate[] {
    const open = this.#open.get(toolCallId);
    if (open?.isAnnounced !== true) return [];
    open.isRunning = true;
    return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' }];
  }

  /** Opens a call that was cut off and is now completed. Another process may have announced it. */
  openCompleted({ toolUseId, toolName, input }: CompletedCall): SessionUpdate[] {
    return this.#describe(toolUseId, toolName, isRecord(input) ? input : {});
  }

  end(toolCallId: string, result: ToolResult, completed: CompletedCall | undefined): SessionUpdate[] {
    const call = this.#open.get(toolCallId);
    // A CLI whose host was killed writes that the call failed. The call still waits, so this is not its result.
    if (!call || (this.isPast && this.#waiting.has(toolCallId))) return [];
    this.#open.delete(toolCallId);
    const { description, input, isAnnounced } = call;
    if (!isAnnounced) return result.isError ? [] : this.#plan.take(description.name, input, result);
    const content = contentOfResult(description, result);
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: result.isError ? 'failed' : 'completed',
        rawOutput: result.structure ?? result.content,
        ...(content === undefined ? {} : { content }),
        ...(completed ? describeCompletion(completed) : {}),
      },
    ];
  }

  /** Gives up the open calls, which get no result. Those that the editor shows are marked as failed. */
  abandon(): SessionUpdate[] {
    return this.#fail([...this.#open.keys()]);
  }

  /** Gives up the open calls of an earlier run, except those that still wait for an answer. */
  abandonPast(): SessionUpdate[] {
    return this.#fail([...this.#open.keys()].filter((id) => !this.#waiting.has(id)));
  }

  /** Forgets the open calls, because the turn is over. */
  clear(): void {
    this.#open.clear();
  }

  #fail(ids: readonly string[]): SessionUpdate[] {
    return ids.flatMap((toolCallId): SessionUpdate[] => {
      const isShown = this.#open.get(toolCallId)?.isAnnounced === true;
      this.#open.delete(toolCallId);
      return isShown ? [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' }] : [];
    });
  }

  #describe(id: string, name: string, input: Record<string, unknown>, parent = ''): SessionUpdate[] {
    const known = this.#open.get(id);
    if (known?.isDescribed === true) return [];
    const description = describeTool(name, input, { cwd: this.#cwd, isPast: this.isPast });
    const isAnnounced = !PlanLedger.isAbout(name);
    const isAsked = this.isPast && this.#waiting.has(id);
    const isRunning = known?.isRunning ?? false;
    this.#open.set(id, { description, input, isAsked, isRunning, isAnnounced, isDescribed: true });
    if (!isAnnounced) return [];
    const { title, kind, locations, content } = description;
    const shown = {
      toolCallId: id,
      title,
      kind,
      name,
      rawInput: input,
      ...(locations.length > 0 ? { locations } : {}),
      ...(content.length > 0 ? { content } : {}),
      ...(parent === '' ? {} : { _meta: { 'inboard/parentToolCallId': parent } }),
    };
    return known?.isAnnounced === true
      ? [{ sessionUpdate: 'tool_call_update', ...shown }]
      : [{ sessionUpdate: 'tool_call', status: 'pending', ...shown }];
  }
}

/** Describes how a call was completed and by whom. If a person edited its input, also gives the input that it ran with. */
function describeCompletion({
  how,
  by,
  ranInput,
}: CompletedCall): Pick<ToolCallUpdate, 'rawInput' | '_meta'> {
  return {
    ...(ranInput === undefined ? {} : { rawInput: ranInput }),
    _meta: { 'inboard/completed': { how, ...(by === undefined ? {} : { by }) } },
  };
}
