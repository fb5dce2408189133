// Records what an agent did, as data for assertions: tool calls and their results, permissions, hooks, texts and costs.
// It reads the messages of a query, or the lines of the wire. Only the lines contain permissions and hooks.
import { asString, isRecord, parseRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { WireListener } from '@inboard/core/record/trace/recorder/tap-transport.js';

/** A tool the model called. */
export interface TrajectoryToolCall {
  id: string;
  /** The name the model knows: `Bash`, `mcp__server__tool`. */
  name: string;
  input: Record<string, unknown>;
  /** The tool call that started the subagent, if a subagent made this call. */
  parentToolUseId?: string;
  /** The answer, once there is one: its text, and whether it is an error. */
  result?: { text: string; isError: boolean };
}

/** A permission the CLI asked for. */
export interface TrajectoryPermission {
  toolName: string;
  input: Record<string, unknown>;
  toolUseId?: string;
  agentId?: string;
  /**
   * `open` until there is an answer. `withdrawn` if the CLI cancelled the request. `failed` if the answer was an error.
   */
  decision: 'allow' | 'deny' | 'open' | 'withdrawn' | 'failed';
  /** Why it was denied. */
  message?: string;
  /** The input that the tool ran with, if the answer changed it. */
  updatedInput?: Record<string, unknown>;
}

/** A hook that was called. */
export interface TrajectoryHook {
  event: string;
  toolName?: string;
  output?: unknown;
}

/** A turn that has ended. */
export interface TrajectoryTurn {
  subtype: string;
  isError: boolean;
  text: string;
  numTurns: number;
}

/** Everything an agent did, in the order in which it did it. */
export interface Trajectory {
  toolCalls: TrajectoryToolCall[];
  permissions: TrajectoryPermission[];
  hooks: TrajectoryHook[];
  texts: string[];
  turns: TrajectoryTurn[];
  /** The cost so far in US dollars, according to the last result. */
  totalCostUsd: number;
}

/** Records the trajectory of a query. */
export class TrajectoryRecorder {
  readonly trajectory: Trajectory = {
    toolCalls: [],
    permissions: [],
    hooks: [],
    texts: [],
    turns: [],
    totalCostUsd: 0,
  };
  readonly #calls = new Map<string, TrajectoryToolCall>();
  readonly #asked = new Map<string, TrajectoryPermission | TrajectoryHook>();

  /** Returns a copy of the options in which `onWireLine` calls this recorder. An existing listener is still called. */
  watch<Given extends object>(options: Given): Given {
    const { onWireLine } = options as { onWireLine?: WireListener };
    const watched: Given & { onWireLine: WireListener } = {
      ...options,
      onWireLine: (direction, line) => {
        this.hear(direction, line);
        onWireLine?.(direction, line);
      },
    };
    return watched;
  }

  /** Reads one line of the wire. Lines that are not JSON objects are ignored. */
  hear(direction: 'in' | 'out', line: string): void {
    const frame = parseRecord(line);
    if (!frame) return;
    if (direction === 'out') this.#readAnswer(frame);
    else if (frame['type'] === 'control_request') this.#readRequest(frame);
    else if (frame['type'] === 'control_cancel_request') this.#withdraw(String(frame['request_id']));
    else this.observe(frame);
  }

  /** Reads one message, as a query yields it. */
  observe(message: object): void {
    if (!isRecord(message)) return;
    if (message['type'] === 'assistant') this.#readAssistant(message);
    else if (message['type'] === 'user') this.#readUser(message);
    else if (message['type'] === 'result') this.#readResult(message);
  }

  #readAssistant(message: WireObject): void {
    const parent = message['parent_tool_use_id'];
    for (const block of blocksOf(message)) {
      if (block['type'] === 'text') this.trajectory.texts.push(String(block['text']));
      if (block['type'] !== 'tool_use') continue;
      const call: TrajectoryToolCall = {
        id: String(block['id']),
        name: String(block['name']),
        input: isRecord(block['input']) ? block['input'] : {},
        ...(typeof parent === 'string' ? { parentToolUseId: parent } : {}),
      };
      this.#calls.set(call.id, call);
      this.trajectory.toolCalls.push(call);
    }
  }

  #readUser(message: WireObject): void {
    for (const block of blocksOf(message)) {
      const call =
        block['type'] === 'tool_result' ? this.#calls.get(String(block['tool_use_id'])) : undefined;
      if (call) call.result = { text: textOf(block['content']), isError: block['is_error'] === true };
    }
  }

  #readResult(message: WireObject): void {
    const { total_cost_usd: cost, num_turns: turns, result: text } = message;
    if (typeof cost === 'number') this.trajectory.totalCostUsd = cost;
    this.trajectory.turns.push({
      subtype: asString(message['subtype']) ?? '',
      isError: message['is_error'] === true,
      text: typeof text === 'string' ? text : '',
      numTurns: typeof turns === 'number' ? turns : 0,
    });
  }

  #readRequest(frame: WireObject): void {
    const request = isRecord(frame['request']) ? frame['request'] : {};
    const id = String(frame['request_id']);
    if (request['subtype'] === 'can_use_tool') {
      const permission: TrajectoryPermission = {
        toolName: String(request['tool_name']),
        input: isRecord(request['input']) ? request['input'] : {},
        ...pickText(request, 'tool_use_id', 'toolUseId'),
        ...pickText(request, 'agent_id', 'agentId'),
        decision: 'open',
      };
      this.#asked.set(id, permission);
      this.trajectory.permissions.push(permission);
    } else if (request['subtype'] === 'hook_callback') {
      const input = isRecord(request['input']) ? request['input'] : {};
      const hook: TrajectoryHook = {
        event: String(input['hook_event_name']),
        ...pickText(input, 'tool_name', 'toolName'),
      };
      this.#asked.set(id, hook);
      this.trajectory.hooks.push(hook);
    }
  }

  #readAnswer(frame: WireObject): void {
    const response = frame['type'] === 'control_response' ? frame['response'] : undefined;
    if (!isRecord(response)) return;
    const id = String(response['request_id']);
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    const answer = response['response'];
    if ('event' in asked) asked.output = answer;
    else if (isRecord(answer) && response['subtype'] === 'success') decide(asked, answer);
    else asked.decision = 'failed';
  }

  #withdraw(id: string): void {
    const asked = this.#asked.get(id);
    if (asked && 'decision' in asked) asked.decision = 'withdrawn';
    this.#asked.delete(id);
  }
}

/** The trajectory of collected messages. It has no permissions or hooks, because messages do not contain them. */
export function trajectoryOf(messages: Iterable<object>): Trajectory {
  const recorder = new TrajectoryRecorder();
  for (const message of messages) recorder.observe(message);
  return recorder.trajectory;
}

function decide(permission: TrajectoryPermission, answer: WireObject): void {
  permission.decision = answer['behavior'] === 'allow' ? 'allow' : 'deny';
  if (typeof answer['message'] === 'string') permission.message = answer['message'];
  const updated = answer['updatedInput'];
  if (isRecord(updated) && JSON.stringify(updated) !== JSON.stringify(permission.input))
    permission.updatedInput = updated;
}

function pickText<Name extends string>(
  from: WireObject,
  key: string,
  name: Name,
): Partial<Record<Name, string>> {
  const value = from[key];
  return (typeof value === 'string' ? { [name]: value } : {}) as Partial<Record<Name, string>>;
}
